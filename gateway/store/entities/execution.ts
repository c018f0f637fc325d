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

/** Field by field: on the path of every acknowledgement a spread costs more than the row's text. */
export function executionRow(execution: Execution): ExecutionRow {
  return {
    id: execution.id,
    userId: execution.userId,
    tradeAccountId: execution.tradeAccountId,
    connector: execution.connector,
    basketKey: execution.basketKey,
    type: execution.type,
    origin: execution.origin,
    intent: execution.intent,
    status: execution.status,
    error: execution.error,
    errorCode: execution.errorCode,
    positionId: execution.positionId,
    clientId: execution.clientId,
    parentId: execution.parentId,
    onLegFailure: execution.onLegFailure,
    slippage: execution.slippage,
    createdAt: execution.createdAt,
    activeAt: execution.activeAt,
    finishedAt: execution.finishedAt,
    updatedAt: execution.updatedAt,
    orders: packOrders(execution),
  };
}

export function executionOf(row: ExecutionRow): Execution {
  return { ...row, orders: unpackOrders(row, row.orders) };
}
