import type { OAuthRefreshToken } from '../../domain/oauth.ts';
import { integer, key, nullable, type TableEntity, text } from '../rows/table-entity.ts';

export const oauthRefreshTokenEntity: TableEntity<OAuthRefreshToken> = {
  name: 'oauth_refresh_token',
  tableName: 'oauth_refresh_tokens',
  columns: {
    grantId: key(text('grant_id')),
    tokenHash: text('token_hash'),
    familyHash: text('family_hash'),
    previousHash: nullable(text('previous_hash')),
    issuedAt: integer('issued_at'),
  },
};
