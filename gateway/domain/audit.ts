/** The audit log: the security-relevant actions, and the entry written for each. */

import type { AUDIT_METHODS } from './enumerations.ts';
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
  /** A live account was armed, or its limits were changed. */
  | 'account.armed'
  | 'account.disarmed'
  /** A key, or a token for readings, of an account at a venue was made. */
  | 'venue_key.created'
  | 'venue_token.created'
  /** The venue received a transaction that the owner's wallet had signed. */
  | 'venue_key.registered'
  | 'integrator.approved'
  | 'withdrawal.submitted'
  | 'account_tier.changed'
  | 'approval.requested'
  | 'approval.approved'
  | 'approval.denied'
  | 'approval.expired'
  | 'approval.withdrawn'
  | 'agent.approved'
  | 'agent.denied'
  | 'agent.connected'
  | 'agent.revoked'
  /** The grant ended because a rotated refresh token, or a redeemed code, was presented again. */
  | 'agent.token_reused'
  | 'agent.code_replayed'
  | 'agent.suspended'
  | 'agent.resumed'
  /** An order was placed or a position changed, with a reason given by its author; the subject is the result. */
  | 'agent.order.placed'
  /** A mandate was given or changed; the subject is the grant or the API key. */
  | 'mandate.changed'
  /** Limits over all agents of the user. */
  | 'house_limits.changed'
  /** A destination of news (webhook or message channel) was created, changed, given a new secret, or removed. */
  | 'destination.created'
  | 'destination.changed'
  | 'destination.secret_rotated'
  | 'destination.removed'
  /** An agent, or a program with a mandate, made the protection of a position smaller; the subject is the position. */
  | 'protection.loosened'
  | 'trading.paused'
  | 'trading.resumed'
  | 'trading.panic';

/** One security-relevant action with its actor, time, client and address. Never holds a secret. */
export interface AuditEntry {
  readonly id: string;
  readonly userId: string;
  readonly action: AuditAction;
  /**
   * Id of the session, key, trade account, grant, approval or position concerned, the user's for pause, resume and panic; null: a refused sign-in.
   */
  readonly subjectId: string | null;
  /** Authentication method of the caller. */
  readonly method: (typeof AUDIT_METHODS)[number];
  /** User agent of a browser or program; for `api_key` the key's id, for the OAuth methods the client's id. */
  readonly client: string | null;
  readonly ip: string | null;
  /** Why, in the words of the agent or program that did it; null: it gave no reason, or is a person. */
  readonly says: string | null;
  readonly at: number;
}
