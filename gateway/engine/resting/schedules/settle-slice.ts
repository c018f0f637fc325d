/** Pure: a schedule after the end of a slice's execution, or of a slice's unwind. */
import { dec, sum, text, textRounded } from '../../../domain/decimal.ts';
import { unwoundOf } from '../../../domain/filled.ts';
import { furthestBehind } from '../../../domain/legs-in-step.ts';
import type { Execution, Order } from '../../../domain/model.ts';
import {
  isRunningSchedule,
  type LegLedger,
  moveSlice,
  moveSlices,
  pauseSchedule,
  type Schedule,
  type Slice,
  type SliceLeg,
} from '../../../domain/schedule.ts';
import { averageRatio, type LegFill, legFill, settledUsd, settleLeg } from '../../../domain/slicing.ts';
import { isUnwound } from '../../execution/unwind.ts';
import type { VenueFill } from '../../ports/venue.ts';
import { concluded, openLegs, type SliceFacts } from './next-slice.ts';

/** Gap in slices above which legs are apart by more than rounding and the fills of one slice. */
const ONE_SLICE = dec('1.05');
/** Gap in slices from which a leg should have caught up with the slice. */
const WAS_BEHIND = dec('0.5');

/**
 * Enters the fills into the ledger and ends the slice; if nothing is left to trade, the schedule ends too. Unfilled
 * amounts stay in the ledger's remaining amount. A slice being unwound stays EXECUTING until `settleUnwind`. `facts`
 * are those after the execution.
 */
export function settleSlice(schedule: Schedule, ended: Execution, facts: SliceFacts, now: number): Schedule {
  const slice = schedule.slices.find(({ executionId }) => executionId === ended.id);
  if (slice === undefined || slice.status !== 'EXECUTING') return schedule;
  const fills = fillsOf(schedule, slice, (leg) => {
    const order = ended.orders.find(({ symbol }) => symbol === leg.symbol);
    if (order === undefined) return null;
    return legFill(schedule.kind, leg, { quantity: order.filledQuantity, price: order.averagePrice });
  });
  const unwinds = isUnwound(ended);
  const moved = moveSlice(slice, unwinds ? 'unwind' : ended.status === 'COMPLETED' ? 'complete' : 'fail', {
    filledUsd: usdOf(fills),
    error: ended.error,
    ...(unwinds ? { legs: withUnwound(slice, fills) } : {}),
  });
  if (!moved.ok) return schedule;
  const positionId =
    schedule.kind === 'OPEN' ? (ended.positionId ?? schedule.positionId) : schedule.positionId;
  const settled = { ...withFills(schedule, slice, moved.value, fills, now), positionId };
  if (unwinds || !isRunningSchedule(settled)) return settled;
  // An order that needs review may have executed, so its amount is not traded again.
  const isDoubtful = ended.orders.some(({ errorCode }) => errorCode === 'NEEDS_REVIEW');
  const after = concluded(settled, facts, isDoubtful ? ended.error : null, now);
  return stopped(after, isRunningSchedule(after) ? whyStuck(schedule, after, ended, facts) : null, now);
}

/**
 * Takes the quantity closed by a slice's unwind out of the ledger, and ends the slice. Pauses the schedule if some of
 * the slice is still held, or if the previous slice was unwound too: opening and closing again costs fees.
 */
export function settleUnwind(
  schedule: Schedule,
  unwind: Execution,
  facts: SliceFacts,
  now: number,
): Schedule {
  const slice = schedule.slices.find(({ executionId }) => executionId === unwind.parentId);
  if (slice === undefined || slice.status !== 'EXECUTING') return schedule;
  const closed = fillsOf(schedule, slice, ({ symbol, unwound }) => {
    const order = unwind.orders.find((one) => one.symbol === symbol);
    if (order === undefined || unwound === undefined) return null;
    const quantity = text(unwoundOf(unwound.quantity, order).neg());
    return { quantity, outside: '0', price: unwound.price };
  });
  const filledUsd = text(dec(slice.filledUsd).plus(usdOf(closed)));
  const moved = moveSlice(slice, 'fail', { filledUsd });
  if (!moved.ok) return schedule;
  const settled = withFills(schedule, slice, moved.value, closed, now);
  if (!isRunningSchedule(settled)) return settled;
  const after = concluded(settled, facts, null, now);
  return stopped(
    after,
    isRunningSchedule(after) ? whyNotUnwoundAgain(after, slice, unwind, facts) : null,
    now,
  );
}

interface SliceFill extends LegFill {
  readonly leg: SliceLeg;
  readonly ledger: LegLedger;
}

function fillsOf(
  schedule: Schedule,
  slice: Slice,
  fillOf: (leg: SliceLeg) => LegFill | null,
): readonly SliceFill[] {
  return (slice.legs ?? []).flatMap((leg) => {
    const ledger = schedule.ledger.find(({ symbol }) => symbol === leg.symbol);
    const fill = fillOf(leg);
    return ledger === undefined || fill === null ? [] : [{ leg, ledger, ...fill }];
  });
}

function usdOf(fills: readonly SliceFill[]): string {
  return text(sum(fills.map(({ ledger, leg, quantity }) => settledUsd(ledger, leg, quantity))));
}

function withUnwound(slice: Slice, fills: readonly SliceFill[]): Slice['legs'] {
  return (slice.legs ?? []).map((leg) => {
    const { quantity = '0', price = null } = fills.find((fill) => fill.leg === leg) ?? {};
    return { ...leg, unwound: { quantity, price } };
  });
}

function withFills(
  schedule: Schedule,
  slice: Slice,
  moved: Slice,
  fills: readonly SliceFill[],
  now: number,
): Schedule {
  const ledger = schedule.ledger.map((row) => {
    const fill = fills.find(({ leg }) => leg.symbol === row.symbol);
    return fill === undefined ? row : settleLeg(row, fill.leg, fill);
  });
  return {
    ...schedule,
    ledger,
    slices: schedule.slices.map((one) => (one === slice ? moved : one)),
    averageRatio: averageRatio(schedule.kind, ledger),
    updatedAt: now,
  };
}

/** @param why reason to pause the schedule; null: it continues */
function stopped(schedule: Schedule, why: string | null, now: number): Schedule {
  const paused = why === null ? null : pauseSchedule({ ...schedule, error: why }, 'LEG_IMBALANCE', now);
  return paused?.ok === true ? paused.value : schedule;
}

/**
 * Enters a fill that came after its slice had ended, so that the remaining slices trade that much less. `execution` is
 * the slice's, with the fill.
 */
export function withLateFill(
  schedule: Schedule,
  execution: Pick<Execution, 'id' | 'orders'>,
  fill: Pick<VenueFill, 'symbol' | 'quantity' | 'price'>,
  facts: SliceFacts,
  now: number,
): Schedule {
  const { symbol } = fill;
  const slice = schedule.slices.find(({ executionId }) => executionId === execution.id);
  const leg = slice?.legs?.find((one) => one.symbol === symbol);
  const row = schedule.ledger.find((one) => one.symbol === symbol);
  const order = execution.orders.find((one) => one.symbol === symbol);
  if (slice === undefined || leg === undefined || row === undefined || order === undefined) return schedule;
  const late = lateLegFill(schedule.kind, leg, order, fill);
  const ledger = schedule.ledger.map((one) => (one === row ? settleLeg(row, leg, late) : one));
  const filledUsd = text(dec(slice.filledUsd).plus(settledUsd(row, leg, late.quantity)));
  const settled: Schedule = {
    ...schedule,
    ledger,
    slices: schedule.slices.map((one) => (one === slice ? { ...slice, filledUsd } : one)),
    averageRatio: averageRatio(schedule.kind, ledger),
    updatedAt: now,
  };
  return isRunningSchedule(settled) ? concluded(settled, facts, null, now) : settled;
}

/** The part of `fill`, the last one of `order`, by which the slice has filled more than before. */
function lateLegFill(
  kind: Schedule['kind'],
  leg: SliceLeg,
  { filledQuantity }: Pick<Order, 'filledQuantity'>,
  { quantity, price }: Pick<VenueFill, 'quantity' | 'price'>,
): LegFill {
  const after = legFill(kind, leg, { quantity: filledQuantity, price });
  const before = legFill(kind, leg, { quantity: text(dec(filledQuantity).minus(quantity)), price });
  return {
    quantity: text(dec(after.quantity).minus(before.quantity)),
    outside: text(dec(after.outside).minus(before.outside)),
    price,
  };
}

/**
 * Reason to pause the schedule; null: none. A leg is behind and this slice filled none of it. In addition, it should
 * have caught up with this slice, or the legs are now more than one slice apart.
 */
function whyStuck(
  before: Schedule,
  after: Schedule,
  { orders }: Pick<Execution, 'orders'>,
  facts: SliceFacts,
): string | null {
  const now = furthestBehind(after.ledger, openLegs(after, facts));
  if (now === null) return null;
  const { leg, by } = now;
  const order = orders.find(({ symbol }) => symbol === leg.symbol);
  if (order === undefined || !dec(order.filledQuantity).isZero()) return null;
  const inSlices = (amount: typeof by) => amount.mul(after.slices.length).div(leg.total);
  const was = furthestBehind(
    before.ledger,
    before.ledger.filter(({ symbol }) => symbol === leg.symbol),
  );
  const isStuck = inSlices(by).gt(ONE_SLICE) || (was !== null && inSlices(was.by).gte(WAS_BEHIND));
  return isStuck
    ? `${behindText(now)} and nothing of it filled${because(order.error)}. ${HELD_ADVICE}`
    : null;
}

function whyNotUnwoundAgain(
  after: Schedule,
  slice: Slice,
  unwind: Pick<Execution, 'status' | 'error'>,
  facts: SliceFacts,
): string | null {
  const now = furthestBehind(after.ledger, openLegs(after, facts));
  if (unwind.status !== 'COMPLETED' && now !== null && now.by.gt(0)) {
    return `${behindText(now)} and what filled could not be closed again${because(unwind.error)}. ${HELD_ADVICE}`;
  }
  const before = after.slices.findLast(
    ({ index, executionId }) => index < slice.index && executionId !== null,
  );
  if (before?.legs?.some(({ unwound }) => unwound !== undefined) !== true) return null;
  return `Two slices in a row were closed again${because(slice.error)}. Resume it to try again, or cancel it`;
}

const HELD_ADVICE = 'Resume it to try again, cancel it, or close what is held';

function behindText({ leg, by }: NonNullable<ReturnType<typeof furthestBehind>>): string {
  return `${leg.symbol} is ${textRounded(by.mul(leg.usdPerUnit), 2)} USD behind the other legs`;
}

function because(error: string | null): string {
  return error === null ? '' : ` (${error})`;
}

/** Schedule with slice `index` EXECUTING, committed with the execution before any order is sent. */
export function withSliceSent(
  schedule: Schedule,
  index: number,
  sent: Pick<Slice, 'executionId' | 'legs'>,
  now: number,
): Schedule {
  const changes = { ...sent, executedAt: now };
  const slices = moveSlices(schedule.slices, (slice) => slice.index === index, 'execute', changes);
  return { ...schedule, slices, updatedAt: now };
}
