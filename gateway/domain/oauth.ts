/**
 * Records of the authorization server, and the lives of an interaction, a code and a grant as tables. Times are epoch
 * milliseconds, hashes SHA-256 in lowercase hex. States that only the passing of time brings (`LAPSED`, `EXPIRED`) are
 * worked out from `expiresAt` and are not stored; an interaction or a refresh token that has ended has no row.
 */
import type { TransitionTable } from './transition.ts';

/** A dynamically registered public client (RFC 7591). Never changes after its registration. */
export interface OAuthClient {
  readonly id: string;
  readonly redirectUris: readonly string[];
  readonly grantTypes: readonly ('authorization_code' | 'refresh_token')[];
  /** Name of the client; null: the client is shown by its id. */
  readonly name: string | null;
  readonly createdAt: number;
}

/** A validated `/authorize` request on its way through sign-in and consent. A finished one has no row. */
export interface OAuthInteraction {
  readonly uid: string;
  readonly clientId: string;
  /** Redirect URI as sent: the exact registered string. */
  readonly redirectUri: string;
  /** Scopes requested. */
  readonly scopes: readonly string[];
  /** The client's own opaque value; null: it sent none. */
  readonly state: string | null;
  readonly codeChallenge: string;
  /** Terms that the client proposes for its mandate, JSON text; null: none. */
  readonly proposal: string | null;
  readonly prompt: 'LOGIN' | 'CONSENT';
  /** User who signed in; null while the prompt is `LOGIN`. */
  readonly userId: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/**
 * An authorization code. It is made with its grant; redeeming it turns the grant from `PENDING` to `ACTIVE`.
 */
export interface OAuthCode {
  readonly codeHash: string;
  readonly grantId: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly expiresAt: number;
  readonly redeemedAt: number | null;
}

/** Permission that a user has given a client. */
export interface OAuthGrant {
  readonly id: string;
  readonly userId: string;
  readonly clientId: string;
  /** The client's name at the time of consent; null: it had none. */
  readonly clientName: string | null;
  readonly scopes: readonly string[];
  readonly status: 'PENDING' | 'ACTIVE' | 'REVOKED';
  /** The time of consent. */
  readonly connectedAt: number;
  /** End of the code while `PENDING`, of the refresh window while `ACTIVE`. */
  readonly expiresAt: number;
  readonly revokedAt: number | null;
  /** Fate of the resting orders that the grant left behind; null until the grant is revoked. */
  readonly leftWaiting: LeftWaiting | null;
  /** Ids of the user's earlier grants whose use counts as this one's too, because the client registered again. */
  readonly continues: readonly string[];
}

/**
 * Fate of the resting orders that a revoked grant left behind. `CANCEL`: they will be cancelled. `CANCELLED`: they have
 * been. `KEPT`: they stay pending as if the user had placed them.
 */
export type LeftWaiting = 'CANCEL' | 'CANCELLED' | 'KEPT';

/** Name that the client gives itself; unverified. */
export function agentName({ clientName, clientId }: Pick<OAuthGrant, 'clientName' | 'clientId'>): string {
  return clientName ?? clientId;
}

/**
 * The only valid refresh token of a grant; rotating the token replaces the row. All tokens of a grant begin with the
 * same secret, so that every rotated token is recognised, however old, without a list of them.
 */
export interface OAuthRefreshToken {
  readonly grantId: string;
  readonly tokenHash: string;
  /** Hash of the secret that the grant's tokens begin with. */
  readonly familyHash: string;
  /** Hash of the token that this token replaced; null: it is the grant's first token. */
  readonly previousHash: string | null;
  /** Time of issue, which is when the previous token was replaced. */
  readonly issuedAt: number;
}

/** Within this time a client may repeat its own request: twice at once, or again because the answer was lost. */
const OWN_RACE_MS = 10_000;

/** True: `at` is close to `now`, before or after. A clock set back must not make a client look like a thief. */
function justNow(at: number, now: number): boolean {
  return Math.abs(now - at) < OWN_RACE_MS;
}

/**
 * True: an invalid token of the family, presented by `clientId`, shows that two parties hold the grant's tokens. A
 * client's own repetition does not: it comes within seconds, before the newer token has been used.
 */
export function isRefreshTokenReuse(
  current: OAuthRefreshToken,
  presented: { readonly tokenHash: string; readonly clientId: string },
  grant: Pick<OAuthGrant, 'clientId'>,
  now: number,
): boolean {
  const ownRace =
    presented.tokenHash === current.previousHash &&
    presented.clientId === grant.clientId &&
    justNow(current.issuedAt, now);
  return !ownRace;
}

/** True: somebody else had redeemed the presented code, with its verifier, before. */
export function isCodeReplay(code: Pick<OAuthCode, 'redeemedAt'>, now: number): boolean {
  return code.redeemedAt !== null && !justNow(code.redeemedAt, now);
}

export type InteractionState = OAuthInteraction['prompt'] | 'ENDED';
export type InteractionEvent = 'login' | 'confirm' | 'abort';

export const INTERACTION_TRANSITIONS: TransitionTable<InteractionState, InteractionEvent> = {
  // The user may be signed in already (another tab) and can refuse without signing in again.
  LOGIN: { login: 'CONSENT', abort: 'ENDED' },
  // If the session ended while the page was open, the same account signs in again.
  CONSENT: { login: 'CONSENT', confirm: 'ENDED', abort: 'ENDED' },
  ENDED: {},
};

/** The interaction ends at its expiry, whatever its prompt. */
export function interactionState(interaction: OAuthInteraction, now: number): InteractionState {
  return now < interaction.expiresAt ? interaction.prompt : 'ENDED';
}

export type CodeState = 'ISSUED' | 'REDEEMED' | 'LAPSED';

export const CODE_TRANSITIONS: TransitionTable<CodeState, 'redeem'> = {
  ISSUED: { redeem: 'REDEEMED' },
  REDEEMED: {},
  LAPSED: {},
};

export function codeState(code: OAuthCode, now: number): CodeState {
  if (code.redeemedAt !== null) return 'REDEEMED';
  return now < code.expiresAt ? 'ISSUED' : 'LAPSED';
}

/** True if no order that the grant placed may open a position any more. */
export function isCutOff({ status, leftWaiting }: Pick<OAuthGrant, 'status' | 'leftWaiting'>): boolean {
  return status === 'REVOKED' && leftWaiting !== 'KEPT';
}

export type GrantState = OAuthGrant['status'] | 'LAPSED' | 'EXPIRED';
export type GrantEvent = 'redeem' | 'refresh' | 'revoke';

export const GRANT_TRANSITIONS: TransitionTable<GrantState, GrantEvent> = {
  PENDING: { redeem: 'ACTIVE' },
  // Each refresh replaces the refresh token and moves the end of the window.
  ACTIVE: { refresh: 'ACTIVE', revoke: 'REVOKED' },
  REVOKED: {},
  LAPSED: {},
  EXPIRED: {},
};

export function grantState(grant: OAuthGrant, now: number): GrantState {
  if (grant.status === 'REVOKED' || now < grant.expiresAt) return grant.status;
  return grant.status === 'PENDING' ? 'LAPSED' : 'EXPIRED';
}
