/** Schedules: the header of a schedule in one table, its slices in another. */
import type { Schedule } from '../domain/schedule.ts';
import type { ScheduleSummary } from '../domain/schedule-summary.ts';
import type { RestingStore } from '../engine/ports/store.ts';
import type { StoredSlice } from '../engine/ports/unit-of-work.ts';
import { type RestingList, restingPage } from './resting-page.ts';
import { ofAccount, type Reads } from './rows/prepared-reads.ts';
import { fixed, flag, integer, json, key, nullable, owned, table, text } from './rows/table-entity.ts';

/** Headers with the summary of their slices that lists show, so that a list reads no slice. */
export const scheduleEntity = table<ScheduleSummary>('schedules', {
  ...owned,
  basketKey: fixed(text('basket_key')),
  kind: fixed(text('kind')),
  positionId: nullable(text('position_id')),
  fraction: nullable(fixed(text('fraction'))),
  legs: fixed(json('legs')),
  ledger: json('ledger'),
  durationSeconds: fixed(integer('duration_seconds')),
  intervalSeconds: fixed(integer('interval_seconds')),
  randomize: fixed(flag('randomize')),
  slippage: fixed(text('slippage')),
  onLegFailure: fixed(text('on_leg_failure')),
  limitRatio: nullable(fixed(text('limit_ratio'))),
  missedSlicePolicy: fixed(text('missed_slice_policy')),
  takeProfit: nullable(json('take_profit')),
  stopLoss: nullable(json('stop_loss')),
  afterBracket: fixed(text('after_bracket')),
  reduceOnly: fixed(flag('reduce_only')),
  clientId: nullable(fixed(text('client_id'))),
  status: text('status'),
  pauseReason: nullable(text('pause_reason')),
  pausedBy: nullable(text('paused_by')),
  averageRatio: nullable(text('average_ratio')),
  error: nullable(text('error')),
  sliceCount: fixed(integer('slice_count')),
  slicesCompleted: integer('slices_completed'),
  nextSliceAt: nullable(integer('next_slice_at')),
  authorityKind: nullable(text('authority_kind')),
  authorityId: nullable(text('authority_id')),
  createdAt: fixed(integer('created_at')),
  updatedAt: integer('updated_at'),
});

/** One row per slice, so that sending a slice rewrites its row and not those of thousands of others. */
export const sliceEntity = table<StoredSlice>('slices', {
  scheduleId: key(text('schedule_id')),
  index: key(integer('slice_index')),
  scheduledAt: integer('scheduled_at'),
  executedAt: nullable(integer('executed_at')),
  status: text('status'),
  executionId: nullable(text('execution_id')),
  legs: nullable(json('legs')),
  filledUsd: text('filled_usd'),
  error: nullable(text('error')),
});

export const SCHEDULES: RestingList = {
  entity: scheduleEntity,
  live: ['ACTIVE', 'PAUSED'],
  condition: "status IN ('ACTIVE', 'PAUSED')",
};

export function slicesOf({ id, slices }: Schedule): readonly StoredSlice[] {
  return slices.map((slice) => ({ ...slice, scheduleId: id }));
}

/** @param slices slices of any of the schedules, ordered by index */
function withSlices(
  summaries: readonly ScheduleSummary[],
  slices: readonly StoredSlice[],
): readonly Schedule[] {
  const bySchedule = new Map<string, Schedule['slices'][number][]>(summaries.map(({ id }) => [id, []]));
  for (const { scheduleId, ...slice } of slices) bySchedule.get(scheduleId)?.push(slice);
  return summaries.map(({ sliceCount, slicesCompleted, nextSliceAt, ...header }) => ({
    ...header,
    slices: bySchedule.get(header.id) ?? [],
  }));
}

export function scheduleReads({ one, select, lists }: Reads) {
  const scheduleById = one(scheduleEntity, 'WHERE id = ?');
  const running = select(scheduleEntity, `INDEXED BY schedules_live WHERE status IN ('ACTIVE', 'PAUSED')`);
  const endedWithSliceOnItsWay = select(
    scheduleEntity,
    `WHERE status NOT IN ('ACTIVE', 'PAUSED')
       AND id IN (SELECT schedule_id FROM slices WHERE status = 'EXECUTING')`,
  );
  const slicesById = select(
    sliceEntity,
    'WHERE schedule_id IN (SELECT value FROM json_each(?)) ORDER BY schedule_id, slice_index',
  );

  async function complete(summaries: readonly ScheduleSummary[]) {
    if (summaries.length === 0) return [];
    return withSlices(summaries, await slicesById(JSON.stringify(summaries.map(({ id }) => id))));
  }

  return {
    async schedule(tradeAccountId, id) {
      const found = ofAccount(await scheduleById(id), tradeAccountId);
      return found === null ? null : ((await complete([found]))[0] ?? null);
    },
    schedules: async (filter, page) => restingPage<ScheduleSummary>(await lists(), SCHEDULES, filter, page),
    async liveSchedules() {
      const found = [...(await running()), ...(await endedWithSliceOnItsWay())];
      found.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
      return complete(found);
    },
  } satisfies Partial<RestingStore>;
}
