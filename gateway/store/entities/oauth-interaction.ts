import type { OAuthInteraction } from '../../domain/oauth.ts';
import { integer, json, key, nullable, type TableEntity, text } from '../rows/table-entity.ts';

export const oauthInteractionEntity: TableEntity<OAuthInteraction> = {
  name: 'oauth_interaction',
  tableName: 'oauth_interactions',
  columns: {
    uid: key(text('uid')),
    clientId: text('client_id'),
    redirectUri: text('redirect_uri'),
    scopes: json('scopes'),
    state: nullable(text('state')),
    codeChallenge: text('code_challenge'),
    prompt: text('prompt'),
    userId: nullable(text('user_id')),
    createdAt: integer('created_at'),
    expiresAt: integer('expires_at'),
  },
};
