/** Ends the session on a 401 that a refresh did not mend, of any read or write. */
import { Unauthorized } from '../../gateway/client/client.ts';
import { queries } from '../api/client.ts';
import { sessionEnded } from '../api/session.ts';

export function watchUnauthorized(): () => void {
  const look = (error: unknown) => {
    if (error instanceof Unauthorized) sessionEnded();
  };
  const unwatchReads = queries.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error') look(event.action.error);
  });
  const unwatchWrites = queries.getMutationCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error') look(event.action.error);
  });
  return () => {
    unwatchReads();
    unwatchWrites();
  };
}
