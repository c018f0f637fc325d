/**
 * Notifies the owner of a live account when the account is in trouble that is not its venue's: its requests are used up,
 * its stream is down. That its key is refused is told by `auth/live-accounts.ts`, once the venue has confirmed it.
 */
import type { TradeAccount } from '../../domain/model.ts';
import { accountNotification } from '../../domain/notification.ts';
import type { EngineDeps } from '../core/deps.ts';
import type { Unsubscribe } from '../ports/system.ts';
import type { Venue } from '../ports/venue.ts';
import { tellUsers } from './notify.ts';

/** Trouble that ends sooner is not told. */
const AFTER_MS = 10_000;
/** Minimum time between two notifications of trouble of one account. */
const AT_MOST_EVERY_MS = 10 * 60_000;

type Deps = Pick<EngineDeps, 'store' | 'clock' | 'ids' | 'logger'>;

interface Told {
  /** Monotonic time of the last notification of trouble. */
  readonly at: number;
  isTrouble: boolean;
}

export function tellAccountNews(
  deps: Deps,
  venues: readonly Venue[],
  accounts: () => readonly TradeAccount[],
): Unsubscribe {
  const told = new Map<string, Told>();
  const waiting = new Map<string, Unsubscribe>();

  function look(venue: Venue, id: string): void {
    const account = accounts().find((one) => one.id === id);
    // A venue that is in trouble itself says so; an account whose key is refused has been told.
    if (account === undefined || account.status !== 'READY' || venue.status().status !== 'UP') return;
    const { exchangeIdentifier } = account;
    const now = venue.accountStatus?.({ tradeAccountId: id, exchangeIdentifier }) ?? null;
    const before = told.get(id);
    if (now === null) return;
    const isWell = now.status === 'UP' && now.trading === 'UP';
    if (isWell && before?.isTrouble === true) {
      before.isTrouble = false;
      tellUsers(deps, [account], accountNotification('CONNECTOR_RECOVERED', account, 'UP'));
    }
    const uptime = deps.clock.uptime();
    if (isWell || (before !== undefined && (before.isTrouble || uptime - before.at < AT_MOST_EVERY_MS)))
      return;
    told.set(id, { at: uptime, isTrouble: true });
    const reason = `${account.alias}: ${now.reason ?? 'no reason given'}`;
    tellUsers(deps, [account], accountNotification('CONNECTOR_DEGRADED', account, reason));
  }

  const stops = venues.map((venue) =>
    venue.onAccountStatus?.(({ tradeAccountId: id }) => {
      waiting.get(id)?.();
      waiting.set(
        id,
        deps.clock.after(AFTER_MS, () => {
          waiting.delete(id);
          look(venue, id);
        }),
      );
    }),
  );
  return () => {
    for (const stop of stops) stop?.();
    for (const cancel of waiting.values()) cancel();
  };
}
