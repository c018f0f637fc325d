import type { OAuthGrant } from '../../domain/oauth.ts';
import { integer, json, key, nullable, type TableEntity, text } from '../rows/table-entity.ts';

export const oauthGrantEntity: TableEntity<OAuthGrant> = {
  name: 'oauth_grant',
  tableName: 'oauth_grants',
  columns: {
    id: key(text('id')),
    userId: text('user_id'),
    clientId: text('client_id'),
    clientName: nullable(text('client_name')),
    scopes: json('scopes'),
    status: text('status'),
    connectedAt: integer('connected_at'),
    expiresAt: integer('expires_at'),
    revokedAt: nullable(integer('revoked_at')),
    leftWaiting: nullable(text('left_waiting')),
  },
};
