/** Closing all of the account's positions, as the panel of Trade asks for it by `/positions?close-all`. */
import { useOpenedByLink } from '../../features/opened-by-link/use-opened-by-link.ts';
import { CloseSeveral } from './close-several.tsx';
import type { Position } from './use-position-data.ts';

export function CloseAllAsked({ positions }: { readonly positions: readonly Position[] | undefined }) {
  const [isAsked, setAsked] = useOpenedByLink('close-all');
  // With none there is nothing to ask.
  if (!isAsked || positions === undefined) return null;
  return <CloseSeveral positions={positions} onClose={() => setAsked(false)} />;
}
