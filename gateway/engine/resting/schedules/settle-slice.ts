/** Pure: a schedule after one of its slices' executions has ended. */
import { dec, sum, text, textRounded } from '../../../domain/decimal.ts';
import type { Execution } from '../../../domain/model.ts';
import {
  isRunningSchedule,
  moveSlice,
  moveSlices,
  pauseSchedule,
  type Schedule,
  type Slice,
} from '../../../domain/schedule.ts';
import { averageRatio, furthestBehind, settledUsd, settleLeg } from '../../../domain/slicing.ts';
import type { VenueFill } from '../../ports/venue.ts';
import { concluded, openLegs, type SliceFacts } from './next-slice.ts';

/** In slices: legs that are further apart are so by more than rounding and the fills of one slice. */
const ONE_SLICE = dec('1.05');
/** In slices: a leg that was behind by as much was to catch up. */
const WAS_BEHIND = dec('0.5');

/**
 * Enters the fills into the ledger and ends the slice; if nothing is left to trade, the schedule ends too. What did
 * not fill stays in the ledger's remaining amount. `facts` are those after the execution.
 */
export function settleSlice(schedule: Schedule, ended: Execution, facts: SliceFacts, now: number): Schedule {
  const slice = schedule.slices.find(({ executionId }) => executionId === ended.id);
  if (slice === undefined || slice.status !== 'EXECUTING') return schedule;
  const fills = (slice.legs ?? []).flatMap((leg) => {
    const order = ended.orders.find(({ symbol }) => symbol === leg.symbol);
    const ledger = schedule.ledger.find(({ symbol }) => symbol === leg.symbol);
    if (order === undefined || ledger === undefined) return [];
    return [{ leg, ledger, quantity: order.filledQuantity, price: order.averagePrice }];
  });
  const ledger = schedule.ledger.map((row) => {
    const fill = fills.find(({ leg }) => leg.symbol === row.symbol);
    return fill === undefined ? row : settleLeg(row, fill.leg, fill);
  });
  const moved = moveSlice(slice, ended.status === 'COMPLETED' ? 'complete' : 'fail', {
    filledUsd: text(sum(fills.map((fill) => settledUsd(fill.ledger, fill.leg, fill.quantity)))),
    error: ended.error,
  });
  if (!moved.ok) return schedule;
  const settled: Schedule = {
    ...schedule,
    ledger,
    slices: schedule.slices.map((one) => (one === slice ? moved.value : one)),
    averageRatio: averageRatio(schedule.kind, ledger),
    positionId: schedule.positionId ?? ended.positionId,
    updatedAt: now,
  };
  if (!isRunningSchedule(settled)) return settled;
  // An order that a person has to look at may have executed: its amount is not bought again.
  const isDoubtful = ended.orders.some(({ errorCode }) => errorCode === 'NEEDS_REVIEW');
  const after = concluded(settled, facts, isDoubtful ? ended.error : null, now);
  const stuck = isRunningSchedule(after) ? whatIsStuck(schedule, after, ended, facts) : null;
  const paused = stuck === null ? null : pauseSchedule({ ...after, error: stuck }, 'LEG_IMBALANCE', now);
  return paused?.ok === true ? paused.value : after;
}

/** Enters a fill that came after its slice had ended, so that the remaining slices trade as much less. */
export function withLateFill(
  schedule: Schedule,
  executionId: string,
  fill: Pick<VenueFill, 'symbol' | 'quantity' | 'price'>,
  facts: SliceFacts,
  now: number,
): Schedule {
  const { symbol, quantity } = fill;
  const slice = schedule.slices.find((one) => one.executionId === executionId);
  const leg = slice?.legs?.find((one) => one.symbol === symbol);
  const row = schedule.ledger.find((one) => one.symbol === symbol);
  if (slice === undefined || leg === undefined || row === undefined) return schedule;
  const ledger = schedule.ledger.map((one) => (one === row ? settleLeg(row, leg, fill) : one));
  const filledUsd = text(dec(slice.filledUsd).plus(settledUsd(row, leg, quantity)));
  const settled: Schedule = {
    ...schedule,
    ledger,
    slices: schedule.slices.map((one) => (one === slice ? { ...slice, filledUsd } : one)),
    averageRatio: averageRatio(schedule.kind, ledger),
    updatedAt: now,
  };
  return isRunningSchedule(settled) ? concluded(settled, facts, null, now) : settled;
}

/**
 * Why the schedule must not go on by itself, null: it may. A leg is behind, this slice filled nothing of it, and either it
 * was to catch up with the slice or the legs are apart by more than one slice now.
 */
function whatIsStuck(
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
  if (!isStuck) return null;
  const usd = textRounded(by.mul(leg.usdPerUnit), 2);
  const why = order.error === null ? '' : ` (${order.error})`;
  return `${leg.symbol} is ${usd} USD behind the other legs and nothing of it filled${why}. Resume it to try again, cancel it, or close what is held`;
}

/** The schedule with slice `index` EXECUTING, committed with the execution before any order is sent. */
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
