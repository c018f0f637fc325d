/** Reads of triggers, singly and as lists; `trigger-row.ts` describes their rows. */
import type { TriggerStatus } from '../domain/trigger.ts';
import type { RestingStore } from '../engine/ports/store.ts';
import { eachLiveTrigger, LIVE_TRIGGER_COUNT_SQL } from './live-triggers.ts';
import { type RestingList, restingPage } from './resting-page.ts';
import { ofAccount, type Reads } from './rows/prepared-reads.ts';
import { asTrigger, type TriggerRow, triggerEntity } from './trigger-row.ts';

export const TRIGGERS: RestingList = {
  entity: triggerEntity,
  live: ['ACTIVE', 'PAUSED', 'TRIGGERED'],
  condition: "status IN ('ACTIVE', 'PAUSED', 'TRIGGERED')",
};

const ALERT_TIMES_SQL = `SELECT created_at FROM triggers INDEXED BY triggers_by_account
  WHERE trade_account_id IN (SELECT id FROM trade_accounts WHERE user_id = ?) AND created_at > ?
    AND kind = 'ALERT' AND authority_id = ? ORDER BY created_at`;

export function triggerReads({ all, one, select, lists }: Reads) {
  const triggerById = one(triggerEntity, 'WHERE id = ?');
  const triggersById = select(triggerEntity, 'WHERE id IN (SELECT value FROM json_each(?))');
  const rungTriggers = select(triggerEntity, 'WHERE ladder_id = ? ORDER BY rung_index');
  // Used for late fills alone, so that no index is kept for it.
  const ofExecution = select(
    triggerEntity,
    'INDEXED BY triggers_by_account WHERE trade_account_id = ? AND created_at <= ? AND execution_id = ?',
  );
  return {
    async trigger(tradeAccountId, id) {
      const row = ofAccount(await triggerById(id), tradeAccountId);
      return row === null ? null : asTrigger(row);
    },
    async triggers(filter, page) {
      const { rows, next } = await restingPage<TriggerRow>(await lists(), TRIGGERS, filter, page);
      return { rows: rows.map(asTrigger), next };
    },
    triggersByIds: async (ids) =>
      ids.length === 0 ? [] : (await triggersById(JSON.stringify(ids))).map(asTrigger),
    triggersOfLadder: async (ladderId) => (await rungTriggers(ladderId)).map(asTrigger),
    async triggerOfExecution({ id, tradeAccountId, createdAt }) {
      const [row] = await ofExecution(tradeAccountId, createdAt, id);
      return row === undefined ? null : asTrigger(row);
    },
    async rungStatuses(ladderIds) {
      if (ladderIds.length === 0) return new Map();
      const rows = await all(
        'SELECT id, status FROM triggers WHERE ladder_id IN (SELECT value FROM json_each(?))',
        [JSON.stringify(ladderIds)],
      );
      return new Map(rows.map((row) => [String(row['id']), row['status'] as TriggerStatus]));
    },
    async rungFills(ladderIds) {
      if (ladderIds.length === 0) return new Map();
      const rows = await all(
        `SELECT id, filled FROM triggers
         WHERE ladder_id IN (SELECT value FROM json_each(?)) AND filled <> '[]'`,
        [JSON.stringify(ladderIds)],
      );
      return new Map(rows.map((row) => [String(row['id']), JSON.parse(String(row['filled']))]));
    },
    alertTimes: async (userId, authorityId, since) =>
      (await all(ALERT_TIMES_SQL, [userId, since, authorityId])).map((row) => Number(row['created_at'])),
    liveTriggerCount: async () => Number((await all(LIVE_TRIGGER_COUNT_SQL, []))[0]?.['count']),
    eachLiveTrigger: (take, damaged) => eachLiveTrigger(all, take, damaged),
  } satisfies Partial<RestingStore>;
}
