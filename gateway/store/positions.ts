/** Positions, and the unassigned lots of an account, which are in no position. */
import type { DataSource, SelectQueryBuilder } from 'typeorm';
import type { Position } from '../domain/model.ts';
import type { UnassignedLot } from '../domain/unassigned.ts';
import type { PageRequest } from '../engine/ports/pages.ts';
import type { Store } from '../engine/ports/store.ts';
import { EMPTY_PAGE, pageOf, pageQuery, rowsOfAccount } from './rows/keyset-page.ts';
import { ofAccount, type Reads } from './rows/prepared-reads.ts';
import { fixed, integer, json, key, nullable, owned, table, text } from './rows/table-entity.ts';

/**
 * Positions with their legs as JSON in the row: a position is always written and read whole, no query reads a single
 * leg, and replacing one row is one b-tree page instead of a delete and up to twenty inserts.
 */
export const positionEntity = table<Position>('positions', {
  ...owned,
  basketKey: fixed(text('basket_key')),
  status: text('status'),
  origin: text('origin'),
  entryRatio: nullable(text('entry_ratio')),
  legs: json('legs'),
  createdAt: fixed(integer('created_at')),
  updatedAt: integer('updated_at'),
  closedAt: nullable(integer('closed_at')),
});

/** Unassigned lots. A used-up lot keeps its row, with quantity '0'. */
export const unassignedLotEntity = table<UnassignedLot>('unassigned_lots', {
  id: key(text('id')),
  tradeAccountId: fixed(text('trade_account_id')),
  connector: fixed(text('connector')),
  symbol: fixed(text('symbol')),
  source: fixed(text('source')),
  quantity: text('quantity'),
  price: fixed(text('price')),
  timestamp: fixed(integer('timestamp')),
});

type PositionFilter = Parameters<Store['positions']>[0];

export function positionsQuery(
  source: DataSource,
  filter: PositionFilter,
  page: PageRequest,
): SelectQueryBuilder<Position> {
  const query = rowsOfAccount<Position>(source, positionEntity, filter);
  const { statuses } = filter;
  if (statuses?.every((status) => status === 'OPEN')) {
    // A literal, not a parameter: otherwise the query planner does not use the index of open positions.
    query.andWhere("r.status = 'OPEN'");
  } else if (statuses !== undefined) {
    query.andWhere('r.status IN (:...statuses)', { statuses });
  }
  return pageQuery(query, filter.orderBy, filter.descending, page);
}

export function positionReads({ one, select, lists }: Reads) {
  const positionById = one(positionEntity, 'WHERE id = ?');
  const positionsById = select(positionEntity, 'WHERE id IN (SELECT value FROM json_each(?))');
  return {
    position: async (tradeAccountId, id) => ofAccount(await positionById(id), tradeAccountId),
    positionsByIds: async (tradeAccountId, ids) =>
      ids.length === 0
        ? []
        : (await positionsById(JSON.stringify(ids))).filter((one) => one.tradeAccountId === tradeAccountId),
    async positions(filter, page) {
      if (filter.statuses?.length === 0) return EMPTY_PAGE;
      const found = await positionsQuery(await lists(), filter, page).getMany();
      return pageOf(found, page.limit, (row) => row[filter.orderBy]);
    },
    openPositions: select(
      positionEntity,
      `INDEXED BY positions_open_by_creation WHERE status = 'OPEN' ORDER BY trade_account_id, created_at, id`,
    ),
    unassignedLots: select(
      unassignedLotEntity,
      `INDEXED BY unassigned_lots_left WHERE quantity <> '0' ORDER BY id`,
    ),
  } satisfies Partial<Store>;
}
