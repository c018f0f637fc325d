/** The audit log: which security-relevant actions there are and what is written down of each. */

export type AuditAction =
  | 'user.registered'
  | 'session.opened'
  | 'session.refused'
  | 'session.ended'
  | 'password.changed'
  | 'api_key.created'
  | 'api_key.revoked'
  | 'credentials.stored'
  | 'credentials.read'
  | 'credentials.removed'
  | 'agent.approved'
  | 'agent.denied'
  | 'agent.connected'
  | 'agent.revoked'
  /** The grant ended because a rotated refresh token, or a redeemed code, was presented again. */
  | 'agent.token_reused'
  | 'agent.code_replayed'
  | 'trading.paused'
  | 'trading.resumed'
  | 'trading.panic';

/** One security-relevant action: who did what, when, through which client, from where. Never holds a secret. */
export interface AuditEntry {
  readonly id: string;
  readonly userId: string;
  readonly action: AuditAction;
  /** What it was about: the id of the session, key, trade account or grant, the user's for the brakes; null for a refused sign-in. */
  readonly subjectId: string | null;
  /** How the caller was known. */
  readonly method: 'password' | 'wallet' | 'link' | 'session' | 'api_key' | 'oauth_grant' | 'oauth_client';
  /** User agent of a browser or program; for `api_key` the key's id, for the OAuth methods the client's id. */
  readonly client: string | null;
  readonly ip: string | null;
  readonly at: number;
}
