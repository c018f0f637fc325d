/**
 * The header `DPoP` of a request. A caller without the header is a program, served as the service describes; with the
 * header the session is bound to the key that signed the proof. An invalid proof is refused even where none is needed:
 * a caller that sends a proof wants to be bound by it.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Auth } from '../auth/auth.ts';
import type { KeyProofs } from '../auth/key-proofs.ts';
import type { Authentication } from '../call/authenticator.ts';
import { FrameworkError } from '../call/errors.ts';
import { AUTH_MESSAGES } from '../contract/errors.ts';

/** The request that a proof has to name. `path`: without its query. */
export interface ProvedRequest {
  readonly method: string;
  readonly path: string;
}

/** Response header with the nonce for the client's next proof. */
export function withNonce(proofs: Pick<KeyProofs, 'nonce'>): { readonly 'dpop-nonce': string } {
  return { 'dpop-nonce': proofs.nonce() };
}

/**
 * @returns thumbprint of the key that the caller has; null: the caller sent no proof
 * @throws FrameworkError 401 with `WWW-Authenticate: DPoP error="use_dpop_nonce"` (or `invalid_dpop_proof`) and `DPoP-Nonce`
 */
export async function provedKey(
  proofs: KeyProofs,
  headers: IncomingHttpHeaders,
  request: ProvedRequest,
): Promise<string | null> {
  const { dpop } = headers;
  if (dpop === undefined) return null;
  const verdict = await proofs.check(String(dpop), request);
  if (verdict.ok) return verdict.thumbprint;
  const isStale = verdict.reason === 'nonce';
  throw new FrameworkError(
    401,
    isStale ? 'The DPoP proof needs the nonce of this answer' : 'Invalid DPoP proof',
    {
      ...withNonce(proofs),
      'www-authenticate': `DPoP error="${isStale ? 'use_dpop_nonce' : 'invalid_dpop_proof'}", algs="ES256"`,
    },
  );
}

/** The session of the key that a request proves to have, as an answer of the authenticator. @throws FrameworkError 401 */
export async function authenticateProof(
  auth: Pick<Auth, 'proofs' | 'sessions'>,
  headers: IncomingHttpHeaders,
  request: ProvedRequest,
): Promise<Authentication> {
  const key = await provedKey(auth.proofs, headers, request);
  const session = key === null ? undefined : auth.sessions.ofKey(key);
  if (session === undefined) return { ok: false, status: 401, message: AUTH_MESSAGES.invalidToken };
  return {
    ok: true,
    via: 'header',
    principal: { kind: 'session', userId: session.userId, sessionId: session.id },
  };
}
