/**
 * An account with a year behind it: executions of four legs and ten fills each, ten executions a position, every position
 * closed again, a hundred baskets. Put in by SQL; the totals are made as the migration makes them.
 */
import { portfolioSchema } from '../../gateway/store/migrations/0006-portfolio.ts';
import { openSeedDatabase, seedOrders, uuidV7 } from './seed-orders.ts';

export const EXECUTIONS = 100_000;
export const FILLS = 1_000_000;
export const POSITIONS = 10_000;
const PER_EXECUTION = FILLS / EXECUTIONS;
const PER_POSITION = EXECUTIONS / POSITIONS;
const BASKETS = 100;
const LEGS = 4;
const APART_MS = (365 * 24 * 3_600_000) / EXECUTIONS;
const BATCH = 10_000;

/** The file belongs to a gateway that has ended. `now` in epoch milliseconds. */
export async function seedHistory(file: string, tradeAccountId: string, now: number): Promise<void> {
  await seedOrders(file, tradeAccountId, EXECUTIONS * LEGS, now, APART_MS);
  const { exec, close } = await openSeedDatabase(file);
  await exec(`
    PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; PRAGMA temp_store = MEMORY;
    CREATE TEMP TABLE numbered AS
      SELECT row_number() OVER (ORDER BY created_at, id) - 1 AS i, id, created_at AS at, user_id FROM executions
      WHERE trade_account_id = '${tradeAccountId}';
    CREATE UNIQUE INDEX temp.numbered_by_i ON numbered (i);
    CREATE TEMP TABLE held AS
      SELECT i / ${PER_POSITION} AS p, ${uuidV7('min(at)', '0')} AS id, min(at) AS opened, max(at) + 9 AS closed, user_id
      FROM numbered GROUP BY i / ${PER_POSITION};
    CREATE UNIQUE INDEX temp.held_by_p ON held (p);`);
  for (let from = 0; from < EXECUTIONS; from += BATCH) {
    await exec(`
      WITH RECURSIVE k (k) AS (SELECT 0 UNION ALL SELECT k + 1 FROM k WHERE k < ${PER_EXECUTION - 1})
      INSERT INTO fills
        SELECT ${uuidV7('e.at', 'k')}, '${tradeAccountId}', 'paper', e.id, substr(e.id, 1, 34) || '0' || (k % ${LEGS} + 1),
          h.id, ${symbol('k')}, iif((k % ${LEGS} < 2) = (i % ${PER_POSITION} < ${PER_POSITION / 2}), 'BUY', 'SELL'),
          printf('%d.%d', 100 + i % 7, 1 + k), '0.25', printf('%d.%d', 25 + i % 3, 1 + k), printf('0.011%d', 1 + k),
          'USDC', iif(i % ${PER_POSITION} < ${PER_POSITION / 2}, '0', ${pnl}), 'TAKER', printf('o-%d-%d', i, k % ${LEGS}),
          printf('t-%d-%d', i, k), NULL, 0, 0, e.at + 5, NULL
        FROM numbered e, held h, k
        WHERE i >= ${from} AND i < ${from + BATCH} AND h.p = i / ${PER_POSITION} ORDER BY e.at, k`);
  }
  await exec(`
    INSERT INTO positions
      SELECT id, user_id, '${tradeAccountId}', 'paper', printf('%064x', p % ${BASKETS}), 'CLOSED', 'GATEWAY', '1.25',
        json_array(${Array.from({ length: LEGS }, (_, leg) => positionLeg(leg)).join(', ')}), opened, closed, closed
      FROM held ORDER BY opened;
    DELETE FROM portfolio_totals;
    DELETE FROM closed_trades;
    ${portfolioSchema.statements.filter((sql) => !sql.startsWith('CREATE TABLE')).join(';\n')};
    ANALYZE; PRAGMA wal_checkpoint(TRUNCATE);`);
  await close();
}

const pnl = `printf('%.4f', ((i * 7919 + k * 104729) % 2001 - 990) / 100.0)`;

function symbol(k: string): string {
  return `CASE ${k} % ${LEGS} WHEN 0 THEN 'BTC-PERP' WHEN 1 THEN 'ETH-PERP' WHEN 2 THEN 'SOL-PERP' ELSE 'XRP-PERP' END`;
}

function positionLeg(leg: number): string {
  return `json_object('symbol', ${symbol(String(leg))}, 'side', '${leg < 2 ? 'BUY' : 'SELL'}', 'quantity', '0',
    'entryPrice', '0', 'entryNotional', '0', 'realizedPnl', printf('%d.%d', p % 41 - 20, 1 + ${leg}), 'feesPaid', '0.28',
    'fundingPaid', '0', 'targetWeight', '0.25')`;
}
