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
import type { StoreError } from './unit-of-work.ts';

/**
 * Rows of the authorization server. Every change is one transaction decided by the number of changed rows: of several
 * changes that race for one code, one token or one place, exactly one is told that it won. The audit entry is written
 * with the change.
 */
export interface OAuthStore {
  client(id: string): Promise<OAuthClient | null>;
  /** Makes room among `max` by removing the oldest clients that no user has connected; false: all are in use. */
  addClient(client: OAuthClient, max: number): Promise<Result<boolean, StoreError>>;
  /** An interaction, also an expired one: the caller compares its time. */
  interaction(uid: string): Promise<OAuthInteraction | null>;
  /** Makes room among `max` by removing expired interactions, then the oldest without a login, then the oldest. */
  addInteraction(interaction: OAuthInteraction, max: number): Promise<Result<void, StoreError>>;
  /** `LOGIN` → `CONSENT`. False: the interaction does not wait for a login. */
  bindInteraction(uid: string, userId: string): Promise<Result<boolean, StoreError>>;
  /** Ends a denied interaction. False: the interaction had ended. */
  abortInteraction(uid: string, audit: AuditEntry): Promise<Result<boolean, StoreError>>;
  /** Ends the interaction and makes its `PENDING` grant and its code, if the user then holds at most `maxGrants`. */
  approveInteraction(approval: {
    readonly uid: string;
    readonly grant: OAuthGrant;
    readonly code: OAuthCode;
    readonly maxGrants: number;
    readonly audit: AuditEntry;
  }): Promise<Result<'approved' | 'ended' | 'too_many_grants', StoreError>>;
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
  /** A grant's valid refresh token, by the family with which all the grant's tokens begin. */
  refreshTokenOfFamily(familyHash: string): Promise<OAuthRefreshToken | null>;
  /** Replaces the token of its grant. False: the token was rotated already, or the grant is not active. */
  rotateRefreshToken(rotation: {
    readonly currentHash: string;
    readonly next: OAuthRefreshToken;
    readonly grantExpiresAt: number;
  }): Promise<Result<boolean, StoreError>>;
  /** False: the grant is not active. */
  revokeGrant(revocation: {
    readonly grantId: string;
    readonly at: number;
    readonly leftWaiting: Exclude<LeftWaiting, 'CANCELLED'>;
    readonly audit: AuditEntry;
    readonly notification: Notification;
  }): Promise<Result<boolean, StoreError>>;
  /** Notes that all objects a revoked grant left waiting are cancelled: `CANCEL` → `CANCELLED`. */
  leftNothingWaiting(grantId: string): Promise<Result<boolean, StoreError>>;
  /** All grants that retention has not deleted, to be loaded into memory. */
  grants(): Promise<readonly OAuthGrant[]>;
}
