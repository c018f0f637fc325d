/** Background work while the gateway runs: opening accounts at returning venues, and pruning the store. */
import type { Auth } from '../auth/auth.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Clock, Logger } from '../engine/ports/system.ts';
import type { Venue } from '../engine/ports/venue.ts';

const PRUNE_EVERY_MS = 60 * 60 * 1_000;

/** Opens all accounts at a venue that is up again: it lacks those made while it was down, and may lack others. */
export function openAccountsWhenUp(venue: Venue, auth: Auth, logger: Logger): () => void {
  return venue.onStatus(({ status }) => {
    if (status !== 'UP') return;
    auth.accounts.openAll(venue.info.id).catch((error: unknown) => {
      logger.error({ err: error, connector: venue.info.id }, 'accounts were not opened');
    });
  });
}

/** Once an hour, deletes rows that are past their retention. */
export function keepPruning(store: Store, clock: Clock, logger: Logger): () => void {
  let cancel = () => {};
  const next = () => {
    cancel = clock.after(PRUNE_EVERY_MS, () => {
      store
        .prune(clock.now())
        .catch((error: unknown) => logger.warn({ err: error }, 'Old rows were not removed'));
      next();
    });
  };
  next();
  return () => cancel();
}
