/** Reservations, holdings and results of mandate holders. */
import type { Holding } from '../domain/ownership.ts';
import type { AgentResult, WaitingReservation } from '../engine/ports/reservations.ts';
import type { AgentStore } from '../engine/ports/store.ts';
import { executionEntity, executionOf } from './executions.ts';
import type { Reads } from './rows/prepared-reads.ts';
import { rowDecoder, selectList } from './rows/row-codec.ts';
import { fixed, flag, integer, key, table, text } from './rows/table-entity.ts';

export const reservationEntity = table<WaitingReservation>('agent_reservations', {
  id: key(text('id')),
  what: fixed(text('what')),
  holderKind: fixed(text('holder_kind')),
  holderId: fixed(text('holder_id')),
  userId: fixed(text('user_id')),
  tradeAccountId: fixed(text('trade_account_id')),
  usd: text('usd'),
  asked: fixed(flag('asked')),
  createdAt: fixed(integer('created_at')),
});

export const holdingEntity = table<Holding>('agent_holdings', {
  holderKind: key(text('holder_kind')),
  holderId: key(text('holder_id')),
  positionId: key(text('position_id')),
  symbol: key(text('symbol')),
  userId: fixed(text('user_id')),
  tradeAccountId: fixed(text('trade_account_id')),
  side: fixed(text('side')),
  quantity: text('quantity'),
  cost: text('cost'),
  realised: text('realised'),
  fees: text('fees'),
  funding: text('funding'),
  updatedAt: integer('updated_at'),
});

export const agentResultEntity = table<AgentResult>('agent_results', {
  id: key(text('id')),
  holderKind: fixed(text('holder_kind')),
  holderId: fixed(text('holder_id')),
  usd: fixed(text('usd')),
  at: fixed(integer('at')),
});

/** A resting object counts while its holder is the one that reserved for it, not after its user took it over. */
const WAITS = `EXISTS (
  SELECT 1 FROM triggers t WHERE t.id = r.id AND t.status IN ('ACTIVE', 'PAUSED')
    AND t.pause_reason IS NOT 'AGENT_LIMIT' AND t.authority_id = r.holder_id
  UNION ALL
  SELECT 1 FROM schedules s WHERE s.id = r.id AND s.status IN ('ACTIVE', 'PAUSED')
    AND s.pause_reason IS NOT 'AGENT_LIMIT' AND s.authority_id = r.holder_id)`;

/**
 * Running executions, and those ended or made since. The later of an ended one's two times counts, because a clock that
 * was set back can exchange them.
 */
export const RESERVED_SINCE = `INDEXED BY executions_unfinished WHERE reserved IS NOT NULL AND status IN ('IDLE', 'ACTIVE')
  UNION ALL SELECT ${selectList(executionEntity)} FROM executions INDEXED BY executions_reserved
  WHERE reserved IS NOT NULL AND finished_at IS NOT NULL AND max(created_at, finished_at) > ?1`;

export function agentReads({ all, select }: Reads) {
  const waitingRow = rowDecoder(reservationEntity);
  const executions = select(executionEntity, RESERVED_SINCE);
  const waitingSql = `SELECT ${selectList(reservationEntity)}, ${WAITS} AS waits FROM agent_reservations r
    WHERE created_at > ?1 OR ${WAITS} ORDER BY created_at, id`;
  return {
    async reservations(since) {
      const [ran, waiting] = await Promise.all([executions(since), all(waitingSql, [since])]);
      return {
        executions: ran.map(executionOf),
        waiting: waiting.map((row) => ({ waiting: waitingRow(row), waits: row['waits'] === 1 })),
      };
    },
    holdings: select(holdingEntity, `WHERE position_id IN (SELECT id FROM positions WHERE status = 'OPEN')`),
    async tradedByAgents() {
      const rows = await all(
        'SELECT DISTINCT holder_kind, holder_id, trade_account_id, symbol FROM agent_holdings',
        [],
      );
      return rows.map((row) => ({
        holderKind: row['holder_kind'] as Holding['holderKind'],
        holderId: String(row['holder_id']),
        tradeAccountId: String(row['trade_account_id']),
        symbol: String(row['symbol']),
      }));
    },
    agentResults: select(agentResultEntity, 'WHERE at > ? ORDER BY at, id'),
  } satisfies AgentStore;
}
