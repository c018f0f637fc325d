/**
 * A data file with a long history: executions of four orders each, put in by SQL inside SQLite. Ids are UUID v7 in form and
 * order (the time in the first 48 bits), as the gateway's own are, so that the index grows at its end as it does in use.
 */
import sqlite3 from 'sqlite3';

const SYMBOLS = ['BTC-PERP', 'ETH-PERP', 'SOL-PERP', 'XRP-PERP'] as const;
const LEGS = SYMBOLS.length;
const BATCH = 50_000;

/** `time` and `low` are SQL expressions; `low` makes ids of one millisecond differ. */
export function uuidV7(time: string, low: string): string {
  const hex = `printf('%012x', ${time})`;
  return (
    `substr(${hex}, 1, 8) || '-' || substr(${hex}, 9, 4) || '-7' || printf('%03x', (${low}) & 4095)` +
    ` || printf('-%04x-%012x', 32768 + (abs(random()) & 16383), abs(random()) & 281474976710655)`
  );
}

export interface SeedDatabase {
  exec(sql: string): Promise<void>;
  all(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  close(): Promise<void>;
}

/** The file belongs to a gateway that has ended, or is only read. */
export async function openSeedDatabase(file: string): Promise<SeedDatabase> {
  const database = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened = new sqlite3.Database(file, (error) => (error ? reject(error) : resolve(opened)));
  });
  return {
    exec: (sql) =>
      new Promise((resolve, reject) => {
        database.exec(sql, (error) => (error ? reject(error) : resolve()));
      }),
    all: (sql) =>
      new Promise((resolve, reject) => {
        database.all<Record<string, unknown>>(sql, (error, rows) => (error ? reject(error) : resolve(rows)));
      }),
    close: () =>
      new Promise((resolve, reject) => {
        database.close((error) => (error ? reject(error) : resolve()));
      }),
  };
}

/**
 * The file belongs to a gateway that has ended. `now` in epoch milliseconds; the last execution is a minute old.
 */
export async function seedOrders(
  file: string,
  tradeAccountId: string,
  orders: number,
  now: number,
  apartMs: number,
): Promise<void> {
  const { exec, close } = await openSeedDatabase(file);
  const executions = Math.ceil(orders / LEGS);
  const first = now - 60_000 - executions * apartMs;
  await exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144;');
  for (let from = 0; from < executions; from += BATCH) {
    const to = Math.min(from + BATCH, executions) - 1;
    await exec(`
      BEGIN;
      CREATE TEMP TABLE batch AS
        WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to})
        SELECT i, ${first} + i * ${apartMs} AS at, ${uuidV7(`${first} + i * ${apartMs}`, '0')} AS id FROM n;
      INSERT INTO executions
        (id, user_id, trade_account_id, connector, basket_key, type, origin, intent, status, error, error_code,
         position_id, client_id, parent_id, on_leg_failure, slippage, created_at, active_at, finished_at, updated_at,
         orders)
        SELECT id, (SELECT user_id FROM trade_accounts WHERE id = '${tradeAccountId}'), '${tradeAccountId}', 'paper',
          printf('%064x', i), 'MARKET', 'API', 'OPEN', 'COMPLETED', NULL, NULL, NULL, NULL, NULL, 'KEEP', '0.01',
          at, at + 2, at + 9, at + 9, json_array(${SYMBOLS.map(
            (symbol, leg) =>
              `json_array(substr(id, 1, 34) || '0${leg + 1}', '${symbol}', '${leg < 2 ? 'BUY' : 'SELL'}', 'USD', '25', 0,
                'FILLED', '0.25', '0.25', '101', 1, '0x' || lower(hex(randomblob(16))), at + 5002,
                printf('%d', i * ${LEGS} + ${leg}), '100.1', NULL, NULL, at + 9)`,
          ).join(', ')})
        FROM batch ORDER BY i;
      DROP TABLE batch;
      COMMIT;`);
  }
  await exec('ANALYZE; PRAGMA wal_checkpoint(TRUNCATE);');
  await close();
}
