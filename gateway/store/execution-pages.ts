import type { DataSource, SelectQueryBuilder } from 'typeorm';
import type { Execution, ExecutionStatus, Order } from '../domain/model.ts';
import type { Page, PageRequest, Store } from '../engine/ports.ts';
import { type ExecutionRow, executionEntity } from './entities/execution.ts';
import { orderEntity } from './entities/order.ts';
import { pageOf, pageQuery } from './keyset-page.ts';

export type ExecutionFilter = Parameters<Store['executions']>[0];

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
  const query = source
    .getRepository<ExecutionRow>(executionEntity.name)
    .createQueryBuilder('e')
    .where('e.tradeAccountId = :tradeAccountId', { tradeAccountId: filter.tradeAccountId });
  if (filter.connector !== undefined) {
    query.andWhere('e.connector = :connector', { connector: filter.connector });
  }
  const { statuses } = filter;
  if (statuses !== undefined) {
    query.andWhere('e.status IN (:...statuses)', { statuses });
    const indexed = INDEXED_STATUSES.find((set) => statuses.every((status) => set.includes(status)));
    if (indexed) query.andWhere(`e.status IN (${indexed.map((status) => `'${status}'`).join(', ')})`);
  }
  if (filter.origins !== undefined) {
    query.andWhere('e.origin IN (:...origins)', { origins: filter.origins });
  }
  return pageQuery(query, 'createdAt', true, page);
}

export function ordersQuery(source: DataSource, executionIds: readonly string[]): SelectQueryBuilder<Order> {
  return source
    .getRepository<Order>(orderEntity.name)
    .createQueryBuilder('o')
    .where('o.executionId IN (:...executionIds)', { executionIds });
}

/** Executions with their orders, each execution's orders by leg and, within a leg, by id. */
export async function executionPage(
  source: DataSource,
  filter: ExecutionFilter,
  page: PageRequest,
): Promise<Page<Execution>> {
  if (filter.statuses?.length === 0 || filter.origins?.length === 0) return { rows: [], next: null };
  const found = await executionsQuery(source, filter, page).getMany();
  const { rows, next } = pageOf(found, page.limit, (row) => row.createdAt);
  if (rows.length === 0) return { rows: [], next: null };
  const orders = await ordersQuery(
    source,
    rows.map(({ id }) => id),
  ).getMany();
  return { rows: withOrders(rows, orders), next };
}

export function withOrders(rows: readonly ExecutionRow[], orders: readonly Order[]): Execution[] {
  const byExecution = new Map<string, Order[]>(rows.map(({ id }) => [id, []]));
  for (const order of orders) byExecution.get(order.executionId)?.push(order);
  return rows.map((row) => ({
    ...row,
    orders: (byExecution.get(row.id) ?? []).sort((a, b) => a.legIndex - b.legIndex || (a.id < b.id ? -1 : 1)),
  }));
}
