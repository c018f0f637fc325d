import type { ApiKey } from '../../domain/model.ts';
import { fixed, integer, json, key, nullable, type TableEntity, text } from '../rows/table-entity.ts';

export const apiKeyEntity: TableEntity<ApiKey> = {
  name: 'api_key',
  tableName: 'api_keys',
  columns: {
    id: key(text('id')),
    userId: fixed(text('user_id')),
    label: text('label'),
    scope: text('scope'),
    keyPrefix: fixed(text('key_prefix')),
    keyHash: fixed(text('key_hash')),
    tradeAccountIds: nullable(json('trade_account_ids')),
    expiresAt: nullable(integer('expires_at')),
    lastUsedAt: nullable(integer('last_used_at')),
    createdAt: fixed(integer('created_at')),
  },
};
