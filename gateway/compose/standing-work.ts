/** Background work while the gateway runs: opening accounts at returning venues, and pruning the store. */
import type { Auth } from '../auth/auth.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Clock, Logger } from '../engine/ports/system.ts';
import type { Venue, Venues } from '../engine/ports/venue.ts';

const FIRST_CHECK_MS = 60_000;
const CHECK_EVERY_MS = 24 * 60 * 60 * 1_000;
/** Retry delay while a venue takes no more requests or does not answer. */
const ASK_AGAIN_MS = 15_000;
const PRUNE_EVERY_MS = 60 * 60 * 1_000;

/** Opens all accounts; those at a venue whose program is not loaded yet are opened once the gateway serves. */
export async function openAccounts(venues: Venues, auth: Auth, logger: Logger): Promise<void> {
  for (const venue of venues.all()) {
    const isLoaded = venue.status().isUnused !== true;
    const opening = auth.accounts.openAll(venue.info.id);
    if (isLoaded) await opening;
    else opening.catch(notOpened(venue, logger));
  }
}

/**
 * Opens all accounts at a venue that is up again: it lacks those made while it was down, and may lack others. An
 * account that failed to open while it was up is retried: until then nothing of it can be read or closed.
 */
export function openAccountsWhenUp(venue: Venue, auth: Auth, clock: Clock, logger: Logger): () => void {
  const { id } = venue.info;
  let was = venue.status().status;
  let cancel = () => {};
  const open = () => auth.accounts.openAll(id).catch(notOpened(venue, logger));
  const next = () => {
    cancel = clock.after(ASK_AGAIN_MS, () => {
      const isLeft = auth.accounts
        .all()
        .some(({ connector, status }) => connector === id && status === 'DEGRADED');
      if (isLeft && venue.status().status === 'UP') void open();
      next();
    });
  };
  next();
  const stop = venue.onStatus(({ status }) => {
    const isBack = status === 'UP' && was !== 'UP';
    was = status;
    if (isBack) void open();
  });
  return () => {
    cancel();
    stop();
  };
}

/**
 * Rechecks a key that the venue refused with an order, until the venue answers; one request at a time for each account.
 */
export function checkRefusedKeys(venue: Venue, auth: Auth, clock: Clock, logger: Logger): () => void {
  /** By account: ends the wait for the next question. */
  const asking = new Map<string, () => void>();
  let isStopped = false;
  const ask = (id: string) => {
    asking.set(id, () => {});
    void auth.accounts
      .recheck(id)
      .catch((error: unknown) => {
        logger.error({ err: error, tradeAccountId: id }, 'a key was not checked');
        return true;
      })
      .then((isAnswered) => {
        if (isAnswered || isStopped) asking.delete(id);
        else
          asking.set(
            id,
            clock.after(ASK_AGAIN_MS, () => ask(id)),
          );
      });
  };
  const stop = venue.onRefusedKey?.(({ tradeAccountId: id }) => {
    if (!asking.has(id) && auth.accounts.get(id)?.status !== 'INVALID_CREDENTIALS') ask(id);
  });
  return () => {
    isStopped = true;
    stop?.();
    for (const cancel of asking.values()) cancel();
  };
}

/** Once a day, and soon after the start, asks the venues whether the credentials of live accounts are still good. */
export function keepCredentialsChecked(auth: Auth, clock: Clock, logger: Logger): () => void {
  let isStopped = false;
  let cancel = () => {};
  const round = async () => {
    for (const { id, mode } of auth.accounts.all()) {
      if (mode !== 'LIVE' || isStopped) continue;
      await auth.accounts
        .recheck(id)
        .catch((error: unknown) => logger.error({ err: error, tradeAccountId: id }, 'a key was not checked'));
    }
    if (!isStopped) later(CHECK_EVERY_MS);
  };
  const later = (ms: number) => {
    cancel = clock.after(ms, () => void round());
  };
  later(FIRST_CHECK_MS);
  return () => {
    isStopped = true;
    cancel();
  };
}
const notOpened = (venue: Venue, logger: Logger) => (error: unknown) =>
  logger.error({ err: error, connector: venue.info.id }, 'accounts were not opened');

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
