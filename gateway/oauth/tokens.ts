/** What a successful answer of `/token` carries. */
import { randomSecret, sha256Hex } from '../auth/secret-text.ts';
import type { AccessTokens } from '../auth/tokens.ts';
import type { OAuthTokensBody } from '../contract/oauth-protocol.ts';
import type { OAuthGrant, OAuthRefreshToken } from '../domain/oauth.ts';

export interface FreshRefreshToken {
  /** Goes to the client and nowhere else. */
  readonly secret: string;
  readonly row: OAuthRefreshToken;
}

export function freshRefreshToken(grantId: string, issuedAt: number): FreshRefreshToken {
  const secret = randomSecret();
  return { secret, row: { grantId, tokenHash: sha256Hex(secret), issuedAt } };
}

export interface TokenAnswers {
  /** `scopes` are the grant's own or fewer. */
  answer(
    grant: OAuthGrant,
    scopes: readonly string[],
    refreshToken: FreshRefreshToken | null,
  ): OAuthTokensBody;
}

export function createTokenAnswers(tokens: AccessTokens, accessTokenSeconds: number): TokenAnswers {
  return {
    answer: (grant, scopes, refreshToken) => ({
      token_type: 'Bearer',
      expires_in: accessTokenSeconds,
      access_token: tokens.signGrant({
        userId: grant.userId,
        grantId: grant.id,
        clientId: grant.clientId,
        scopes,
        lifetimeSeconds: accessTokenSeconds,
      }),
      ...(refreshToken === null ? {} : { refresh_token: refreshToken.secret }),
      scope: scopes.join(' '),
    }),
  };
}
