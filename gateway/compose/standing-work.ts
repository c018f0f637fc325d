/** What goes on beside everything else while the gateway runs. */
import type { Auth } from '../auth/auth.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Clock, Logger } from '../engine/ports/system.ts';
import type { Venue } from '../engine/ports/venue.ts';

const PRUNE_EVERY_MS = 60 * 60 * 1_000;

/** A venue that was away knows nothing of the accounts made meanwhile, and we not whether it knows the others. */
export function openAccountsWhenUp(venue: Venue, auth: Auth, logger: Logger): () => void {
  return venue.onStatus(({ status }) => {
    if (status !== 'UP') return;
    auth.accounts.openAll(venue.info.id).catch((error: unknown) => {
      logger.error({ err: error, connector: venue.info.id }, 'accounts were not opened');
    });
  });
}

/** Removes what its retention has passed, once an hour. */
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
