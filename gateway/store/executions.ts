/** Executions, each with its orders in its row: an execution and its orders are always written and read together. */
import type { DataSource, SelectQueryBuilder } from 'typeorm';
import type { Execution, ExecutionStatus } from '../domain/model.ts';
import type { Page, PageRequest } from '../engine/ports/pages.ts';
import type { Store } from '../engine/ports/store.ts';
import { type PackedOrder, packOrders, unpackOrders } from './packed-orders.ts';
import { EMPTY_PAGE, pageOf, pageQuery, rowsOfAccount } from './rows/keyset-page.ts';
import { ofAccount, type Reads } from './rows/prepared-reads.ts';
import { fixed, integer, json, nullable, owned, table, text } from './rows/table-entity.ts';

type ExecutionRow = Omit<Execution, 'orders'> & { readonly orders: readonly PackedOrder[] };

export const executionEntity = table<ExecutionRow>('executions', {
  ...owned,
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
  reserved: nullable(json('reserved')),
  orders: json('orders'),
});

export function executionRow(execution: Execution): ExecutionRow {
  return { ...execution, orders: packOrders(execution) };
}

export function executionOf(row: ExecutionRow): Execution {
  return { ...row, orders: unpackOrders(row, row.orders) };
}

type ExecutionFilter = Parameters<Store['executions']>[0];

/** Sets of statuses that have a partial index; the planner uses it when the query repeats the index's condition. */
const INDEXED_STATUSES: readonly (readonly ExecutionStatus[])[] = [
  ['IDLE', 'ACTIVE'],
  ['CANCELLED', 'FAILED'],
];

export function executionsQuery(
  source: DataSource,
  filter: ExecutionFilter,
  page: PageRequest,
): SelectQueryBuilder<ExecutionRow> {
  const query = rowsOfAccount<ExecutionRow>(source, executionEntity, filter);
  const { statuses } = filter;
  if (statuses !== undefined) {
    query.andWhere('r.status IN (:...statuses)', { statuses });
    const indexed = INDEXED_STATUSES.find((set) => statuses.every((status) => set.includes(status)));
    if (indexed) query.andWhere(`r.status IN (${indexed.map((status) => `'${status}'`).join(', ')})`);
  }
  if (filter.origins !== undefined) {
    query.andWhere('r.origin IN (:...origins)', { origins: filter.origins });
  }
  return pageQuery(query, 'createdAt', true, page);
}

/** A page of executions with their orders, newest first. */
export async function executionPage(
  source: DataSource,
  filter: ExecutionFilter,
  page: PageRequest,
): Promise<Page<Execution>> {
  if (filter.statuses?.length === 0 || filter.origins?.length === 0) return EMPTY_PAGE;
  const found = await executionsQuery(source, filter, page).getMany();
  const { rows, next } = pageOf(found, page.limit, (row) => row.createdAt);
  return { rows: rows.map(executionOf), next };
}

export function executionReads({ one, select, lists }: Reads) {
  const executionById = one(executionEntity, 'WHERE id = ?');
  const unfinished = select(
    executionEntity,
    `INDEXED BY executions_unfinished WHERE status IN ('IDLE', 'ACTIVE') ORDER BY created_at, id`,
  );
  return {
    async execution(tradeAccountId, id) {
      const found = ofAccount(await executionById(id), tradeAccountId);
      return found === null ? null : executionOf(found);
    },
    executions: async (filter, page) => executionPage(await lists(), filter, page),
    unfinishedExecutions: async () => (await unfinished()).map(executionOf),
  } satisfies Partial<Store>;
}
