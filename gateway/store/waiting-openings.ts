/** Waiting objects of a grant that could open a position. Read only when an agent is disconnected, so unindexed. */
import type { RestingStore, WaitingOpenings, WaitingThing } from '../engine/ports/store.ts';
import type { Reads } from './rows/prepared-reads.ts';

const PLACED_BY = `authority_kind = 'oauth_grant' AND authority_id = ?`;

const WAITING_OPENINGS_SQL: Readonly<Record<keyof WaitingOpenings, string>> = {
  triggers: `SELECT id, trade_account_id FROM triggers INDEXED BY triggers_live
    WHERE status IN ('ACTIVE', 'PAUSED', 'TRIGGERED') AND status <> 'TRIGGERED'
      AND kind = 'OPEN' AND ladder_id IS NULL AND ${PLACED_BY}`,
  ladders: `SELECT id, trade_account_id FROM ladders INDEXED BY ladders_live
    WHERE status = 'ACTIVE' AND ${PLACED_BY}`,
  schedules: `SELECT id, trade_account_id FROM schedules INDEXED BY schedules_live
    WHERE status IN ('ACTIVE', 'PAUSED') AND kind = 'OPEN' AND ${PLACED_BY}`,
  autoRebalances: `SELECT position_id AS id, trade_account_id FROM auto_rebalances INDEXED BY auto_rebalances_live
    WHERE status IN ('ACTIVE', 'PAUSED') AND action = 'TRADE' AND ${PLACED_BY}`,
};

export function waitingOpeningReads({ all }: Reads) {
  return {
    async waitingOpenings(grantId) {
      const read = async (kind: keyof WaitingOpenings): Promise<readonly WaitingThing[]> =>
        (await all(WAITING_OPENINGS_SQL[kind], [grantId])).map((row) => ({
          id: String(row['id']),
          tradeAccountId: String(row['trade_account_id']),
        }));
      return {
        triggers: await read('triggers'),
        ladders: await read('ladders'),
        schedules: await read('schedules'),
        autoRebalances: await read('autoRebalances'),
      };
    },
  } satisfies Partial<RestingStore>;
}
