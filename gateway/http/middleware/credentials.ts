/** Turns the answer of the authenticator into a principal that the route accepts, or a refusal. */
import type { IncomingHttpHeaders } from 'node:http';
import { clearEverySessionCookie } from '../../auth/session-cookie.ts';
import type { Authentication, Authenticator } from '../../call/authenticator.ts';
import { FrameworkError } from '../../call/errors.ts';
import type { Guard } from '../../call/guard.ts';
import { trustSocket } from '../../call/trusted-sockets.ts';
import { AUTH_MESSAGES } from '../../contract/errors.ts';
import type { RouteContract } from '../../contract/route.ts';
import type { Principal } from '../../domain/model.ts';
import type { ProvedRequest } from '../key-proof.ts';
import type { Check } from '../request-state.ts';

const WRITE_SCOPE = 'mcp:write';

/** A 401 names the scheme it wants (RFC 9110 §11.6.1), unless an API key decided: keys have no scheme. */
function unauthorised(
  { message, cookiesConflict }: Authentication & { readonly ok: false },
  { headers, path }: { readonly headers: IncomingHttpHeaders; readonly path: string },
  challenge: () => string,
): FrameworkError {
  if (headers['x-api-key'] !== undefined) return new FrameworkError(401, message);
  return new FrameworkError(401, message, {
    'www-authenticate': challenge(),
    ...(cookiesConflict === true ? { 'set-cookie': clearEverySessionCookie(headers, path) } : {}),
  });
}

function checkPermission(contract: RouteContract, principal: Principal): void {
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

/** Authenticates a request. An API key or bearer token is used first, then a DPoP proof, then a cookie. */
export type Authenticate = (ctx: Parameters<Check>[0]) => Authentication | Promise<Authentication>;

/** @param byProof authentication by the key that `DPoP` proves; rejects with the refusal of a bad proof */
export function createAuthenticate(
  authenticator: Authenticator,
  byProof: (headers: IncomingHttpHeaders, request: ProvedRequest) => Promise<Authentication>,
): Authenticate {
  return ({ headers, path, state: { route } }) => {
    const provesKey =
      route.contract.byProof === true &&
      headers['dpop'] !== undefined &&
      headers['x-api-key'] === undefined &&
      headers.authorization === undefined;
    if (provesKey) return byProof(headers, { method: route.contract.method, path });
    const key = route.contract.keyAsBearer === true ? keyIn(headers) : undefined;
    return authenticator.authenticate(key === undefined ? headers : { ...headers, 'x-api-key': key });
  };
}

/** An API key that came as a bearer token, where no key came as such. */
function keyIn(headers: IncomingHttpHeaders): string | undefined {
  if (headers['x-api-key'] !== undefined) return undefined;
  return /^bearer +(tdm_\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** Requires a valid credential: behind this check a route that is not public has a principal. */
export function requireCredential(deps: {
  readonly authenticate: Authenticate;
  readonly guard: Guard;
  /** Value of `WWW-Authenticate` on a 401. */
  readonly challenge: () => string;
}): Check {
  function admit(ctx: Parameters<Check>[0], authentication: Authentication): void {
    if (!authentication.ok) throw unauthorised(authentication, ctx, deps.challenge);
    if (authentication.via === 'cookie' && ctx.state.route.contract.method !== 'GET') {
      const refusal = deps.guard.checkCookieMutation(ctx.req);
      if (refusal !== null) throw refusal;
    }
    ctx.state.principal = authentication.principal;
  }
  return (ctx, next) => {
    const { route, authentication } = ctx.state;
    if (route.contract.auth === 'P') return next();
    const found = authentication ?? deps.authenticate(ctx);
    if (found instanceof Promise) return found.then((late) => admit(ctx, late)).then(next);
    admit(ctx, found);
    return next();
  };
}

/** Requires an auth method that the route accepts and a scope that covers the HTTP method. */
export const requirePermission: Check = (ctx, next) => {
  const { route, principal } = ctx.state;
  if (principal !== null) {
    checkPermission(route.contract, principal);
    trustSocket(ctx.req.socket);
  }
  return next();
};
