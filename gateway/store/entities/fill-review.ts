import type { FillReview } from '../../domain/fill-review.ts';
import { fixed, integer, json, key, nullable, type TableEntity, text } from '../rows/table-entity.ts';

export const fillReviewEntity: TableEntity<FillReview> = {
  name: 'fill_review',
  tableName: 'fill_reviews',
  columns: {
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
  },
};
