import type { z } from 'zod';
import type { schedule, scheduleSummary, slice } from '../../contract/schedules.ts';
import { modeOf } from '../../domain/position-setup.ts';
import type { Schedule, Slice } from '../../domain/schedule.ts';
import { type ScheduleSummary, summaryOf } from '../../domain/schedule-summary.ts';
import { scheduleProgress } from '../../domain/slicing.ts';
import type { NamePlaced } from './authority.ts';
import { presentBracketOrNull } from './bracket.ts';
import { presentLeg } from './leg.ts';
import { iso, isoOrNull } from './time.ts';

export function presentScheduleSummary(
  value: ScheduleSummary,
  name: NamePlaced,
): z.input<typeof scheduleSummary> {
  return {
    id: value.id,
    connector: value.connector,
    tradeAccountId: value.tradeAccountId,
    basketKey: value.basketKey,
    kind: value.kind,
    positionId: value.positionId,
    legs: value.legs.map(presentLeg),
    fraction: value.fraction,
    durationSeconds: value.durationSeconds,
    intervalSeconds: value.intervalSeconds,
    randomize: value.randomize,
    slippage: value.slippage,
    limitRatio: value.limitRatio,
    missedSlicePolicy: value.missedSlicePolicy,
    takeProfit: presentBracketOrNull('TAKE_PROFIT', value.takeProfit),
    stopLoss: presentBracketOrNull('STOP_LOSS', value.stopLoss),
    brackets: modeOf(value),
    reduceOnly: value.reduceOnly,
    clientId: value.clientId,
    authority: name(value),
    status: value.status,
    pauseReason: value.pauseReason,
    ...scheduleProgress(value.ledger),
    sliceCount: value.sliceCount,
    slicesCompleted: value.slicesCompleted,
    nextSliceAt: isoOrNull(value.nextSliceAt),
    averageRatio: value.averageRatio,
    error: value.error,
    createdAt: iso(value.createdAt),
    updatedAt: iso(value.updatedAt),
  };
}

export function presentSchedule(value: Schedule, name: NamePlaced): z.input<typeof schedule> {
  return { ...presentScheduleSummary(summaryOf(value), name), slices: value.slices.map(presentSlice) };
}

function presentSlice(value: Slice): z.input<typeof slice> {
  return {
    index: value.index,
    scheduledAt: iso(value.scheduledAt),
    executedAt: isoOrNull(value.executedAt),
    status: value.status,
    executionId: value.executionId,
    filledUsd: value.filledUsd,
    error: value.error,
  };
}

/** JSON text of a schedule that was just made. */
export function scheduleJson(name: NamePlaced): (value: Schedule) => string {
  return (value) => JSON.stringify(presentSchedule(value, name));
}
