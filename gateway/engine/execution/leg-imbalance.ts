/**
 * Notifies the trader when an execution ends with legs filled unevenly, or when the unwind of filled legs has failed.
 */
import { type DecimalString, dec, text } from '../../domain/decimal.ts';
import { dollars } from '../../domain/dollars.ts';
import type { Execution, Position, Side } from '../../domain/model.ts';
import { legImbalanceNotification } from '../../domain/notification.ts';
import { withoutFullStop } from '../../domain/sentence.ts';
import type { EngineDeps } from '../core/deps.ts';
import type { OnExecutionEnded } from '../core/follow-ups.ts';
import { noticeOf } from '../notices/notify.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
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

/** Value of a rest below which the trader is not told of it, USD. */
const LEAST_TOLD = dec('5');

/**
 * Notice of what a close leaves at the venue, in no basket, because it is too small for an order.
 * @param rests in base units, each with its price; `side` closes it
 * @returns null: nothing of value
 */
export function restNotice(
  deps: Pick<EngineDeps, 'ids' | 'clock' | 'market'>,
  execution: Execution,
  position: Position,
  rests: readonly {
    readonly symbol: string;
    readonly side: Side;
    readonly quantity: DecimalString;
    readonly price: DecimalString;
  }[],
): UnitOfWork | null {
  const told = rests.flatMap(({ symbol, side, quantity, price }) => {
    const worth = dec(quantity).mul(price);
    const name = deps.market.instrument(execution.connector, symbol)?.symbol ?? symbol;
    const holding = `${side === 'BUY' ? 'short' : 'long'} ${quantity} ${name} (${dollars(worth)})`;
    return worth.lt(LEAST_TOLD) ? [] : [holding];
  });
  if (told.length === 0) return null;
  const reason = `Too small for an order of the venue, so it stays open there, in no basket: ${told.join(', ')}`;
  const about = { legs: position.legs, positionId: position.id, executionId: execution.id };
  return noticeOf(deps, execution, about, (subject) => legImbalanceNotification(subject, reason));
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
