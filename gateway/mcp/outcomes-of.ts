/** Outcomes from answers of routes: executions, triggers, schedules, ladders, orders, positions. Pure. */

import { dec, textRounded } from '../domain/decimal.ts';
import { crossingWords } from '../words/conditions.ts';
import type { Answer } from './ask.ts';
import type { AccountOut } from './fields.ts';
import { type Outcome, type OutcomeName, outcomeOf } from './outcome.ts';
import { transformWords } from './trade-fields.ts';
import { venueWords, type Words } from './venue-words.ts';

export type Execution = Answer<'GET /executions/:id'>['execution'];
export type Trigger = Answer<'GET /triggers/:id'>;
export type Schedule = Answer<'GET /schedules/:id'>;
export type Ladder = Answer<'GET /ladders/:ladderId'>;
export type Position = Answer<'GET /positions/:id'>;
export type Order = Answer<'GET /orders/:id'>;
type ExecutionOrder = Execution['orders'][number];
type AskedLeg = Trigger['legs'][number];

/** Codes of orders with an unknown outcome. */
const UNSETTLED = new Set(['UNKNOWN_OUTCOME', 'NEEDS_REVIEW']);

export function askedAmount({ mode, amount }: { readonly mode: string; readonly amount: string }): string {
  if (mode === 'USD') return `${amount} USD`;
  return mode === 'BASE' ? `${amount} base units` : `a weight of ${amount}`;
}

export function legOf(order: ExecutionOrder): Outcome['legs'][number] {
  const { symbol, side, filledQuantity, averagePrice, error } = order;
  return {
    instrument: symbol,
    side,
    asked: askedAmount(order),
    filled_base: filledQuantity,
    average_price_usd: averagePrice,
    problem: venueWords(error, order.errorCode).reason,
  };
}

function restingLegs(legs: readonly AskedLeg[], filled: Trigger['filled']): Outcome['legs'] {
  return legs.map((leg) => {
    const { quantity = '0', notional = '0' } = filled.find(({ symbol }) => symbol === leg.symbol) ?? {};
    return {
      instrument: leg.symbol,
      side: leg.side,
      asked: askedAmount(leg),
      filled_base: quantity,
      average_price_usd: quantity === '0' ? null : textRounded(dec(notional).div(quantity), 12),
      problem: null,
    };
  });
}

export function legsInWords(
  legs: readonly {
    readonly symbol: string;
    readonly side: string;
    readonly mode: string;
    readonly amount: string;
  }[],
): string {
  return legs
    .map((leg) => `${leg.side === 'BUY' ? 'LONG' : 'SHORT'} ${askedAmount(leg)} ${leg.symbol}`)
    .join(', ');
}

const INTENT: Readonly<Record<Execution['intent'], string>> = {
  OPEN: 'open',
  ADJUST: 'add to',
  REDUCE: 'reduce',
  CLOSE: 'close',
  REVERSE: 'close, to reverse',
};

export function heldOf(position: Pick<Position, 'legs'> | null): Outcome['held_now'] {
  if (position === null) return null;
  return position.legs
    .filter(({ quantity }) => quantity !== '0')
    .map(({ symbol, side, quantity }) => ({ instrument: symbol, side, quantity_base: quantity }));
}

/** @param position the changed position as it is now; null: there is none, or it is not known */
export function ofExecution(execution: Execution, account: AccountOut, position: Position | null): Outcome {
  const { outcome, moved } = judged(execution);
  return outcomeOf({
    outcome,
    money_moved: moved,
    kind: 'execution',
    id: execution.id,
    account,
    asked: `${INTENT[execution.intent]} at market: ${legsInWords(execution.orders)}`,
    legs: execution.orders.map(legOf),
    held_now: heldOf(position),
    position_id: execution.positionId,
    ...venueWords(execution.error, execution.errorCode),
    placed_by: execution.authority.name,
  });
}

export function judged({ status, orders }: Execution): {
  readonly outcome: OutcomeName;
  readonly moved: Outcome['money_moved'];
} {
  const isTraded = orders.some(({ filledQuantity }) => filledQuantity !== '0');
  const isOpen = (order: ExecutionOrder) => order.status === 'PENDING' || order.status === 'PARTIAL';
  const isUnsettled = orders.some((order) => isOpen(order) && UNSETTLED.has(order.errorCode ?? ''));
  if (isUnsettled) return { outcome: 'UNKNOWN', moved: isTraded ? 'yes' : 'not_known' };
  switch (status) {
    case 'IDLE':
      return { outcome: 'ACCEPTED_NOT_FILLED', moved: 'no' };
    case 'ACTIVE':
      return isTraded
        ? { outcome: 'PARTLY_FILLED', moved: 'yes' }
        : { outcome: 'ACCEPTED_NOT_FILLED', moved: 'not_known' };
    case 'COMPLETED':
      return { outcome: 'FILLED', moved: 'yes' };
    case 'CANCELLED':
      return { outcome: 'CANCELLED', moved: isTraded ? 'yes' : 'no' };
    case 'FAILED':
      return isTraded
        ? { outcome: 'FAILED_PARTLY_TRADED', moved: 'yes' }
        : { outcome: 'FAILED_NOTHING_TRADED', moved: 'no' };
  }
}

const TRIGGER_OUTCOME: Readonly<Record<Trigger['status'], OutcomeName>> = {
  ACTIVE: 'RESTING',
  PAUSED: 'RESTING',
  TRIGGERED: 'ACCEPTED_NOT_FILLED',
  COMPLETED: 'FILLED',
  PARTIALLY_COMPLETED: 'FAILED_PARTLY_TRADED',
  FAILED: 'FAILED_NOTHING_TRADED',
  CANCELLED: 'CANCELLED',
  EXPIRED: 'EXPIRED',
};

/** @param led outcome of the execution that it led to; null: none yet */
export function ofTrigger(trigger: Trigger, account: AccountOut, led: Outcome | null): Outcome {
  const outcome = led === null ? TRIGGER_OUTCOME[trigger.status] : led.outcome;
  return outcomeOf({
    outcome,
    money_moved: led?.money_moved ?? 'no',
    kind: 'trigger',
    id: trigger.id,
    account,
    asked: `${triggerWords(trigger)}: ${trigger.kind === 'CLOSE' ? `close ${trigger.fraction ?? '1'} of the position` : legsInWords(trigger.legs)}`,
    legs: led?.legs ?? restingLegs(trigger.legs, trigger.filled),
    held_now: led?.held_now ?? null,
    position_id: trigger.positionId,
    ...(trigger.error === null && led !== null
      ? { reason: led.reason, untrusted_text: led.untrusted_text }
      : restingWords(trigger)),
    placed_by: trigger.authority.name,
  });
}

function triggerWords({ condition, bracket, bracketType, priceSource }: Trigger): string {
  if (condition !== null) {
    const where = 'symbol' in condition ? ` of ${condition.symbol}` : '';
    const of = 'transform' in condition ? transformWords(condition.transform, condition.lookback) : '';
    return `when ${of}${condition.type}${where} (${priceSource}) ${crossingWords(condition.direction)} ${condition.value}`;
  }
  const kind = bracketType === 'TAKE_PROFIT' ? 'take-profit' : 'stop-loss';
  if (bracket === null) return kind;
  const { transform, lookback, type, value, level } = bracket;
  const now = level === null || level.replace('-', '') === value ? '' : `, now ${level} for the present size`;
  return `${kind} at ${transformWords(transform, lookback)}${type} ${value}${now}`;
}

function restingWords({
  error,
  status,
  pauseReason,
}: Readonly<Record<'error' | 'pauseReason', string | null>> & { readonly status: string }): Words {
  const { reason, untrusted_text } = venueWords(error);
  return { reason: pausedWords(status, pauseReason) ?? reason, untrusted_text };
}

function pausedWords(status: string, reason: string | null): string | null {
  return status === 'PAUSED'
    ? `It is paused (${reason ?? 'USER'}) and watches nothing until it is resumed`
    : null;
}

const SCHEDULE_OUTCOME: Readonly<Record<Schedule['status'], OutcomeName>> = {
  ACTIVE: 'RESTING',
  PAUSED: 'RESTING',
  COMPLETED: 'FILLED',
  PARTIALLY_COMPLETED: 'PARTLY_FILLED',
  STOPPED_BY_BRACKET: 'CANCELLED',
  CANCELLED: 'CANCELLED',
  FAILED: 'FAILED_NOTHING_TRADED',
};

export function ofSchedule(schedule: Omit<Schedule, 'slices'>, account: AccountOut): Outcome {
  const isTraded = schedule.filledUsd !== '0';
  const outcome =
    isTraded && schedule.status === 'FAILED' ? 'FAILED_PARTLY_TRADED' : SCHEDULE_OUTCOME[schedule.status];
  const done = `${schedule.slicesCompleted} of ${schedule.sliceCount} slices, ${schedule.filledUsd} of ${schedule.totalUsd} USD`;
  return outcomeOf({
    outcome,
    money_moved: isTraded ? 'yes' : 'no',
    kind: 'schedule',
    id: schedule.id,
    account,
    asked: `over ${schedule.durationSeconds} seconds: ${schedule.kind === 'CLOSE' ? `close ${schedule.fraction ?? '1'} of the position` : legsInWords(schedule.legs)} (so far ${done})`,
    legs: restingLegs(schedule.legs, schedule.filled),
    position_id: schedule.positionId,
    ...restingWords(schedule),
    placed_by: schedule.authority.name,
  });
}

const LADDER_OUTCOME: Readonly<Record<Ladder['status'], OutcomeName>> = {
  ACTIVE: 'RESTING',
  COMPLETED: 'FILLED',
  PARTIALLY_COMPLETED: 'PARTLY_FILLED',
  CANCELLED: 'CANCELLED',
  FAILED: 'FAILED_NOTHING_TRADED',
  EXPIRED: 'EXPIRED',
};

export function ofLadder(ladder: Ladder, account: AccountOut): Outcome {
  return outcomeOf({
    outcome: LADDER_OUTCOME[ladder.status],
    money_moved: ladder.filled.some(({ quantity }) => quantity !== '0') ? 'yes' : 'no',
    kind: 'ladder',
    id: ladder.id,
    account,
    asked: `a ladder of ${ladder.levels} levels from ${ladder.start} to ${ladder.end}: ${legsInWords(ladder.legs)} (${ladder.filledLevels} filled so far)`,
    legs: restingLegs(ladder.legs, ladder.filled),
    placed_by: ladder.authority.name,
  });
}

const ORDER_OUTCOME: Readonly<Record<Order['status'], OutcomeName>> = {
  PENDING: 'ACCEPTED_NOT_FILLED',
  PARTIAL: 'PARTLY_FILLED',
  FILLED: 'FILLED',
  CANCELLED: 'CANCELLED',
  REJECTED: 'FAILED_NOTHING_TRADED',
};

export function ofOrder(order: Order, account: AccountOut): Outcome {
  const isTraded = order.filledQuantity !== '0';
  const isUnsettled =
    ORDER_OUTCOME[order.status] === 'ACCEPTED_NOT_FILLED' && UNSETTLED.has(order.errorCode ?? '');
  return outcomeOf({
    outcome: isUnsettled ? 'UNKNOWN' : ORDER_OUTCOME[order.status],
    money_moved: isTraded ? 'yes' : order.status === 'PENDING' ? 'not_known' : 'no',
    kind: 'order',
    id: order.id,
    account,
    asked: legsInWords([order]),
    legs: [legOf(order)],
    position_id: order.positionId,
    ...venueWords(order.error, order.errorCode),
  });
}

export function ofPosition(position: Position, account: AccountOut): Outcome {
  const isOpen = position.status === 'OPEN';
  const isLegMissing = isOpen && position.legs.some(({ quantity }) => quantity === '0');
  return outcomeOf({
    outcome: isLegMissing ? 'PARTLY_FILLED' : 'FILLED',
    money_moved: 'yes',
    kind: 'position',
    id: position.id,
    account,
    asked: `a position that is ${isOpen ? `OPEN, gross ${position.grossNotional} USD` : 'CLOSED'}, net ${position.netPnl} USD after fees and funding`,
    held_now: isOpen ? heldOf(position) : [],
    position_id: position.id,
    next: isOpen ? 'preview_change closes or changes it.' : 'Nothing needs to be done.',
  });
}

export type Approval = Answer<'GET /approvals/mine/:id'>;

const APPROVAL_OUTCOME: Readonly<Record<Approval['status'], OutcomeName>> = {
  PENDING: 'WAITING_FOR_USER',
  // Fallback: the outcome of the approved order is given instead where it can be found.
  APPROVED: 'ACCEPTED_NOT_FILLED',
  DENIED: 'DENIED',
  EXPIRED: 'EXPIRED',
  WITHDRAWN: 'CANCELLED',
};

export function ofApproval(approval: Approval, account: AccountOut): Outcome {
  const { id, status, kind, plan, expiresAt, route } = approval;
  const isProtection = kind === 'protect';
  const legs = plan.legs.map(({ symbol, side, quantity }) => {
    return `${side === 'BUY' ? 'LONG' : 'SHORT'} ${quantity ?? '?'} base units ${symbol}`;
  });
  return outcomeOf({
    // A change of protection is done with the approval, and trades nothing.
    outcome: isProtection && status === 'APPROVED' ? 'RESTING' : APPROVAL_OUTCOME[status],
    money_moved: status === 'APPROVED' && !isProtection ? 'not_known' : 'no',
    kind: 'approval',
    id,
    account,
    asked: `${route}: ${[...legs, ...plan.loosens].join(', ')}`,
    approval: { id, expires_at: expiresAt },
    reason: approval.withdrawnBecause,
  });
}
