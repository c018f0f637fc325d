import type { DataSource, ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { Page, PageRequest } from '../../engine/ports/pages.ts';
import type { Table } from './table-entity.ts';

/** The account's rows, under the alias `r`: those of one connector where the filter names one. */
export function rowsOfAccount<R extends ObjectLiteral>(
  source: DataSource,
  { tableName }: Table,
  { tradeAccountId, connector }: { readonly tradeAccountId: string; readonly connector?: string | undefined },
): SelectQueryBuilder<R> {
  const query = source
    .getRepository<R>(tableName)
    .createQueryBuilder('r')
    .where('r.tradeAccountId = :tradeAccountId', { tradeAccountId });
  return connector === undefined ? query : query.andWhere('r.connector = :connector', { connector });
}

/**
 * Orders the query by (`keyProperty`, id) and starts behind the given row. The comparison is a row value, which SQLite
 * turns into one range of the index at any depth; a comparison with OR would walk the index from its start.
 * The query reads one row more than asked, which tells whether there is another page.
 */
export function pageQuery<R extends ObjectLiteral>(
  query: SelectQueryBuilder<R>,
  keyProperty: keyof R & string,
  descending: boolean,
  page: PageRequest,
): SelectQueryBuilder<R> {
  const { alias } = query;
  const direction = descending ? 'DESC' : 'ASC';
  if (page.after !== null) {
    query.andWhere(`(${alias}.${keyProperty}, ${alias}.id) ${descending ? '<' : '>'} (:afterKey, :afterId)`, {
      afterKey: page.after.key,
      afterId: page.after.id,
    });
  }
  return query
    .orderBy(`${alias}.${keyProperty}`, direction)
    .addOrderBy(`${alias}.id`, direction)
    .limit(page.limit + 1);
}

export const EMPTY_PAGE: Page<never> = { rows: [], next: null };

/** The page without the extra row beyond the limit. */
export function pageOf<T extends { readonly id: string }>(
  rows: readonly T[],
  limit: number,
  keyOf: (row: T) => number,
): Page<T> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { rows: shown, next: more ? { key: keyOf(last), id: last.id } : null };
}
