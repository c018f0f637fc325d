import type { OAuthClient } from '../../domain/oauth.ts';
import { integer, json, key, nullable, type TableEntity, text } from '../rows/table-entity.ts';

export const oauthClientEntity: TableEntity<OAuthClient> = {
  name: 'oauth_client',
  tableName: 'oauth_clients',
  columns: {
    id: key(text('id')),
    redirectUris: json('redirect_uris'),
    grantTypes: json('grant_types'),
    name: nullable(text('name')),
    createdAt: integer('created_at'),
  },
};
