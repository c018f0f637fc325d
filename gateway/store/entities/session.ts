import type { Session } from '../../domain/model.ts';
import { fixed, integer, key, nullable, type TableEntity, text } from '../rows/table-entity.ts';

export const sessionEntity: TableEntity<Session> = {
  name: 'session',
  tableName: 'sessions',
  columns: {
    id: key(text('id')),
    userId: fixed(text('user_id')),
    refreshHash: text('refresh_hash'),
    keyThumbprint: fixed(nullable(text('key_thumbprint'))),
    userAgent: nullable(text('user_agent')),
    ip: nullable(text('ip')),
    createdAt: fixed(integer('created_at')),
    lastUsedAt: integer('last_used_at'),
    expiresAt: integer('expires_at'),
  },
};
