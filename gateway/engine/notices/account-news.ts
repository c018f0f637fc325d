/**
 * Notifies the owner of a live account of trouble other than its venue's (no requests left, stream down), and of a mode
 * change by the venue. `auth/live-accounts.ts` notifies of a refused key, once the venue has confirmed it.
 */

import { KeyedQueue } from '../../domain/keyed-queue.ts';
import type { TradeAccount } from '../../domain/model.ts';
import { accountNotification } from '../../domain/notification.ts';
import type { EngineDeps } from '../core/deps.ts';
import { oneUnit } from '../core/unit-parts.ts';
import type { Unsubscribe } from '../ports/system.ts';
import type { Venue } from '../ports/venue.ts';
import type { AccountMode } from '../ports/venue-status.ts';
import { notice, tellUsers } from './notify.ts';

/** Trouble that ends sooner is not notified, ms. */
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
  const modes = new KeyedQueue();

  /** Commits the notification with its mark, so that each change is notified once, even if the process ends. */
  async function tellMode(account: TradeAccount, { name, detail, changedAt }: AccountMode): Promise<void> {
    if (changedAt === null || changedAt < account.createdAt) return;
    const key = `account:${account.id}:mode-told`;
    const value = String(changedAt);
    if ((await deps.store.setting(key)) === value) return;
    const reason = `${account.alias} is in ${name} mode now: ${detail}. Nothing was deposited or withdrawn by it`;
    const text = accountNotification('ACCOUNT_MODE_CHANGED', account, reason);
    const told = notice(deps, text, account.userId, [account.id]);
    const committed = await deps.store.commit(oneUnit(told, { settings: [{ key, value }] }));
    if (!committed.ok) deps.logger.warn({ tradeAccountId: account.id }, 'a notification was not kept');
  }

  function look(venue: Venue, id: string): void {
    const account = accounts().find((one) => one.id === id);
    if (account === undefined) return;
    const { exchangeIdentifier } = account;
    const now = venue.accountStatus?.({ tradeAccountId: id, exchangeIdentifier }) ?? null;
    const mode = now?.mode;
    if (mode !== undefined)
      modes
        .run(id, () => tellMode(account, mode))
        .catch((error: unknown) => deps.logger.error({ err: error }, 'a notification was not kept'));
    // A venue in trouble sends its own notification, and so does an account with a refused key.
    if (account.status !== 'READY' || venue.status().status !== 'UP') return;
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
