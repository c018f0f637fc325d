/** Notification of a quantity outside baskets that the venue no longer holds, without an end in its history. */
import type { Side, TradeAccount } from '../../domain/model.ts';
import { venueNotification } from '../../domain/notification.ts';
import type { EngineDeps } from '../core/deps.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import { noticeOf } from './notify.ts';

/** @param lost side and quantity that were held, base units */
export function lostNotice(
  deps: Pick<EngineDeps, 'ids' | 'clock' | 'market'>,
  { id: tradeAccountId, userId, connector }: TradeAccount,
  { symbol, side, quantity }: { readonly symbol: string; readonly side: Side; readonly quantity: string },
): UnitOfWork {
  const reason = `The venue no longer holds ${quantity} ${symbol}, and its history does not say why. It was in no basket and is taken off the books: compare the account with the venue`;
  const about = { positionId: null, legs: [{ symbol, side }] };
  return noticeOf(deps, { tradeAccountId, userId, connector }, about, (subject) =>
    venueNotification('EXTERNAL_CLOSE', subject, reason),
  );
}
