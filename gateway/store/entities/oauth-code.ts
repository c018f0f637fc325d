import type { OAuthCode } from '../../domain/oauth.ts';
import { integer, key, nullable, type TableEntity, text } from '../rows/table-entity.ts';

export const oauthCodeEntity: TableEntity<OAuthCode> = {
  name: 'oauth_code',
  tableName: 'oauth_codes',
  columns: {
    codeHash: key(text('code_hash')),
    grantId: text('grant_id'),
    clientId: text('client_id'),
    redirectUri: text('redirect_uri'),
    codeChallenge: text('code_challenge'),
    expiresAt: integer('expires_at'),
    redeemedAt: nullable(integer('redeemed_at')),
  },
};
