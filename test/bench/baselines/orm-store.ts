/**
 * The gateway's store with its acknowledging commit done as an ORM does it by default: entities, one transaction a
 * request. TypeORM's SQLite driver has one query runner and mixes transactions that run at the same time, so they wait
 * for each other here, as any program that uses it correctly has to arrange.
 */
import type { Execution } from '../../../gateway/domain/model.ts';
import { ok } from '../../../gateway/domain/result.ts';
import type { Store } from '../../../gateway/engine/ports/store.ts';
import { TYPEORM_OPTIONS } from '../../../gateway/store/file/typeorm-options.ts';
import { ORM_TABLES, ormExecutionEntity, ormOrderEntity } from './orm-tables.ts';

/** `save` asks for each row first and then writes it; `insert` only writes. */
export type OrmCall = 'save' | 'insert';

/**
 * Everything but new executions still goes through `store`, in turn with the transactions: one that has read cannot write
 * once another connection has (SQLITE_BUSY_SNAPSHOT), and no busy timeout waits for that.
 */
export async function withOrmTransactions(store: Store, file: string, call: OrmCall): Promise<Store> {
  const { DataSource, EntitySchema } = await import('typeorm');
  const source = new DataSource({
    ...TYPEORM_OPTIONS,
    database: file,
    entities: [
      new EntitySchema({ name: ormExecutionEntity.tableName, ...ormExecutionEntity }),
      new EntitySchema({ name: ormOrderEntity.tableName, ...ormOrderEntity }),
    ],
  });
  await source.initialize();
  await source.query('PRAGMA busy_timeout = 2000');
  await source.query('PRAGMA synchronous = FULL');
  await source.query('PRAGMA cache_size = -16384');
  await source.query('PRAGMA wal_autocheckpoint = 2000');
  for (const statement of ORM_TABLES) await source.query(statement);
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(task: () => Promise<T>): Promise<T> {
    const done = last.then(task);
    last = done.catch(() => {});
    return done;
  }

  function write(executions: readonly Execution[]): Promise<void> {
    const rows = executions.map(({ orders: _orders, ...header }) => header);
    const orders = executions.flatMap((execution) => execution.orders);
    return source.transaction(async (manager) => {
      if (call === 'save') {
        await manager.save(ormExecutionEntity.tableName, rows);
        await manager.save(ormOrderEntity.tableName, orders);
      } else {
        await manager.insert(ormExecutionEntity.tableName, rows);
        await manager.insert(ormOrderEntity.tableName, [...orders]);
      }
    });
  }

  return {
    ...store,
    async commit(unit) {
      const { newExecutions, ...rest } = unit;
      if (newExecutions === undefined || newExecutions.length === 0) return inTurn(() => store.commit(rest));
      await inTurn(() => write(newExecutions));
      return ok([]);
    },
    async close() {
      await last;
      await source.destroy();
      await store.close();
    },
  };
}
