/** Keeps a form about leverage away until what was set is known: it would begin with a guess, and send it. */
import type { ReactNode } from 'react';
import { ErrorState, Skeleton } from '../../components/states.tsx';
import { useLeverages } from './leverages.ts';

export function LeveragesRead({ children }: { readonly children: ReactNode }) {
  const { isRead, error, readNow } = useLeverages();
  if (isRead) return children;
  if (error === null) return <Skeleton rows={3} />;
  // What cannot be read again is in `error` again.
  return <ErrorState compact error={error} onRetry={() => void readNow().catch(() => undefined)} />;
}
