/**
 * Notifies the trader when an execution ends with legs filled unevenly, or when the unwind of filled legs has failed.
 */
import { dec, text } from '../../domain/decimal.ts';
import type { Execution } from '../../domain/model.ts';
import { legImbalanceNotification } from '../../domain/notification.ts';
import { withoutFullStop } from '../../domain/sentence.ts';
import type { EngineDeps } from '../core/deps.ts';
import type { OnExecutionEnded } from '../core/follow-ups.ts';
import { noticeOf } from '../notices/notify.ts';
import { reducesPosition } from './basket-job.ts';
import { isUnwound } from './unwind.ts';

/** Follow-up that sends the notification. To be registered with `FollowUps`. */
export function tellImbalance(deps: Pick<EngineDeps, 'ids' | 'clock' | 'market'>): OnExecutionEnded {
  return (ended, position) => {
    const isUnwindFailed = ended.parentId !== null && reducesPosition(ended) && ended.status !== 'COMPLETED';
    // The unwind closes the filled legs again, and its own end is notified if it fails. A bracket continues with the
    // rest of the position and sends its own notifications.
    if (position === null || isUnwound(ended) || ended.origin === 'BRACKET') return null;
    if (!isUneven(ended) && !isUnwindFailed) return null;
    const about = { legs: position.legs, positionId: position.id, executionId: ended.id };
    const reason = isUnwindFailed
      ? unwindFailed(deps, ended)
      : (ended.error ?? 'Some legs filled further than others');
    return {
      unit: noticeOf(deps, ended, about, (subject) => legImbalanceNotification(subject, reason)),
    };
  };
}

/** Reason of a failed unwind, with the quantities that it has left open. */
function unwindFailed({ market }: Pick<EngineDeps, 'market'>, unwind: Execution): string {
  const left = unwind.orders.flatMap(({ symbol, side, amount, filledQuantity }) => {
    const rest = dec(amount).minus(filledQuantity);
    const name = market.instrument(unwind.connector, symbol)?.symbol ?? symbol;
    return rest.gt(0) ? [`${side === 'BUY' ? 'short' : 'long'} ${text(rest)} ${name}`] : [];
  });
  const why = withoutFullStop(unwind.error ?? unwind.status.toLowerCase());
  return `An order failed, and closing its fills again failed too: ${why}. Still open of it: ${left.join(', ')}`;
}

/** Filled shares of two legs differ: f₁ ÷ q₁ ≠ f₂ ÷ q₂, multiplied out. */
function isUneven({ orders }: Pick<Execution, 'orders'>): boolean {
  const [first, ...others] = orders;
  if (first === undefined) return false;
  // A leg that was never sized has filled nothing, so its quantity may be any number: 0 ÷ 1 is 0.
  const asked = (quantity: string | null) => dec(quantity ?? '1');
  return others.some(
    (other) =>
      !dec(first.filledQuantity)
        .mul(asked(other.quantity))
        .eq(dec(other.filledQuantity).mul(asked(first.quantity))),
  );
}
