/** Turns the answer of the authenticator into a principal that the route accepts, or a refusal. */
import type { IncomingMessage } from 'node:http';
import { clearEverySessionCookie } from '../../auth/session-cookie.ts';
import { AUTH_MESSAGES } from '../../contract/errors.ts';
import type { RouteContract } from '../../contract/route.ts';
import type { Principal } from '../../domain/model.ts';
import type { Guard } from '../guard.ts';
import { type Authentication, FrameworkError } from '../handler.ts';
import { originForm, pathOf } from '../request-target.ts';

const WRITE_SCOPE = 'mcp:write';

/** A 401 names the scheme it wants (RFC 9110 §11.6.1), unless an API key decided: keys have no scheme. */
function unauthorised(
  { message, cookiesConflict }: Authentication & { readonly ok: false },
  { headers, url }: IncomingMessage,
  challenge: () => string,
): FrameworkError {
  if (headers['x-api-key'] !== undefined) return new FrameworkError(401, message);
  return new FrameworkError(401, message, {
    'www-authenticate': challenge(),
    ...(cookiesConflict === true
      ? { 'set-cookie': clearEverySessionCookie(headers, pathOf(originForm(url ?? '/'))) }
      : {}),
  });
}

/** The auth method is one that the route takes, and its scope covers the HTTP method. */
function requirePermission(contract: RouteContract, principal: Principal): void {
  if (contract.auth === 'B' && principal.kind !== 'session') {
    if (principal.kind === 'oauth_grant' && contract.firstParty === true)
      throw new FrameworkError(403, AUTH_MESSAGES.grantFirstParty);
    throw new FrameworkError(403, AUTH_MESSAGES.methodNotPermitted(principal.kind));
  }
  if (contract.noGrant === true && principal.kind === 'oauth_grant')
    throw new FrameworkError(403, AUTH_MESSAGES.methodNotPermitted(principal.kind));
  if (contract.method === 'GET') return;
  if (principal.kind === 'api_key' && principal.scope === 'read')
    throw new FrameworkError(403, AUTH_MESSAGES.keyReadOnly);
  if (principal.kind === 'oauth_grant' && !principal.scopes.includes(WRITE_SCOPE))
    throw new FrameworkError(403, AUTH_MESSAGES.grantReadOnly);
}

/** @throws FrameworkError 401 or 403. */
export function acceptPrincipal(
  authentication: Authentication,
  contract: RouteContract,
  req: IncomingMessage,
  guard: Guard,
  challenge: () => string,
): Principal {
  if (!authentication.ok) throw unauthorised(authentication, req, challenge);
  if (authentication.via === 'cookie' && contract.method !== 'GET') {
    const refusal = guard.checkCookieMutation(req);
    if (refusal !== null) throw refusal;
  }
  requirePermission(contract, authentication.principal);
  return authentication.principal;
}
