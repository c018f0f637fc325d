/** Hides a leverage form until the settings are known: it would start with a guess, and send it. */
import type { ReactNode } from 'react';
import { ErrorState, Skeleton } from '../../components/states.tsx';
import { useLeverages } from './leverages.ts';

export function LeveragesRead({ children }: { readonly children: ReactNode }) {
  const { isRead, error, readNow } = useLeverages();
  if (isRead) return children;
  if (error === null) return <Skeleton rows={3} />;
  // A failed retry is in `error` again.
  return <ErrorState compact error={error} onRetry={() => void readNow().catch(() => undefined)} />;
}
