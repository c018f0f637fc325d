/** Pages of an account's triggers, schedules and ladders, newest first; the live ones are read from a small index. */
import type { DataSource, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { Page, PageRequest } from '../engine/ports/pages.ts';
import type { RestingFilter } from '../engine/ports/store.ts';
import { EMPTY_PAGE, pageOf, pageQuery, rowsOfAccount } from './rows/keyset-page.ts';
import type { Table } from './rows/table-entity.ts';

interface RestingRow extends ObjectLiteral {
  readonly id: string;
  readonly createdAt: number;
}

export interface RestingList {
  readonly entity: Table;
  /** Statuses that have the partial index. */
  readonly live: readonly string[];
  /** The partial index's condition, word for word: the planner uses the index only if the query repeats it. */
  readonly condition: string;
}

type Filter = RestingFilter<string> & { readonly kinds?: readonly string[] };

export function restingQuery<Row extends RestingRow>(
  source: DataSource,
  list: RestingList,
  filter: Filter,
  page: PageRequest,
): SelectQueryBuilder<Row> {
  const query = rowsOfAccount<Row>(source, list.entity, filter);
  if (filter.kinds !== undefined) query.andWhere('r.kind IN (:...kinds)', { kinds: filter.kinds });
  const { statuses } = filter;
  if (statuses !== undefined) {
    query.andWhere('r.status IN (:...statuses)', { statuses });
    if (statuses.every((status) => list.live.includes(status))) {
      query.andWhere(`r.${list.condition}`);
    }
  }
  return pageQuery(query, 'createdAt', true, page);
}

export async function restingPage<Row extends RestingRow>(
  source: DataSource,
  list: RestingList,
  filter: Filter,
  page: PageRequest,
): Promise<Page<Row>> {
  if (filter.statuses?.length === 0) return EMPTY_PAGE;
  const found = await restingQuery<Row>(source, list, filter, page).getMany();
  return pageOf(found, page.limit, (row) => row.createdAt);
}
