/** A notification as rows of a unit of work: committed with the change that it reports and its event. */
import type { Position, PositionLeg, TradeAccount } from '../../domain/model.ts';
import type {
  Notification,
  NotificationLeg,
  NotificationSubject,
  NotificationText,
} from '../../domain/notification.ts';
import type { EngineDeps } from '../core/deps.ts';
import { oneUnit } from '../core/unit-parts.ts';
import type { MarketData } from '../ports/market.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';

/** @param tradeAccountIds accounts that get the event: usually one; for a connector's news, all accounts on it */
export function notice(
  deps: Pick<EngineDeps, 'ids' | 'clock'>,
  text: NotificationText,
  userId: string,
  tradeAccountIds: readonly string[],
): UnitOfWork {
  const now = deps.clock.now();
  const notification: Notification = {
    id: deps.ids.next(),
    userId,
    ...text,
    isRead: false,
    createdAt: now,
    updatedAt: now,
  };
  return {
    notifications: [notification],
    events: tradeAccountIds.map((tradeAccountId) => ({
      tradeAccountId,
      event: 'notification.created',
      entityId: notification.id,
      timestamp: now,
    })),
  };
}

/** A basket's legs as notifications name them. If an instrument is no longer listed, its id replaces its ticker. */
export function notificationLegs(
  deps: { readonly market: Pick<MarketData, 'instrument'> },
  connector: string,
  legs: readonly Pick<PositionLeg, 'symbol' | 'side'>[],
): readonly NotificationLeg[] {
  return legs.map(({ symbol, side }) => ({
    id: symbol,
    symbol: deps.market.instrument(connector, symbol)?.symbol ?? symbol,
    side,
  }));
}

/** A notification about one account's object (position, schedule …), sent to that account. */
export function noticeOf(
  deps: Pick<EngineDeps, 'ids' | 'clock' | 'market'>,
  of: Pick<Position, 'userId' | 'tradeAccountId' | 'connector'>,
  about: {
    readonly legs: readonly Pick<PositionLeg, 'symbol' | 'side'>[];
    readonly positionId?: string | null;
    readonly executionId?: string | null;
  },
  text: (subject: NotificationSubject) => NotificationText,
): UnitOfWork {
  const { userId, tradeAccountId, connector } = of;
  const { positionId = null, executionId = null } = about;
  const legs = notificationLegs(deps, connector, about.legs);
  return notice(deps, text({ tradeAccountId, connector, legs, positionId, executionId }), userId, [
    tradeAccountId,
  ]);
}

/** Notifies the users of all these accounts, each once, in a commit of its own for which no caller waits. */
export function tellUsers(
  deps: Pick<EngineDeps, 'store' | 'clock' | 'ids' | 'logger'>,
  accounts: readonly TradeAccount[],
  text: NotificationText,
): void {
  const notices = [...new Set(accounts.map(({ userId }) => userId))].map((userId) => {
    const own = accounts.filter((account) => account.userId === userId).map(({ id }) => id);
    return notice(deps, text, userId, own);
  });
  if (notices.length === 0) return;
  const { category } = text;
  deps.store
    .commit(oneUnit(...notices))
    .then((committed) => {
      if (!committed.ok) deps.logger.warn({ category }, 'a notification was not kept');
    })
    .catch((error: unknown) => deps.logger.error({ err: error, category }, 'a notification was not kept'));
}
