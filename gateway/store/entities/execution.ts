import type { Execution } from '../../domain/model.ts';
import { fixed, integer, json, key, nullable, type TableEntity, text } from '../rows/table-entity.ts';
import { type PackedOrder, packedOrdersJson, unpackOrders } from './packed-orders.ts';

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
    authorityKind: nullable(fixed(text('authority_kind'))),
    authorityId: nullable(fixed(text('authority_id'))),
    createdAt: fixed(integer('created_at')),
    activeAt: nullable(integer('active_at')),
    finishedAt: nullable(integer('finished_at')),
    updatedAt: integer('updated_at'),
    orders: json('orders'),
  },
};

/**
 * The row as a JSON array, in the order of the columns above. Written out, because it is on the path of every
 * acknowledgement: ids, names of states and decimals need no escapes, and looking for some costs more than the text.
 */
export function executionRowJson(execution: Execution): string {
  return `["${execution.id}","${execution.userId}","${execution.tradeAccountId}",${JSON.stringify(execution.connector)},"${execution.basketKey}","${execution.type}","${execution.origin}","${execution.intent}","${execution.status}",${quoted(execution.error)},${plain(execution.errorCode)},${plain(execution.positionId)},${quoted(execution.clientId)},${plain(execution.parentId)},"${execution.onLegFailure}","${execution.slippage}",${plain(execution.authorityKind)},${plain(execution.authorityId)},${execution.createdAt},${execution.activeAt},${execution.finishedAt},${execution.updatedAt},${packedOrdersJson(execution)}]`;
}

/** Of ids and names of the gateway's own making. */
function plain(text: string | null): string {
  return text === null ? 'null' : `"${text}"`;
}

function quoted(text: string | null): string {
  return text === null ? 'null' : JSON.stringify(text);
}

export function executionOf(row: ExecutionRow): Execution {
  return { ...row, orders: unpackOrders(row, row.orders) };
}
