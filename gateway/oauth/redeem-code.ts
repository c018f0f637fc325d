/** `grant_type=authorization_code`: a code becomes the first tokens of its grant. */
import type { AuditTrail } from '../auth/audit.ts';
import { sha256Hex } from '../auth/secret-text.ts';
import type { OAuthTokensBody } from '../contract/oauth-protocol.ts';
import { isCodeReplay, type OAuthClient } from '../domain/oauth.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { OAuthStore } from '../engine/ports/oauth.ts';
import type { Clock, Ids } from '../engine/ports/system.ts';
import { agentNotice } from './agent-notice.ts';
import { CODE_CHECKS, checkCodeRequest, checkVerifier } from './checks/code-checks.ts';
import { firstFailure, invalidGrant, NOT_SAVED, type OAuthFailure } from './failure.ts';
import { windowEnd } from './grant-window.ts';
import type { Grants } from './grants.ts';
import type { EndMisusedGrant } from './misused-grant.ts';
import { INVALID_CODE } from './refusals.ts';
import type { TokenRequest, TokenSettings } from './token.ts';
import { freshRefreshToken, type TokenAnswers } from './tokens.ts';

const ALREADY_REDEEMED = invalidGrant('The authorization code has already been redeemed');

export function createRedeemCode(options: {
  readonly store: OAuthStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
  readonly grants: Grants;
  readonly audit: AuditTrail;
  readonly answers: TokenAnswers;
  readonly endGrant: EndMisusedGrant;
  readonly settings: TokenSettings;
}): (request: TokenRequest, client: OAuthClient) => Promise<Result<OAuthTokensBody, OAuthFailure>> {
  const { store, clock, ids, grants, audit, answers, endGrant, settings } = options;
  return async ({ parameters, ip }, client) => {
    const malformed = checkCodeRequest({ parameters });
    if (malformed !== null) return fail(malformed);
    const code = await store.code(sha256Hex(parameters.get('code')));
    const now = clock.now();
    const grant = code === null ? undefined : grants.get(code.grantId);
    if (code === null || grant === undefined) return fail(INVALID_CODE);
    const failure = firstFailure(CODE_CHECKS, { parameters, code, now });
    if (failure !== null) {
      if (isCodeReplay(code, now) && checkVerifier({ code, parameters }) === null)
        await endGrant(grant, 'code_replayed', ip);
      return fail(failure);
    }

    const mayRefresh = client.grantTypes.includes('refresh_token');
    const refreshToken = mayRefresh ? freshRefreshToken(grant.id, now, null) : null;
    // Without a refresh token, the grant ends with its only access token.
    const lifeSeconds = mayRefresh ? settings.refreshWindowSeconds : settings.accessTokenSeconds;
    const grantExpiresAt = windowEnd(grant, now, lifeSeconds, settings);
    const redeemed = await store.redeemCode({
      codeHash: code.codeHash,
      grantId: grant.id,
      at: now,
      grantExpiresAt,
      refreshToken: refreshToken?.row ?? null,
      audit: audit.entry(grant.userId, 'agent.connected', grant.id, {
        method: 'oauth_client',
        client: client.id,
        ip,
      }),
      notification: agentNotice(ids, 'AGENT_CONNECTED', grant, now),
    });
    if (!redeemed.ok) return fail(NOT_SAVED);
    if (!redeemed.value) return fail(ALREADY_REDEEMED);
    const active = { ...grant, status: 'ACTIVE' as const, expiresAt: grantExpiresAt };
    grants.put(active);
    return ok(answers.answer(active, active.scopes, refreshToken));
  };
}
