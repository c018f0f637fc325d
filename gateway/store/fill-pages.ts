import type { DataSource, SelectQueryBuilder } from 'typeorm';
import type { Fill } from '../domain/model.ts';
import type { Page, PageRequest } from '../engine/ports/pages.ts';
import type { Store } from '../engine/ports/store.ts';
import { fillEntity } from './entities/fill.ts';
import { pageOf, pageQuery } from './rows/keyset-page.ts';

export type FillFilter = Parameters<Store['fills']>[0];

function fills(source: DataSource): SelectQueryBuilder<Fill> {
  return source.getRepository<Fill>(fillEntity.name).createQueryBuilder('f');
}

export function fillsQuery(
  source: DataSource,
  filter: FillFilter,
  page: PageRequest,
): SelectQueryBuilder<Fill> {
  const query = fills(source);
  if (filter.positionId === undefined) {
    query.where('f.tradeAccountId = :tradeAccountId', { tradeAccountId: filter.tradeAccountId });
  } else {
    // The unary plus keeps the account's own index out of it: a position's fills are few, an account's are many.
    query
      .where('f.positionId = :positionId', { positionId: filter.positionId })
      .andWhere('+f.trade_account_id = :tradeAccountId', { tradeAccountId: filter.tradeAccountId });
  }
  if (filter.connector !== undefined) {
    query.andWhere('f.connector = :connector', { connector: filter.connector });
  }
  return pageQuery(query, 'timestamp', filter.descending, page);
}

export async function fillPage(
  source: DataSource,
  filter: FillFilter,
  page: PageRequest,
): Promise<Page<Fill>> {
  const found = await fillsQuery(source, filter, page).getMany();
  return pageOf(found, page.limit, (row) => row.timestamp);
}

/** Oldest first. */
export function executionFillsQuery(source: DataSource, executionId: string): SelectQueryBuilder<Fill> {
  return fills(source)
    .where('f.executionId = :executionId', { executionId })
    .orderBy('f.timestamp', 'ASC')
    .addOrderBy('f.id', 'ASC');
}
