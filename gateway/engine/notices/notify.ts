/** A notification as rows of a unit: it is on disk with what it tells of, and its event with it. */
import type { PositionLeg } from '../../domain/model.ts';
import type { Notification, NotificationLeg, NotificationText } from '../../domain/notification.ts';
import type { EngineDeps } from '../core/deps.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';

/** @param tradeAccountIds whose streams are told of it; most have one, a connector's news goes to all accounts there */
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

/** A basket's legs as notifications name them; an instrument that is not listed any more stands for its own ticker. */
export function notificationLegs(
  deps: Pick<EngineDeps, 'market'>,
  connector: string,
  legs: readonly Pick<PositionLeg, 'symbol' | 'side'>[],
): readonly NotificationLeg[] {
  return legs.map(({ symbol, side }) => ({
    id: symbol,
    symbol: deps.market.instrument(connector, symbol)?.symbol ?? symbol,
    side,
  }));
}
