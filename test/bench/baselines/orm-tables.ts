/** Executions and orders as an ORM keeps them: a table each, a row an order. */
import type { Execution, Order } from '../../../gateway/domain/model.ts';
import { executionEntity } from '../../../gateway/store/executions.ts';
import {
  fixed,
  flag,
  integer,
  key,
  nullable,
  type TableEntity,
  table,
  text,
} from '../../../gateway/store/rows/table-entity.ts';

const { orders: _packed, ...headerColumns } = executionEntity.columns;

export const ormExecutionEntity = table<Omit<Execution, 'orders'>>('orm_executions', headerColumns);

export const ormOrderEntity = table<Order>('orm_orders', {
  id: key(text('id')),
  executionId: fixed(text('execution_id')),
  tradeAccountId: fixed(text('trade_account_id')),
  legIndex: fixed(integer('leg_index')),
  symbol: fixed(text('symbol')),
  side: fixed(text('side')),
  mode: fixed(text('mode')),
  amount: fixed(text('amount')),
  reduceOnly: flag('reduce_only'),
  quantity: nullable(text('quantity')),
  limitPrice: nullable(text('limit_price')),
  worstPrice: nullable(text('worst_price')),
  sizedPrice: nullable(text('sized_price')),
  attempt: integer('attempt'),
  clientOrderId: nullable(text('client_order_id')),
  expiresAt: nullable(integer('expires_at')),
  venueOrderId: nullable(text('venue_order_id')),
  status: text('status'),
  filledQuantity: text('filled_quantity'),
  averagePrice: nullable(text('average_price')),
  error: nullable(text('error')),
  errorCode: nullable(text('error_code')),
  createdAt: fixed(integer('created_at')),
  updatedAt: integer('updated_at'),
});

function columnSql<R>(entity: TableEntity<R>): string {
  const columns = Object.values<{ name: string; type: string; primary?: true; nullable?: true }>(
    entity.columns,
  );
  return columns
    .map(({ name, type, primary, nullable: optional }) => {
      const kind = type === 'text' ? 'TEXT' : 'INTEGER';
      return `${name} ${kind}${optional === true ? '' : ' NOT NULL'}${primary === true ? ' PRIMARY KEY' : ''}`;
    })
    .join(', ');
}

/** With the indexes that the lists of executions and of an execution's orders need. */
export const ORM_TABLES: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS orm_executions (${columnSql(ormExecutionEntity)}) STRICT, WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS orm_executions_by_account ON orm_executions (trade_account_id, created_at, id)',
  `CREATE INDEX IF NOT EXISTS orm_executions_unfinished ON orm_executions (trade_account_id, created_at, id)
    WHERE status IN ('IDLE', 'ACTIVE')`,
  `CREATE TABLE IF NOT EXISTS orm_orders (${columnSql(ormOrderEntity)},
    FOREIGN KEY (execution_id) REFERENCES orm_executions (id)) STRICT, WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS orm_orders_by_execution ON orm_orders (execution_id, leg_index)',
];
