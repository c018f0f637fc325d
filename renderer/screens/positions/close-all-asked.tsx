/** Dialog that closes all positions of the account, opened from the Trade screen by `/positions?close-all`. */
import { useOpenedByLink } from '../../features/opened-by-link/use-opened-by-link.ts';
import { CloseSeveral } from './close-several.tsx';
import type { Position } from './use-position-data.ts';

export function CloseAllAsked({ positions }: { readonly positions: readonly Position[] | undefined }) {
  const [isAsked, setAsked] = useOpenedByLink('close-all');
  // Before the positions are read there is nothing to confirm.
  if (!isAsked || positions === undefined) return null;
  return <CloseSeveral positions={positions} onClose={() => setAsked(false)} />;
}
