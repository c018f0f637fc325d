/** Protection that positions lost between two readings, and the part that nobody may remove without their user. */
import type { Json } from './json.ts';
import { AS_BEFORE, type Bound, isFurther, resultsAtStop, stoodAt, worseThan } from './stop-model.ts';

const SPREAD = 0.003;

export interface Seen {
  readonly positions: readonly Json[];
  /** Triggers and TWAPs that protect or reduce. */
  readonly closing: readonly Json[];
}

/**
 * Protection that an agent took away without its user, in words; empty: none.
 * @param bound of how far the market may have to go to a stop-loss (`UsersPart`)
 */
export function lost(before: Seen, after: Seen, bound = AS_BEFORE): readonly string[] {
  return before.positions.flatMap((was) => {
    const is = after.positions.find(({ id }) => id === was.id);
    if (is === undefined) return lostByReversal(was, before, after);
    const closing = before.closing.filter(({ positionId }) => positionId === was.id);
    return [
      ...(isStopWorse(was, is, bound) ? [`stop ${stateOf(was)} -> ${stateOf(is)}`] : []),
      ...(isOn(was.takeProfit) && !isOn(is.takeProfit) ? ['take-profit'] : []),
      ...closing.flatMap((one) =>
        lostClose(
          one,
          after.closing.find(({ id }) => id === one.id),
        ),
      ),
    ];
  });
}

function isStopWorse(was: Json, is: Json, bound: Bound): boolean {
  const { stopLoss: old } = was;
  if (!isOn(old)) return false;
  if (isOn(is.stopLoss) && termsOf(old) === termsOf(is.stopLoss)) return isFurther(was, is, undefined, bound);
  return worseThan(resultsAtStop(stoodAt(old, was, is), is), resultsAtStop(is.stopLoss, is));
}

function lostByReversal(was: Json, before: Seen, after: Seen): readonly string[] {
  const [{ symbol, side }] = was.legs;
  const isNew = ({ id }: Json) => before.positions.every((one) => one.id !== id);
  const opposite = after.positions.find(
    (one) => isNew(one) && one.legs.some((leg: Json) => leg.symbol === symbol && leg.side !== side),
  );
  if (opposite === undefined || !isOn(was.stopLoss)) return [];
  if (!isOn(opposite.stopLoss)) return ['stop of a reversal'];
  // Its entry is a spread away from the mark.
  return isFurther(was, opposite, SPREAD) ? ['stop of a reversal begins further away'] : [];
}

function lostClose(was: Json, is: Json | undefined): readonly string[] {
  // Brackets are compared as such.
  if (was.status !== 'ACTIVE' || was.bracketType != null || is === undefined) return [];
  if (is.status === 'PAUSED' || is.status === 'CANCELLED') return [`closing ${is.status}`];
  const { direction, value } = was.condition ?? {};
  if (value === undefined) return [];
  const further = Number(is.condition.value) - Number(value);
  return (direction === 'MORE_THAN' ? further : -further) > 0 ? ['closing trigger further'] : [];
}

function isOn(one: Json | null): boolean {
  return one !== null && one.status !== 'PAUSED';
}

/** The stop-loss and the legs, so that a failure can be computed by hand. */
function stateOf({ stopLoss, legs }: Json): string {
  const held = legs.map(({ symbol, side, quantity, entryPrice, markPrice }: Json) =>
    [symbol, side, quantity, entryPrice, markPrice].join(' '),
  );
  const { level, peak, trailingNow } = stopLoss ?? {};
  return `${termsOf(stopLoss)} ${JSON.stringify({ level, peak, trailingNow })} of ${held.join(', ')}`;
}

function termsOf(one: Json | null): string {
  return one === null
    ? 'none'
    : JSON.stringify([one.type, one.value, one.trailing, one.triggerId, one.status]);
}
