/** Pure: a schedule after one of its slices' executions has ended. */
import { sum, text } from '../../../domain/decimal.ts';
import type { Execution } from '../../../domain/model.ts';
import {
  isRunningSchedule,
  moveSlice,
  moveSlices,
  type Schedule,
  type Slice,
} from '../../../domain/schedule.ts';
import { averageRatio, settledUsd, settleLeg } from '../../../domain/slicing.ts';
import { concluded, type SliceFacts } from './next-slice.ts';

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
  return isRunningSchedule(settled) ? concluded(settled, facts, null, now) : settled;
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
