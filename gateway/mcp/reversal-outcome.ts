/**
 * Outcome of a reversal: of its closing execution and of the execution that opens the opposite, as one request. Pure.
 */
import type { AccountOut } from './fields.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { type Execution, heldOf, judged, legOf, ofExecution, type Position } from './outcomes-of.ts';
import { venueWords, type Words } from './venue-words.ts';

/** Executions that follow a completed close. */
export interface AfterClose {
  /** Opens the opposite; null: none, because nothing was left to close. */
  readonly opening: Execution | null;
  /** Closes the fills of a failed opening again (`onLegFailure: UNWIND`); null: none. */
  readonly unwinding: Execution | null;
  /** Opposite position as it is now; null: there is none. */
  readonly opposite: Position | null;
}

/** True: the close has completed, so that another execution opens the opposite. */
export function opensOpposite({ intent, status }: Execution): boolean {
  return intent === 'REVERSE' && status === 'COMPLETED';
}

export function hasEnded({ status }: Execution): boolean {
  return status !== 'IDLE' && status !== 'ACTIVE';
}

/** True: the fills of an ended execution are closed again by another one (`isUnwound` of the engine). */
export function isClosedAgain({ status, onLegFailure, orders }: Execution): boolean {
  return (
    (status === 'FAILED' || status === 'CANCELLED') &&
    onLegFailure === 'UNWIND' &&
    orders.every(({ errorCode }) => errorCode !== 'NEEDS_REVIEW') &&
    orders.some(({ filledQuantity }) => filledQuantity !== '0')
  );
}

/** @param listed executions, which include those that follow the close */
export function followersIn(
  listed: readonly Execution[],
  closing: Execution,
): Pick<AfterClose, 'opening' | 'unwinding'> {
  const childOf = (parent: Execution | null) =>
    listed.find(({ parentId }) => parent !== null && parentId === parent.id) ?? null;
  const opening = childOf(closing);
  return { opening, unwinding: childOf(opening) };
}

/** @param closing a completed close */
export function ofReversal(closing: Execution, account: AccountOut, after: AfterClose): Outcome {
  const { opening, unwinding, opposite } = after;
  const whole = ofExecution(closing, account, null);
  if (opening === null) {
    return outcomeOf({
      ...whole,
      outcome: 'FAILED_PARTLY_TRADED',
      held_now: [],
      reason: 'The position had been closed outside Tandem: no opposite position is opened',
      next: 'Look at list_positions.',
    });
  }
  const both = {
    ...whole,
    asked: `${whole.asked}; then open the opposite`,
    legs: [...legsOf(closing, 'to close'), ...legsOf(opening, 'to open the opposite')],
    position_id: opening.positionId ?? closing.positionId,
  };
  const { outcome } = judged(opening);
  if (outcome === 'UNKNOWN') {
    const reason = `The position is closed. Nobody can say yet whether execution ${opening.id} opened its opposite`;
    return withNext({ ...both, outcome, reason });
  }
  if (!hasEnded(opening) || (unwinding !== null && !hasEnded(unwinding))) {
    const runs =
      unwinding === null
        ? `execution ${opening.id} opens its opposite`
        : `execution ${opening.id}, which opens its opposite, failed, and execution ${unwinding.id} closes its fills again`;
    const next = `The position is closed, and ${runs}. Call wait_for with this id. Do not send it again.`;
    return outcomeOf({ ...both, outcome: 'ACCEPTED_NOT_FILLED', next });
  }
  const held = { held_now: heldOf(opposite) ?? [] };
  if (outcome === 'FILLED') return withNext({ ...both, ...held, outcome });
  return withNext({ ...both, ...held, outcome: 'FAILED_PARTLY_TRADED', ...failureOf(opening, unwinding) });
}

function legsOf({ orders }: Execution, purpose: string): Outcome['legs'] {
  return orders.map((order) => {
    const leg = legOf(order);
    return { ...leg, asked: `${leg.asked} ${purpose}` };
  });
}

function failureOf(opening: Execution, unwinding: Execution | null): Words {
  const { reason, untrusted_text } = venueWords(opening.error, opening.errorCode);
  const why = reason ?? opening.status.toLowerCase();
  const failed = `The position is closed, and execution ${opening.id}, which was to open its opposite, ended as ${opening.status}: ${why}`;
  if (unwinding === null) return { reason: failed, untrusted_text };
  const isClosed = unwinding.status === 'COMPLETED';
  const rest = isClosed
    ? `Its fills were closed again by execution ${unwinding.id}`
    : `Its fills could not all be closed again by execution ${unwinding.id}`;
  return { reason: `${failed}. ${rest}`, untrusted_text };
}

/** The outcome with the next step of its word. */
function withNext({ next: _, ...told }: Outcome): Outcome {
  return outcomeOf(told);
}
