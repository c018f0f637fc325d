/** How each open account is, apart from the venue: its key, its requests, its stream, its readings. */
import type { Clock, Unsubscribe } from '../../../engine/ports/system.ts';
import type { VenueAccount } from '../../../engine/ports/venue.ts';
import type { AccountStatus } from '../../../engine/ports/venue-status.ts';
import type { OpenAccount, OpenAccounts } from './open-accounts.ts';
import type { RequestLimits } from './request-limits.ts';

const LOOK_EVERY_MS = 2_000;
/** The first messages of an account come within a second or two of its subscription. */
const HEARD_WITHIN_MS = 15_000;
/** Read every four seconds; less often while the venue limits requests. */
const READ_WITHIN_MS = 60_000;
/** Another try is the only way to learn that the venue takes the key again. */
const REFUSED_FOR_MS = 60_000;
/** Refusals in a row; each may be a request that overtook another one. */
const MANY_NONCES = 3;

const WELL: AccountStatus = { status: 'UP', trading: 'UP', reason: null, until: null };

/** What of it is worth telling: the number of requests that are left changes all the time. */
function newsOf({ status, trading, reason }: AccountStatus): string {
  return `${status} ${trading} ${trading === 'CLOSE_ONLY' ? '' : reason}`;
}

export interface AccountWatch {
  statusOf(one: OpenAccount): AccountStatus;
  follow(listener: (account: VenueAccount) => void): Unsubscribe;
  /** To be called when something may have changed; it looks by itself now and then. */
  look(): void;
  start(): void;
  stop(): void;
}

export function createAccountWatch(deps: {
  readonly clock: Clock;
  readonly accounts: Pick<OpenAccounts, 'all'>;
  readonly limits: Pick<RequestLimits, 'shortage'>;
  /** Uptime since which the streams are up; null: they are not. */
  readonly streamsUpSince: () => number | null;
}): AccountWatch {
  const { clock, accounts, limits, streamsUpSince } = deps;
  const listeners = new Set<(account: VenueAccount) => void>();
  const told = new Map<string, string>();
  let cancel: Unsubscribe = () => {};

  /** What ails the stream of all accounts is the venue's status. */
  function isUnheard({ session, openedAt }: OpenAccount): boolean {
    const since = streamsUpSince();
    return !session.heard && since !== null && clock.uptime() - Math.max(since, openedAt) > HEARD_WITHIN_MS;
  }

  function statusOf(one: OpenAccount): AccountStatus {
    const { session, reading, openedAt } = one;
    const { refusal, user, refusedNonces } = session;
    if (refusal !== null && clock.now() < refusal.at + REFUSED_FOR_MS) {
      const reason = `the venue refuses its key: ${refusal.reason}`;
      return { status: 'DEGRADED', trading: 'DOWN', reason, until: refusal.at + REFUSED_FOR_MS };
    }
    const short = limits.shortage(user);
    if (short !== null) {
      const reason = `${short.left} of its requests are left at the venue, which are kept for what closes; it gets one more for each USDC traded`;
      return { status: 'DEGRADED', trading: 'CLOSE_ONLY', reason, until: short.until };
    }
    const trading = (reason: string): AccountStatus => ({ ...WELL, status: 'DEGRADED', reason });
    if (refusedNonces >= MANY_NONCES)
      return trading('the venue refuses its requests one after the other: another program uses the same key');
    if (streamsUpSince() !== null && clock.uptime() - (reading?.at ?? openedAt) > READ_WITHIN_MS)
      return trading('its balances and positions could not be read for a minute');
    if (isUnheard(one)) return trading('the venue streams nothing of it: fills are asked for instead');
    return WELL;
  }

  function look(): void {
    const open = new Set<string>();
    for (const [account, one] of accounts.all()) {
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
