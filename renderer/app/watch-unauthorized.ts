/** Ends the session on a 401 that a refresh did not mend, of any read or write. */
import type { MutationCacheNotifyEvent, QueryCacheNotifyEvent } from '@tanstack/react-query';
import { Unauthorized } from '../../gateway/client/client.ts';
import { queries } from '../api/client.ts';
import { sessionEnded } from '../api/session.ts';

export function watchUnauthorized(): () => void {
  const look = (event: QueryCacheNotifyEvent | MutationCacheNotifyEvent) => {
    if (event.type !== 'updated' || event.action.type !== 'error') return;
    if (event.action.error instanceof Unauthorized) sessionEnded();
  };
  const unwatch = [queries.getQueryCache().subscribe(look), queries.getMutationCache().subscribe(look)];
  return () => {
    for (const stop of unwatch) stop();
  };
}
