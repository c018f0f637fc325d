import type { Position } from '../../domain/model.ts';
import { fixed, integer, json, key, nullable, type TableEntity, text } from '../rows/table-entity.ts';

/**
 * The legs are JSON in the row: a position is always written and read whole, nothing asks for a leg by itself, and one
 * row to replace is one b-tree page instead of a delete and up to twenty inserts.
 */
export const positionEntity: TableEntity<Position> = {
  name: 'position',
  tableName: 'positions',
  columns: {
    id: key(text('id')),
    userId: fixed(text('user_id')),
    tradeAccountId: fixed(text('trade_account_id')),
    connector: fixed(text('connector')),
    basketKey: fixed(text('basket_key')),
    status: text('status'),
    origin: text('origin'),
    entryRatio: nullable(text('entry_ratio')),
    legs: json('legs'),
    createdAt: fixed(integer('created_at')),
    updatedAt: integer('updated_at'),
    closedAt: nullable(integer('closed_at')),
  },
};
