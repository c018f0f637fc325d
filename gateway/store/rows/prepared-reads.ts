/** Statements prepared on a read handle, each on its first use. */
import type { DataSource } from 'typeorm';
import type { PreparedStatement, Row, SqliteHandle, SqlValue } from '../file/sqlite-handle.ts';
import { rowDecoder, selectList } from './row-codec.ts';
import type { TableEntity } from './table-entity.ts';

export interface PreparedReads {
  all(sql: string, params: readonly SqlValue[]): Promise<readonly Row[]>;
  /** Rows of the entity; `rest` is the SQL behind the table's name. */
  select<R>(entity: TableEntity<R>, rest: string): (...params: readonly SqlValue[]) => Promise<R[]>;
  /** The one row that `rest` selects, null where there is none. */
  one<R>(entity: TableEntity<R>, rest: string): (...params: readonly SqlValue[]) => Promise<R | null>;
  close(): Promise<void>;
}

/** Prepared statements and TypeORM's source, from which the reads of each kind of record are built. */
export interface Reads extends Omit<PreparedReads, 'close'> {
  /** TypeORM's source, for lists. */
  lists(): Promise<DataSource>;
}

export function createPreparedReads(handle: SqliteHandle): PreparedReads {
  const prepared = new Map<string, Promise<PreparedStatement>>();

  async function all(sql: string, params: readonly SqlValue[]) {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      statement = handle.prepare(sql);
      prepared.set(sql, statement);
      statement.catch(() => prepared.delete(sql));
    }
    return (await statement).all(params);
  }

  function select<R>(entity: TableEntity<R>, rest: string) {
    const sql = `SELECT ${selectList(entity)} FROM ${entity.tableName} ${rest}`;
    const decode = rowDecoder(entity);
    return async (...params: readonly SqlValue[]): Promise<R[]> => (await all(sql, params)).map(decode);
  }

  return {
    all,
    select,
    one<R>(entity: TableEntity<R>, rest: string) {
      const rows = select(entity, rest);
      return async (...params: readonly SqlValue[]): Promise<R | null> => (await rows(...params))[0] ?? null;
    },
    async close() {
      const statements = await Promise.allSettled(prepared.values());
      for (const statement of statements) {
        if (statement.status === 'fulfilled') await statement.value.finalize();
      }
    },
  };
}

/** The row if it belongs to the account, else null: another account's row counts as missing. */
export function ofAccount<R extends { readonly tradeAccountId: string }>(
  row: R | null,
  tradeAccountId: string,
): R | null {
  return row?.tradeAccountId === tradeAccountId ? row : null;
}
