import type { IdempotencyRecord } from '../../engine/ports/unit-of-work.ts';
import { integer, key, type TableEntity, text } from '../rows/table-entity.ts';

export const idempotencyEntity: TableEntity<IdempotencyRecord> = {
  name: 'idempotency',
  tableName: 'idempotency',
  columns: {
    userId: key(text('user_id')),
    route: key(text('route')),
    key: key(text('key')),
    requestHash: text('request_hash'),
    status: integer('status'),
    answer: text('answer'),
    createdAt: integer('created_at'),
  },
};
