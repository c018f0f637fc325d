import type { Execution } from '../../domain/model.ts';
import { type PackedOrder, packOrders, unpackOrders } from './packed-orders.ts';
import { fixed, integer, json, key, nullable, type TableEntity, text } from './table-entity.ts';

/** An execution with its orders in one row: they are always written together and read together. */
export type ExecutionRow = Omit<Execution, 'orders'> & { readonly orders: readonly PackedOrder[] };

export const executionEntity: TableEntity<ExecutionRow> = {
  name: 'execution',
  tableName: 'executions',
  columns: {
    id: key(text('id')),
    userId: fixed(text('user_id')),
    tradeAccountId: fixed(text('trade_account_id')),
    connector: fixed(text('connector')),
    basketKey: fixed(text('basket_key')),
    type: fixed(text('type')),
    origin: fixed(text('origin')),
    intent: text('intent'),
    status: text('status'),
    error: nullable(text('error')),
    errorCode: nullable(text('error_code')),
    positionId: nullable(text('position_id')),
    clientId: nullable(fixed(text('client_id'))),
    parentId: nullable(fixed(text('parent_id'))),
    onLegFailure: fixed(text('on_leg_failure')),
    slippage: fixed(text('slippage')),
    createdAt: fixed(integer('created_at')),
    activeAt: nullable(integer('active_at')),
    finishedAt: nullable(integer('finished_at')),
    updatedAt: integer('updated_at'),
    orders: json('orders'),
  },
};

/**
 * The values of the row, in the order of the columns above. Written out, because it is on the path of every
 * acknowledgement: a spread costs more than the row's text, and reading 21 properties by name is half of it.
 */
export function executionValues(execution: Execution): readonly ExecutionRow[keyof ExecutionRow][] {
  return [
    execution.id,
    execution.userId,
    execution.tradeAccountId,
    execution.connector,
    execution.basketKey,
    execution.type,
    execution.origin,
    execution.intent,
    execution.status,
    execution.error,
    execution.errorCode,
    execution.positionId,
    execution.clientId,
    execution.parentId,
    execution.onLegFailure,
    execution.slippage,
    execution.createdAt,
    execution.activeAt,
    execution.finishedAt,
    execution.updatedAt,
    packOrders(execution),
  ];
}

export function executionOf(row: ExecutionRow): Execution {
  return { ...row, orders: unpackOrders(row, row.orders) };
}
