/** The sqlite3 driver with promises. One handle is one connection; its statements run on the driver's thread pool. */
import sqlite3 from 'sqlite3';

export type SqlValue = string | number | null;
export type Row = Readonly<Record<string, SqlValue>>;

export interface PreparedStatement {
  run(params: readonly SqlValue[]): Promise<{ readonly changes: number }>;
  all(params: readonly SqlValue[]): Promise<readonly Row[]>;
  finalize(): Promise<void>;
}

export interface SqliteHandle {
  /** Runs several statements without parameters. */
  exec(sql: string): Promise<void>;
  run(sql: string, params?: readonly SqlValue[]): Promise<{ readonly changes: number }>;
  all(sql: string, params?: readonly SqlValue[]): Promise<readonly Row[]>;
  prepare(sql: string): Promise<PreparedStatement>;
  close(): Promise<void>;
}

function prepared(statement: sqlite3.Statement): PreparedStatement {
  return {
    run: (params) =>
      new Promise((resolve, reject) => {
        statement.run(params, function (error) {
          if (error) reject(error);
          else resolve({ changes: this.changes });
        });
      }),
    // Never the driver's `get`: it leaves the statement in the middle of its rows, which keeps a read transaction
    // open, and every later read on the handle would see that old snapshot.
    all: (params) =>
      new Promise((resolve, reject) => {
        statement.all<Row>(params, (error, rows) => (error ? reject(error) : resolve(rows)));
      }),
    finalize: () =>
      new Promise((resolve) => {
        statement.finalize(() => resolve());
      }),
  };
}

/** Rejects with the driver's error (`code`, `errno`) when the file cannot be opened. Never creates the file. */
export async function openHandle(file: string, access: 'read-write' | 'read-only'): Promise<SqliteHandle> {
  const mode = access === 'read-only' ? sqlite3.OPEN_READONLY : sqlite3.OPEN_READWRITE;
  const database = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened = new sqlite3.Database(file, mode, (error) => (error ? reject(error) : resolve(opened)));
  });
  return {
    exec: (sql) =>
      new Promise((resolve, reject) => {
        database.exec(sql, (error) => (error ? reject(error) : resolve()));
      }),
    run: (sql, params = []) =>
      new Promise((resolve, reject) => {
        database.run(sql, params, function (error) {
          if (error) reject(error);
          else resolve({ changes: this.changes });
        });
      }),
    all: (sql, params = []) =>
      new Promise((resolve, reject) => {
        database.all<Row>(sql, params, (error, rows) => (error ? reject(error) : resolve(rows)));
      }),
    prepare: (sql) =>
      new Promise((resolve, reject) => {
        const statement = database.prepare(sql, (error) =>
          error ? reject(error) : resolve(prepared(statement)),
        );
      }),
    close: () =>
      new Promise((resolve, reject) => {
        database.close((error) => (error ? reject(error) : resolve()));
      }),
  };
}
