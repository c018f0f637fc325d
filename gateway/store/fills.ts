/** Fills, reviews of fills, and funding payments. */
import type { DataSource, SelectQueryBuilder } from 'typeorm';
import type { FillReview } from '../domain/fill-review.ts';
import type { Fill, FundingPayment } from '../domain/model.ts';
import type { PageRequest } from '../engine/ports/pages.ts';
import type { Store } from '../engine/ports/store.ts';
import { pageOf, pageQuery } from './rows/keyset-page.ts';
import type { Reads } from './rows/prepared-reads.ts';
import { fixed, flag, integer, json, key, nullable, table, text } from './rows/table-entity.ts';

/** Fills, keyed by (account, time, id): the table itself is the account's history in order, without an index. */
export const fillEntity = table<Fill>('fills', {
  id: key(text('id')),
  tradeAccountId: key(text('trade_account_id')),
  connector: text('connector'),
  executionId: nullable(text('execution_id')),
  orderId: nullable(text('order_id')),
  positionId: nullable(text('position_id')),
  symbol: text('symbol'),
  side: text('side'),
  price: text('price'),
  quantity: text('quantity'),
  notional: text('notional'),
  fee: text('fee'),
  feeAsset: text('fee_asset'),
  realizedPnl: text('realized_pnl'),
  liquidity: text('liquidity'),
  venueOrderId: nullable(text('venue_order_id')),
  tradeId: text('trade_id'),
  cloid: nullable(text('cloid')),
  isLiquidation: flag('is_liquidation'),
  isProvisional: flag('is_provisional'),
  timestamp: key(integer('timestamp')),
  cause: nullable(text('cause')),
});

export const fillReviewEntity = table<FillReview>('fill_reviews', {
  id: key(text('id')),
  tradeAccountId: fixed(text('trade_account_id')),
  connector: fixed(text('connector')),
  tradeId: fixed(text('trade_id')),
  recordedAs: fixed(text('recorded_as')),
  executionId: nullable(fixed(text('execution_id'))),
  symbol: fixed(text('symbol')),
  side: fixed(text('side')),
  price: fixed(text('price')),
  quantity: fixed(text('quantity')),
  timestamp: fixed(integer('timestamp')),
  known: fixed(json('known')),
  createdAt: fixed(integer('created_at')),
  resolvedAt: nullable(integer('resolved_at')),
});

export const fundingPaymentEntity = table<FundingPayment>('funding_payments', {
  tradeAccountId: key(text('trade_account_id')),
  venueId: key(text('venue_id')),
  positionId: key(text('position_id')),
  id: fixed(text('id')),
  symbol: text('symbol'),
  amount: text('amount'),
  rate: text('rate'),
  timestamp: integer('timestamp'),
});

type FillFilter = Parameters<Store['fills']>[0];

function fills(source: DataSource): SelectQueryBuilder<Fill> {
  return source.getRepository<Fill>(fillEntity.tableName).createQueryBuilder('f');
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
    // The unary plus keeps SQLite from using the account's index: a position has few fills, an account many.
    query
      .where('f.positionId = :positionId', { positionId: filter.positionId })
      .andWhere('+f.trade_account_id = :tradeAccountId', { tradeAccountId: filter.tradeAccountId });
  }
  if (filter.connector !== undefined) {
    query.andWhere('f.connector = :connector', { connector: filter.connector });
  }
  return pageQuery(query, 'timestamp', filter.descending, page);
}

/** Fills of an execution, oldest first. */
export function executionFillsQuery(source: DataSource, executionId: string): SelectQueryBuilder<Fill> {
  return fills(source)
    .where('f.executionId = :executionId', { executionId })
    .orderBy('f.timestamp', 'ASC')
    .addOrderBy('f.id', 'ASC');
}

export function fillReads({ all, select, lists }: Reads) {
  const provisionalFills = select(
    fillEntity,
    'INDEXED BY fills_provisional WHERE trade_account_id = ? AND is_provisional = 1 ORDER BY timestamp, id',
  );
  const fillsByTradeId = select(
    fillEntity,
    'WHERE trade_account_id = ? AND trade_id IN (SELECT value FROM json_each(?))',
  );

  const paymentsBefore = select(
    fundingPaymentEntity,
    `INDEXED BY funding_payments_by_time WHERE trade_account_id = ?1 AND timestamp >= ?2
      AND (timestamp, id) < (?3, ?4) ORDER BY timestamp DESC, id DESC LIMIT ?5`,
  );

  /** Reads which of the given values of `column` the table already has for the account. */
  function known(table: string, column: 'trade_id' | 'venue_id') {
    const sql = `SELECT DISTINCT ${column} AS found FROM ${table}
      WHERE trade_account_id = ? AND ${column} IN (SELECT value FROM json_each(?))`;
    return async (tradeAccountId: string, ids: readonly string[]): Promise<ReadonlySet<string>> => {
      if (ids.length === 0) return new Set();
      const rows = await all(sql, [tradeAccountId, JSON.stringify(ids)]);
      return new Set(rows.map((row) => String(row['found'])));
    };
  }

  return {
    async fills(filter, page) {
      const found = await fillsQuery(await lists(), filter, page).getMany();
      return pageOf(found, page.limit, ({ timestamp }) => timestamp);
    },
    fillsOfExecution: async (executionId) => executionFillsQuery(await lists(), executionId).getMany(),
    provisionalFills: (tradeAccountId) => provisionalFills(tradeAccountId),
    fillsByTradeId: async (tradeAccountId, tradeIds) =>
      tradeIds.length === 0 ? [] : fillsByTradeId(tradeAccountId, JSON.stringify(tradeIds)),
    knownTradeIds: known(fillEntity.tableName, 'trade_id'),
    fillReviews: select(
      fillReviewEntity,
      'INDEXED BY fill_reviews_open WHERE resolved_at IS NULL ORDER BY created_at, id',
    ),
    async fundingPayments({ tradeAccountId, from, to }, page) {
      // No id sorts below the empty text: without a cursor the page begins before `to`.
      const after = page.after !== null && page.after.key < to ? page.after : { key: to, id: '' };
      const found = await paymentsBefore(tradeAccountId, from, after.key, after.id, page.limit + 1);
      return pageOf(found, page.limit, ({ timestamp }) => timestamp);
    },
    knownFunding: known(fundingPaymentEntity.tableName, 'venue_id'),
  } satisfies Partial<Store>;
}
