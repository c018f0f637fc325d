/** Reports changes in the health of an open account, apart from its venue. */
import type { Clock, Unsubscribe } from '../../../engine/ports/system.ts';
import type { VenueAccount } from '../../../engine/ports/venue.ts';
import type { AccountStatus } from '../../../engine/ports/venue-status.ts';

const LOOK_EVERY_MS = 2_000;
/** The first messages of an account come within a second or two of its subscription. */
const HEARD_WITHIN_MS = 15_000;
/** Another try is the only way to learn that the venue takes the key again. */
const REFUSED_FOR_MS = 60_000;
/** Refusals of nonces in a row; each may be a request that overtook another one. */
const MANY_NONCES = 3;

export const WELL: AccountStatus = { status: 'UP', trading: 'UP', reason: null, until: null };
/** It trades, and a person should know why it may be slow or wrong. */
const troubled = (reason: string): AccountStatus => ({ ...WELL, status: 'DEGRADED', reason });

/** Key of a reported status. The number of remaining requests changes all the time and is left out. */
function newsOf({ status, trading, reason, mode }: AccountStatus): string {
  return `${status} ${trading} ${trading === 'CLOSE_ONLY' ? '' : reason} ${mode?.changedAt ?? ''}`;
}

export interface AccountWatch<One> {
  statusOf(one: One): AccountStatus;
  follow(listener: (account: VenueAccount) => void): Unsubscribe;
  /** To be called after a possible change; it also looks by itself now and then. */
  look(): void;
  start(): void;
  stop(): void;
}

export function watchAccounts<One>(deps: {
  readonly clock: Clock;
  readonly all: () => readonly (readonly [VenueAccount, One])[];
  readonly statusOf: (one: One) => AccountStatus;
}): AccountWatch<One> {
  const { clock, all, statusOf } = deps;
  const listeners = new Set<(account: VenueAccount) => void>();
  const told = new Map<string, string>();
  let cancel: Unsubscribe = () => {};

  function look(): void {
    const open = new Set<string>();
    for (const [account, one] of all()) {
      const id = account.tradeAccountId;
      open.add(id);
      const now = newsOf(statusOf(one));
      // An account that is opened in trouble is news.
      const before = told.get(id) ?? newsOf(WELL);
      told.set(id, now);
      if (before !== now) for (const listener of [...listeners]) listener(account);
    }
    for (const id of told.keys()) if (!open.has(id)) told.delete(id);
  }

  function next(): void {
    cancel = clock.after(LOOK_EVERY_MS, () => {
      look();
      next();
    });
  }

  return {
    statusOf,
    follow(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    look,
    start: next,
    stop: () => cancel(),
  };
}

/** @param refusal of the key, the last one. null: the venue takes it, as far as is known */
export function ofKey(
  clock: Clock,
  refusal: { readonly reason: string; readonly at: number } | null,
): AccountStatus | null {
  if (refusal === null || clock.now() >= refusal.at + REFUSED_FOR_MS) return null;
  const reason = `the venue refuses its key: ${refusal.reason}`;
  return { status: 'DEGRADED', trading: 'DOWN', reason, until: refusal.at + REFUSED_FOR_MS };
}

export function ofNonces(refusedInARow: number): AccountStatus | null {
  if (refusedInARow < MANY_NONCES) return null;
  return troubled('the venue refuses its requests one after the other: another program uses the same key');
}

/**
 * @param since time of the last reading of balances and positions, of `Clock.uptime`
 * @param streamsUpSince of `Clock.uptime`; null: they are down, which is the venue's status
 * @param within age from which a reading is too old
 */
export function ofReadings(
  clock: Clock,
  since: number,
  streamsUpSince: number | null,
  within: { readonly ms: number; readonly words: string },
): AccountStatus | null {
  if (streamsUpSince === null || clock.uptime() - since <= within.ms) return null;
  return troubled(`its balances and positions could not be read for ${within.words}`);
}

/**
 * @param heard the stream has sent something for the account
 * @param streamsUpSince of `Clock.uptime`; null: they are down, which is the venue's status
 * @param openedAt of `Clock.uptime`
 */
export function ofStream(
  clock: Clock,
  heard: boolean,
  streamsUpSince: number | null,
  openedAt: number,
): AccountStatus | null {
  if (heard || streamsUpSince === null) return null;
  if (clock.uptime() - Math.max(streamsUpSince, openedAt) <= HEARD_WITHIN_MS) return null;
  return troubled('the venue streams nothing of it: fills are asked for instead');
}
