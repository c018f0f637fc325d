/** Single rows and live state of what waits: triggers, schedules, ladders, rebalances, position setups. */

import type { ScheduleSummary } from '../domain/schedule-summary.ts';
import type { TriggerStatus } from '../domain/trigger.ts';
import type { RestingStore } from '../engine/ports/store.ts';
import { autoRebalanceEntity } from './entities/auto-rebalance.ts';
import { ladderEntity } from './entities/ladder.ts';
import { positionSetupEntity } from './entities/position-setup.ts';
import { scheduleEntity } from './entities/schedule.ts';
import { sliceEntity } from './entities/slice.ts';
import { asTrigger, triggerEntity } from './entities/trigger.ts';
import { eachLiveTrigger, LIVE_TRIGGER_COUNT_SQL } from './live-triggers.ts';
import type { PreparedReads } from './rows/prepared-reads.ts';
import { withSlices } from './schedule-rows.ts';
import { waitingOpenings } from './waiting-openings.ts';

export type RestingReads = Omit<
  RestingStore,
  'triggers' | 'schedules' | 'ladders' | 'notifications' | 'markNotifications'
>;

export function createRestingReads({ all, select }: Pick<PreparedReads, 'all' | 'select'>): RestingReads {
  const triggerById = select(triggerEntity, 'WHERE id = ?');
  const triggersById = select(triggerEntity, 'WHERE id IN (SELECT value FROM json_each(?))');
  const rungTriggers = select(triggerEntity, 'WHERE ladder_id = ? ORDER BY rung_index');
  const scheduleById = select(scheduleEntity, 'WHERE id = ?');
  const runningSchedules = select(
    scheduleEntity,
    `INDEXED BY schedules_live WHERE status IN ('ACTIVE', 'PAUSED')`,
  );
  const endedWithSliceOnItsWay = select(
    scheduleEntity,
    `WHERE status NOT IN ('ACTIVE', 'PAUSED')
       AND id IN (SELECT schedule_id FROM slices WHERE status = 'EXECUTING')`,
  );
  const slicesOf = select(
    sliceEntity,
    'WHERE schedule_id IN (SELECT value FROM json_each(?)) ORDER BY schedule_id, slice_index',
  );
  const ladderById = select(ladderEntity, 'WHERE id = ?');
  const runningLadders = select(
    ladderEntity,
    `INDEXED BY ladders_live WHERE status = 'ACTIVE' ORDER BY created_at, id`,
  );
  const rebalanceOf = select(autoRebalanceEntity, `WHERE position_id = ? AND status IN ('ACTIVE', 'PAUSED')`);
  const liveRebalances = select(
    autoRebalanceEntity,
    `INDEXED BY auto_rebalances_live WHERE status IN ('ACTIVE', 'PAUSED')`,
  );
  const setupOf = select(positionSetupEntity, 'WHERE execution_id = ?');

  async function complete(summaries: readonly ScheduleSummary[]) {
    if (summaries.length === 0) return [];
    return withSlices(summaries, await slicesOf(JSON.stringify(summaries.map(({ id }) => id))));
  }

  /** The row if it is the account's: another account's is as good as none. */
  function ofAccount<R extends { readonly tradeAccountId: string }>(rows: readonly R[], accountId: string) {
    return rows.filter((row) => row.tradeAccountId === accountId);
  }

  return {
    async trigger(tradeAccountId, id) {
      const [row] = ofAccount(await triggerById(id), tradeAccountId);
      return row === undefined ? null : asTrigger(row);
    },
    triggersByIds: async (ids) =>
      ids.length === 0 ? [] : (await triggersById(JSON.stringify(ids))).map(asTrigger),
    triggersOfLadder: async (ladderId) => (await rungTriggers(ladderId)).map(asTrigger),
    liveTriggerCount: async () => Number((await all(LIVE_TRIGGER_COUNT_SQL, []))[0]?.['count']),
    eachLiveTrigger: (take, damaged) => eachLiveTrigger(all, take, damaged),
    async schedule(tradeAccountId, id) {
      const [found] = await complete(ofAccount(await scheduleById(id), tradeAccountId));
      return found ?? null;
    },
    async liveSchedules() {
      const found = [...(await runningSchedules()), ...(await endedWithSliceOnItsWay())];
      found.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
      return complete(found);
    },
    ladder: async (tradeAccountId, id) => ofAccount(await ladderById(id), tradeAccountId)[0] ?? null,
    async rungStatuses(ladderIds) {
      if (ladderIds.length === 0) return new Map();
      const rows = await all(
        'SELECT id, status FROM triggers WHERE ladder_id IN (SELECT value FROM json_each(?))',
        [JSON.stringify(ladderIds)],
      );
      return new Map(rows.map((row) => [String(row['id']), row['status'] as TriggerStatus]));
    },
    liveLadders: () => runningLadders(),
    autoRebalance: async (positionId) => (await rebalanceOf(positionId))[0] ?? null,
    liveAutoRebalances: () => liveRebalances(),
    positionSetup: async (executionId) => (await setupOf(executionId))[0] ?? null,
    waitingOpenings: (grantId) => waitingOpenings({ all }, grantId),
  };
}
