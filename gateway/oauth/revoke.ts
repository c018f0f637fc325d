/** `POST /revoke` (RFC 7009): an agent hands back its access with its refresh token. */
import type { AuditTrail } from '../auth/audit.ts';
import { sha256Hex } from '../auth/secret-text.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { OAuthStore } from '../engine/ports/oauth.ts';
import { badParameter, NOT_SAVED, type OAuthFailure } from './failure.ts';
import type { Grants } from './grants.ts';
import { readParameters } from './parameters.ts';

/** Reads `token` alone: in a JSON body the ignored fields may hold other types than text. */
function tokenOf(body: unknown): Result<string, OAuthFailure> {
  if (typeof body !== 'object' || body === null || !('token' in body)) return fail(badParameter('token'));
  const read = readParameters({ token: body.token });
  if (!read.ok) return read;
  const token = read.value.get('token');
  return token === '' ? fail(badParameter('token')) : ok(token);
}

export function createRevoke(options: {
  readonly store: OAuthStore;
  readonly grants: Grants;
  readonly audit: AuditTrail;
}): (body: unknown, ip: string) => Promise<Result<void, OAuthFailure>> {
  const { store, grants, audit } = options;
  return async (body, ip) => {
    const token = tokenOf(body);
    if (!token.ok) return token;
    const row = await store.refreshToken(sha256Hex(token.value));
    const grant = row === null ? undefined : grants.get(row.grantId);
    // Unknown tokens get the same answer as working ones, so that nobody learns which tokens exist.
    if (grant === undefined) return ok(undefined);
    const origin = { method: 'oauth_client', client: grant.clientId, ip } as const;
    const revoked = await grants.revoke(
      grant.id,
      audit.entry(grant.userId, 'agent.revoked', grant.id, origin),
    );
    return revoked.ok ? ok(undefined) : fail(NOT_SAVED);
  };
}
