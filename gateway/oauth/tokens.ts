/** Tokens and body of a successful answer of `/token`. */
import { randomSecret, sha256Hex } from '../auth/secret-text.ts';
import type { AccessTokens } from '../auth/tokens.ts';
import type { OAuthTokensBody } from '../contract/oauth-protocol.ts';
import type { OAuthGrant, OAuthRefreshToken } from '../domain/oauth.ts';

export interface FreshRefreshToken {
  /** The refresh token itself, which is given to the client only; the store keeps its hash. */
  readonly secret: string;
  readonly row: OAuthRefreshToken;
}

/** First part of a refresh token, common to all tokens of its grant; without a dot, the whole token. */
export function familyOf(secret: string): string {
  return secret.split('.', 1)[0] ?? '';
}

/** @param replaced the refresh token that the new one replaces; null: the grant has had no refresh token */
export function freshRefreshToken(
  grantId: string,
  issuedAt: number,
  replaced: string | null,
): FreshRefreshToken {
  const family = replaced === null ? randomSecret() : familyOf(replaced);
  const secret = `${family}.${randomSecret()}`;
  const row = {
    grantId,
    tokenHash: sha256Hex(secret),
    familyHash: sha256Hex(family),
    previousHash: replaced === null ? null : sha256Hex(replaced),
    issuedAt,
  };
  return { secret, row };
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
