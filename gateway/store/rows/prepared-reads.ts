/** Statements prepared on the read handle, each on its first use. */

import type { PreparedStatement, Row, SqliteHandle, SqlValue } from '../file/sqlite-handle.ts';
import { rowDecoder, selectList } from './row-codec.ts';
import type { TableEntity } from './table-entity.ts';

export interface PreparedReads {
  all(sql: string, params: readonly SqlValue[]): Promise<readonly Row[]>;
  /** Rows of the entity; `rest` is what follows the table's name. */
  select<R>(entity: TableEntity<R>, rest: string): (...params: readonly SqlValue[]) => Promise<R[]>;
  close(): Promise<void>;
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

  return {
    all,
    select<R>(entity: TableEntity<R>, rest: string) {
      const sql = `SELECT ${selectList(entity)} FROM ${entity.tableName} ${rest}`;
      const decode = rowDecoder(entity);
      return async (...params: readonly SqlValue[]): Promise<R[]> => (await all(sql, params)).map(decode);
    },
    async close() {
      const statements = await Promise.allSettled(prepared.values());
      for (const statement of statements) {
        if (statement.status === 'fulfilled') await statement.value.finalize();
      }
    },
  };
}
