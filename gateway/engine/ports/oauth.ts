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
 * that race for one code, one token or one place, exactly one is told that it won. Each writes its audit entry with it.
 */
export interface OAuthStore {
  client(id: string): Promise<OAuthClient | null>;
  /** Makes room among `max` by removing the oldest clients that nobody has connected; false: all are in use. */
  addClient(client: OAuthClient, max: number): Promise<Result<boolean, StoreError>>;
  /** Expired ones included: what time means is the caller's to say. */
  interaction(uid: string): Promise<OAuthInteraction | null>;
  /** Makes room among `max` by removing expired ones, then the oldest in which nobody has signed in, then the oldest. */
  addInteraction(interaction: OAuthInteraction, max: number): Promise<Result<void, StoreError>>;
  /** `LOGIN` → `CONSENT`. False: no longer waiting for a login. */
  bindInteraction(uid: string, userId: string): Promise<Result<boolean, StoreError>>;
  /** Denied: the interaction ends. False: it had ended. */
  abortInteraction(uid: string, audit: AuditEntry): Promise<Result<boolean, StoreError>>;
  /** The interaction ends; its grant, `PENDING`, and its code are made, if the user then holds at most `maxGrants`. */
  approveInteraction(approval: {
    readonly uid: string;
    readonly grant: OAuthGrant;
    readonly code: OAuthCode;
    readonly maxGrants: number;
    readonly audit: AuditEntry;
  }): Promise<Result<'approved' | 'ended' | 'too_many_grants', StoreError>>;
  code(codeHash: string): Promise<OAuthCode | null>;
  /** The code is used up, its grant becomes `ACTIVE`. False: somebody else redeemed it, or the grant is no longer pending. */
  redeemCode(redemption: {
    readonly codeHash: string;
    readonly grantId: string;
    readonly at: number;
    readonly grantExpiresAt: number;
    /** null: the client gets none. */
    readonly refreshToken: OAuthRefreshToken | null;
    readonly audit: AuditEntry;
    readonly notification: Notification;
  }): Promise<Result<boolean, StoreError>>;
  refreshToken(tokenHash: string): Promise<OAuthRefreshToken | null>;
  /** The one that works of the grant whose tokens begin so. */
  refreshTokenOfFamily(familyHash: string): Promise<OAuthRefreshToken | null>;
  /** Replaces the token of its grant. False: rotated by somebody else, or the grant is no longer active. */
  rotateRefreshToken(rotation: {
    readonly currentHash: string;
    readonly next: OAuthRefreshToken;
    readonly grantExpiresAt: number;
  }): Promise<Result<boolean, StoreError>>;
  /** False: not active. */
  revokeGrant(revocation: {
    readonly grantId: string;
    readonly at: number;
    readonly leftWaiting: Exclude<LeftWaiting, 'CANCELLED'>;
    readonly audit: AuditEntry;
    readonly notification: Notification;
  }): Promise<Result<boolean, StoreError>>;
  /** What a revoked grant left waiting is cancelled: `CANCEL` → `CANCELLED`. */
  leftNothingWaiting(grantId: string): Promise<Result<boolean, StoreError>>;
  /** All that retention has left, for memory. */
  grants(): Promise<readonly OAuthGrant[]>;
}
