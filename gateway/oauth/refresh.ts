/** `grant_type=refresh_token`: the token is replaced, the window of the grant moves, its scopes stay as they are. */
import { sha256Hex } from '../auth/secret-text.ts';
import type { OAuthTokensBody } from '../contract/oauth-protocol.ts';
import { isRefreshTokenReuse } from '../domain/oauth.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { OAuthStore } from '../engine/ports/oauth.ts';
import type { Clock } from '../engine/ports/system.ts';
import { checkGrantStands, REFRESH_CHECKS } from './checks/refresh-checks.ts';
import { badParameter, firstFailure, NOT_SAVED, type OAuthFailure } from './failure.ts';
import { windowEnd } from './grant-window.ts';
import type { Grants } from './grants.ts';
import type { EndMisusedGrant } from './misused-grant.ts';
import { INVALID_REFRESH_TOKEN } from './refusals.ts';
import { readScopes } from './scopes.ts';
import type { TokenRequest, TokenSettings } from './token.ts';
import { familyOf, freshRefreshToken, type TokenAnswers } from './tokens.ts';

export function createRefresh(options: {
  readonly store: OAuthStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly grants: Grants;
  readonly answers: TokenAnswers;
  readonly endGrant: EndMisusedGrant;
  readonly settings: TokenSettings;
}): (request: TokenRequest) => Promise<Result<OAuthTokensBody, OAuthFailure>> {
  const { store, clock, grants, answers, endGrant, settings } = options;

  /** Ends the grant if the refused token had been replaced earlier: then somebody is using a copy of it. */
  async function endIfReused(presented: string, { parameters, ip }: TokenRequest): Promise<void> {
    const successor = await store.refreshTokenOfFamily(sha256Hex(familyOf(presented)));
    const grant = successor === null ? undefined : grants.get(successor.grantId);
    if (successor === null || grant === undefined) return;
    const attempt = { tokenHash: sha256Hex(presented), clientId: parameters.get('client_id') };
    if (isRefreshTokenReuse(successor, attempt, grant, clock.now()))
      await endGrant(grant, 'token_reused', ip);
  }

  return async (request) => {
    const { parameters } = request;
    const presented = parameters.get('refresh_token');
    if (presented === '') return fail(badParameter('refresh_token'));
    const current = await store.refreshToken(sha256Hex(presented));
    const now = clock.now();
    const grant = current === null ? undefined : grants.get(current.grantId);
    if (current === null || grant === undefined) {
      await endIfReused(presented, request);
      return fail(INVALID_REFRESH_TOKEN);
    }
    const failure = firstFailure(REFRESH_CHECKS, { parameters, grant, now });
    if (failure !== null) return fail(failure);

    const next = freshRefreshToken(grant.id, now, presented);
    const grantExpiresAt = windowEnd(grant, now, settings.refreshWindowSeconds, settings);
    const rotated = await store.rotateRefreshToken({
      currentHash: current.tokenHash,
      next: next.row,
      grantExpiresAt,
    });
    if (!rotated.ok) return fail(NOT_SAVED);
    // The grant's state shows why the token was not replaced: the grant was revoked, or another request used the same
    // token.
    const after = grants.get(grant.id) ?? grant;
    if (!rotated.value) {
      await endIfReused(presented, request);
      return fail(checkGrantStands({ grant: after, parameters, now }) ?? INVALID_REFRESH_TOKEN);
    }
    const slid = { ...after, expiresAt: grantExpiresAt };
    grants.put(slid);
    const asked = readScopes(parameters.get('scope'));
    return ok(answers.answer(slid, asked.length === 0 ? slid.scopes : asked, next));
  };
}
