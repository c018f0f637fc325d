import type { DataSource, SelectQueryBuilder } from 'typeorm';
import type { Position } from '../domain/model.ts';
import type { Page, PageRequest } from '../engine/ports/pages.ts';
import type { Store } from '../engine/ports/store.ts';
import { positionEntity } from './entities/position.ts';
import { pageOf, pageQuery } from './rows/keyset-page.ts';

export type PositionFilter = Parameters<Store['positions']>[0];

export function positionsQuery(
  source: DataSource,
  filter: PositionFilter,
  page: PageRequest,
): SelectQueryBuilder<Position> {
  const query = source
    .getRepository<Position>(positionEntity.name)
    .createQueryBuilder('p')
    .where('p.tradeAccountId = :tradeAccountId', { tradeAccountId: filter.tradeAccountId });
  if (filter.connector !== undefined) {
    query.andWhere('p.connector = :connector', { connector: filter.connector });
  }
  const { statuses } = filter;
  if (statuses?.every((status) => status === 'OPEN')) {
    // Written out, not as a parameter: only so does the planner see that the index of the few open ones will do.
    query.andWhere("p.status = 'OPEN'");
  } else if (statuses !== undefined) {
    query.andWhere('p.status IN (:...statuses)', { statuses });
  }
  return pageQuery(query, filter.orderBy, filter.descending, page);
}

export async function positionPage(
  source: DataSource,
  filter: PositionFilter,
  page: PageRequest,
): Promise<Page<Position>> {
  if (filter.statuses?.length === 0) return { rows: [], next: null };
  const found = await positionsQuery(source, filter, page).getMany();
  return pageOf(found, page.limit, (row) => row[filter.orderBy]);
}
