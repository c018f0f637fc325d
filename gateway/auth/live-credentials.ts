/** Credentials of WebSocket `auth` messages, and whether the principal's credential is still valid later. */
import { AUTH_MESSAGES } from '../contract/errors.ts';
import type { Principal } from '../domain/model.ts';
import type { ApiKeys } from './api-keys.ts';
import type { SyncAuthenticator } from './authenticator.ts';
import type { GrantRegistry } from './grant-registry.ts';
import type { Sessions } from './sessions.ts';
import type { WsTickets } from './ws-tickets.ts';

export type PresentedCredential =
  | { readonly token: string }
  | { readonly apiKey: string }
  | { readonly ticket: string };

export type CredentialVerdict =
  | { readonly ok: true; readonly principal: Principal; readonly expiresAt: number | null }
  | { readonly ok: false; readonly message: string };

export interface LiveCredentials {
  /** `expiresAt` (epoch ms): when the credential expires by itself; null: only a revocation ends it. */
  authenticate(credential: PresentedCredential): CredentialVerdict;
  /** False once the session ended, the key was revoked or expired, or the grant ended. */
  isAlive(principal: Principal): boolean;
}

export function createLiveCredentials(parts: {
  readonly authenticator: Pick<SyncAuthenticator, 'authenticateApiKey' | 'authenticateToken'>;
  readonly apiKeys: Pick<ApiKeys, 'alive'>;
  readonly sessions: Pick<Sessions, 'alive'>;
  readonly tickets: Pick<WsTickets, 'redeem'>;
  readonly grants: GrantRegistry;
}): LiveCredentials {
  const { authenticator, apiKeys, sessions, tickets, grants } = parts;

  function redeem(ticket: string): CredentialVerdict {
    const principal = tickets.redeem(ticket);
    if (principal === null) return { ok: false, message: AUTH_MESSAGES.invalidToken };
    return { ok: true, principal, expiresAt: null };
  }

  return {
    authenticate(credential) {
      if ('ticket' in credential) return redeem(credential.ticket);
      const answer =
        'apiKey' in credential
          ? authenticator.authenticateApiKey(credential.apiKey)
          : authenticator.authenticateToken(credential.token);
      if (!answer.ok) return { ok: false, message: answer.message };
      const { principal } = answer;
      // A connection outlives the 15 minutes of its access token: it lives as long as the session.
      const expiresAt =
        principal.kind === 'api_key' ? (apiKeys.alive(principal.keyId)?.expiresAt ?? null) : null;
      return { ok: true, principal, expiresAt };
    },
    isAlive(principal) {
      switch (principal.kind) {
        case 'api_key':
          return apiKeys.alive(principal.keyId) !== undefined;
        case 'session':
          return sessions.alive(principal.sessionId) !== undefined;
        case 'oauth_grant':
          return grants.status(principal.grantId) === 'active';
      }
    },
  };
}
