/** Counts rows of a gateway's tables that a refused request must not change. */
import sqlite3 from 'sqlite3';
import { databaseFile } from '../../gateway/config.ts';

export type RowCounts = Readonly<Record<string, number>>;

export interface RowCounter {
  /** By table, as committed at this moment. */
  count(): Promise<RowCounts>;
  close(): Promise<void>;
}

export async function rowCounter(dataDir: string): Promise<RowCounter> {
  const database = new sqlite3.Database(databaseFile(dataDir), sqlite3.OPEN_READONLY);
  const all = <Row>(sql: string): Promise<Row[]> =>
    new Promise((resolve, reject) => {
      database.all<Row>(sql, (error, rows) => (error === null ? resolve(rows) : reject(error)));
    });
  // Equity is sampled by the clock, whoever asks for what.
  const tables = await all<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'equity_samples'",
  );
  const columns = tables.map(({ name }) => `(SELECT count(*) FROM "${name}") AS "${name}"`).join(', ');
  return {
    async count() {
      const [row] = await all<RowCounts>(`SELECT ${columns}`);
      if (row === undefined) throw new Error('no counts');
      return row;
    },
    close: () =>
      new Promise((resolve, reject) => {
        database.close((error) => (error === null ? resolve() : reject(error)));
      }),
  };
}
