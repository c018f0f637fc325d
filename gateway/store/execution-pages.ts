import type { DataSource, SelectQueryBuilder } from 'typeorm';
import type { Execution, ExecutionStatus } from '../domain/model.ts';
import type { Page, PageRequest } from '../engine/ports/pages.ts';
import type { Store } from '../engine/ports/store.ts';
import { type ExecutionRow, executionEntity, executionOf } from './entities/execution.ts';
import { pageOf, pageQuery } from './rows/keyset-page.ts';

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

/** Newest first, with their orders. */
export async function executionPage(
  source: DataSource,
  filter: ExecutionFilter,
  page: PageRequest,
): Promise<Page<Execution>> {
  if (filter.statuses?.length === 0 || filter.origins?.length === 0) return { rows: [], next: null };
  const found = await executionsQuery(source, filter, page).getMany();
  const { rows, next } = pageOf(found, page.limit, (row) => row.createdAt);
  return { rows: rows.map(executionOf), next };
}
