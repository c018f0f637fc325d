/** Rows of the authorization server. The adapter is store/. */
import type { AuditEntry } from '../../domain/audit.ts';
import type { Notification } from '../../domain/notification.ts';
import type {
  LeftWaiting,
  OAuthClient,
  OAuthCode,
  OAuthGrant,
  OAuthInteraction,
  OAuthRefreshToken,
} from '../../domain/oauth.ts';
import type { Result } from '../../domain/result.ts';
import type { MandateRecord } from './mandates.ts';
import type { StoreError } from './unit-of-work.ts';

/** End of an active grant by somebody's decision. */
export interface Revocation {
  readonly grantId: string;
  readonly at: number;
  readonly leftWaiting: Exclude<LeftWaiting, 'CANCELLED'>;
  readonly audit: AuditEntry;
  readonly notification: Notification;
}

/**
 * Rows of the authorization server. Every change is one transaction decided by the number of changed rows: if several
 * changes race for one code or token, exactly one succeeds. The audit entry is written with the change.
 */
export interface OAuthStore {
  client(id: string): Promise<OAuthClient | null>;
  /**
   * Adds a client. If there are `max` already, the oldest without a user's connection is removed; false: all are in
   * use.
   */
  addClient(client: OAuthClient, max: number): Promise<Result<boolean, StoreError>>;
  /** The interaction with this id, even if it has expired: the caller checks the time. */
  interaction(uid: string): Promise<OAuthInteraction | null>;
  /**
   * Adds an interaction. If there are `max` already, expired ones are removed, then the oldest without a login, then
   * the oldest.
   */
  addInteraction(interaction: OAuthInteraction, max: number): Promise<Result<void, StoreError>>;
  /** `LOGIN` → `CONSENT`. False: the interaction is not waiting for a login. */
  bindInteraction(uid: string, userId: string): Promise<Result<boolean, StoreError>>;
  /** Ends a denied interaction. False: the interaction had ended. */
  abortInteraction(uid: string, audit: AuditEntry): Promise<Result<boolean, StoreError>>;
  /**
   * Ends the interaction and makes its `PENDING` grant, its code and its mandate, if the user then holds at most
   * `maxGrants`; the grant that it replaces ends in the same transaction. `not_replaced`: that grant is not active.
   */
  approveInteraction(approval: {
    readonly uid: string;
    readonly grant: OAuthGrant;
    readonly code: OAuthCode;
    readonly maxGrants: number;
    readonly audit: readonly AuditEntry[];
    /** null: no limits. */
    readonly mandate: MandateRecord | null;
    readonly replaces: Revocation | null;
  }): Promise<Result<'approved' | 'ended' | 'not_replaced' | 'too_many_grants', StoreError>>;
  code(codeHash: string): Promise<OAuthCode | null>;
  /** Uses up the code and makes its grant `ACTIVE`. False: the code is redeemed already, or the grant not pending. */
  redeemCode(redemption: {
    readonly codeHash: string;
    readonly grantId: string;
    readonly at: number;
    readonly grantExpiresAt: number;
    /** null: the client gets no refresh token. */
    readonly refreshToken: OAuthRefreshToken | null;
    readonly audit: AuditEntry;
    readonly notification: Notification;
  }): Promise<Result<boolean, StoreError>>;
  refreshToken(tokenHash: string): Promise<OAuthRefreshToken | null>;
  /** A grant's valid refresh token, looked up by the prefix that all tokens of the grant share (the family). */
  refreshTokenOfFamily(familyHash: string): Promise<OAuthRefreshToken | null>;
  /** Replaces the token of its grant. False: the token was rotated already, or the grant is not active. */
  rotateRefreshToken(rotation: {
    readonly currentHash: string;
    readonly next: OAuthRefreshToken;
    readonly grantExpiresAt: number;
  }): Promise<Result<boolean, StoreError>>;
  /** False: the grant is not active. */
  revokeGrant(revocation: Revocation): Promise<Result<boolean, StoreError>>;
  /** Records that all pending orders of a revoked grant have been cancelled: `CANCEL` → `CANCELLED`. */
  leftNothingWaiting(grantId: string): Promise<Result<boolean, StoreError>>;
  /** All grants not yet deleted after their retention; loaded into memory at start. */
  grants(): Promise<readonly OAuthGrant[]>;
  /** The valid refresh token of each grant that has one; loaded into memory at start. */
  refreshTokens(): Promise<readonly OAuthRefreshToken[]>;
}
