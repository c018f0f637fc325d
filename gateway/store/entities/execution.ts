import type { Execution } from '../../domain/model.ts';
import { fixed, integer, key, nullable, type TableEntity, text } from './table-entity.ts';

export type ExecutionRow = Omit<Execution, 'orders'>;

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
  },
};
