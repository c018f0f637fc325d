/** Rows of the authorization server: implements the port `OAuthStore`. Each change is one claim of the writer. */
import type {
  OAuthClient,
  OAuthCode,
  OAuthGrant,
  OAuthInteraction,
  OAuthRefreshToken,
} from '../domain/oauth.ts';
import { ok, type Result } from '../domain/result.ts';
import type { OAuthStore, Revocation } from '../engine/ports/oauth.ts';
import type { StoreError } from '../engine/ports/unit-of-work.ts';
import { auditEntryEntity } from './audit.ts';
import type { SqlValue } from './file/sqlite-handle.ts';
import { mandateEntity } from './mandates.ts';
import { notificationEntity, notificationRow } from './notifications.ts';
import type { Reads } from './rows/prepared-reads.ts';
import { rowValues, selectList } from './rows/row-codec.ts';
import { integer, json, key, nullable, type TableEntity, table, text } from './rows/table-entity.ts';
import type { ClaimOutcome, ClaimStatement, OwnTransactions } from './writer/claim.ts';

export const oauthClientEntity = table<OAuthClient>('oauth_clients', {
  id: key(text('id')),
  redirectUris: json('redirect_uris'),
  grantTypes: json('grant_types'),
  name: nullable(text('name')),
  createdAt: integer('created_at'),
});

export const oauthInteractionEntity = table<OAuthInteraction>('oauth_interactions', {
  uid: key(text('uid')),
  clientId: text('client_id'),
  redirectUri: text('redirect_uri'),
  scopes: json('scopes'),
  state: nullable(text('state')),
  codeChallenge: text('code_challenge'),
  proposal: nullable(text('proposal')),
  prompt: text('prompt'),
  userId: nullable(text('user_id')),
  createdAt: integer('created_at'),
  expiresAt: integer('expires_at'),
});

export const oauthCodeEntity = table<OAuthCode>('oauth_codes', {
  codeHash: key(text('code_hash')),
  grantId: text('grant_id'),
  clientId: text('client_id'),
  redirectUri: text('redirect_uri'),
  codeChallenge: text('code_challenge'),
  expiresAt: integer('expires_at'),
  redeemedAt: nullable(integer('redeemed_at')),
});

export const oauthGrantEntity = table<OAuthGrant>('oauth_grants', {
  id: key(text('id')),
  userId: text('user_id'),
  clientId: text('client_id'),
  clientName: nullable(text('client_name')),
  scopes: json('scopes'),
  status: text('status'),
  connectedAt: integer('connected_at'),
  expiresAt: integer('expires_at'),
  revokedAt: nullable(integer('revoked_at')),
  leftWaiting: nullable(text('left_waiting')),
  continues: json('continues'),
});

export const oauthRefreshTokenEntity = table<OAuthRefreshToken>('oauth_refresh_tokens', {
  grantId: key(text('grant_id')),
  tokenHash: text('token_hash'),
  familyHash: text('family_hash'),
  previousHash: nullable(text('previous_hash')),
  issuedAt: integer('issued_at'),
});

const deciding = (sql: string, ...params: SqlValue[]): ClaimStatement => ({ sql, params, decides: true });
const also = (sql: string, ...params: SqlValue[]): ClaimStatement => ({ sql, params, decides: false });

/** Inserts the record if `condition` holds when the statement runs. */
function insert<R>(
  entity: TableEntity<R>,
  record: R,
  condition = 'true',
  ...conditionParams: SqlValue[]
): ClaimStatement {
  const values = rowValues(entity, record);
  const places = values.map(() => '?').join(', ');
  const sql = `INSERT INTO ${entity.tableName} (${selectList(entity)}) SELECT ${places} WHERE ${condition}`;
  return deciding(sql, ...values, ...conditionParams);
}

/**
 * Deletes the oldest clients, except those with a grant or a pending consent. max(0, …), because a negative LIMIT
 * would select all rows.
 */
const MAKE_ROOM_FOR_CLIENT = `
  DELETE FROM oauth_clients WHERE id IN (
    SELECT id FROM oauth_clients AS c
    WHERE NOT EXISTS (SELECT 1 FROM oauth_grants AS g WHERE g.client_id = c.id AND g.status <> 'REVOKED')
      AND NOT EXISTS (SELECT 1 FROM oauth_interactions AS i WHERE i.client_id = c.id AND i.prompt = 'CONSENT')
    ORDER BY created_at, id LIMIT max(0, 1 + (SELECT count(*) FROM oauth_clients) - ?))`;

/** Deletes interactions without a sign-in first: a flood of requests cannot push out a person who is deciding. */
const MAKE_ROOM_FOR_INTERACTION = `
  DELETE FROM oauth_interactions WHERE uid IN (
    SELECT uid FROM oauth_interactions ORDER BY prompt DESC, created_at, uid
    LIMIT max(0, 1 + (SELECT count(*) FROM oauth_interactions) - ?))`;

/** Number of grants that count against a user's limit: active grants, and those whose code may still be redeemed. */
const HELD_GRANTS = `(SELECT count(*) FROM oauth_grants WHERE user_id = ? AND status <> 'REVOKED' AND expires_at > ?)`;

function revoking({ grantId, at, leftWaiting, audit, notification }: Revocation): readonly ClaimStatement[] {
  return [
    deciding(
      `UPDATE oauth_grants SET status = 'REVOKED', revoked_at = ?, left_waiting = ?
        WHERE id = ? AND status = 'ACTIVE'`,
      at,
      leftWaiting,
      grantId,
    ),
    insert(auditEntryEntity, audit),
    insert(notificationEntity, notificationRow(notification)),
  ];
}

export function oauthStore({ one, select }: Reads, writer: OwnTransactions): OAuthStore {
  async function claim(
    ...statements: readonly ClaimStatement[]
  ): Promise<Result<ClaimOutcome['lostAt'], StoreError>> {
    const outcome = await writer.claim(statements);
    return outcome.ok ? ok(outcome.value.lostAt) : outcome;
  }

  async function won(...statements: readonly ClaimStatement[]): Promise<Result<boolean, StoreError>> {
    const lostAt = await claim(...statements);
    return lostAt.ok ? ok(lostAt.value === null) : lostAt;
  }

  return {
    client: one(oauthClientEntity, 'WHERE id = ?'),
    interaction: one(oauthInteractionEntity, 'WHERE uid = ?'),
    code: one(oauthCodeEntity, 'WHERE code_hash = ?'),
    refreshToken: one(oauthRefreshTokenEntity, 'WHERE token_hash = ?'),
    refreshTokenOfFamily: one(oauthRefreshTokenEntity, 'WHERE family_hash = ?'),
    grants: select(oauthGrantEntity, 'ORDER BY id'),
    refreshTokens: select(oauthRefreshTokenEntity, ''),

    addClient: (client, max) =>
      won(
        also(MAKE_ROOM_FOR_CLIENT, max),
        insert(oauthClientEntity, client, '(SELECT count(*) FROM oauth_clients) < ?', max),
      ),

    async addInteraction(interaction, max) {
      const added = await claim(
        also('DELETE FROM oauth_interactions WHERE expires_at <= ?', interaction.createdAt),
        also(MAKE_ROOM_FOR_INTERACTION, max),
        insert(oauthInteractionEntity, interaction),
      );
      return added.ok ? ok(undefined) : added;
    },

    bindInteraction: (uid, userId) =>
      won(
        deciding(
          `UPDATE oauth_interactions SET prompt = 'CONSENT', user_id = ? WHERE uid = ? AND prompt = 'LOGIN'`,
          userId,
          uid,
        ),
      ),

    abortInteraction: (uid, audit) =>
      won(
        deciding(
          'DELETE FROM oauth_interactions WHERE uid = ? AND (user_id IS NULL OR user_id = ?)',
          uid,
          audit.userId,
        ),
        insert(auditEntryEntity, audit),
      ),

    async approveInteraction({ uid, grant, code, maxGrants, audit, mandate, replaces }) {
      const replacing = replaces === null ? [] : revoking(replaces);
      const lostAt = await claim(
        deciding(
          `DELETE FROM oauth_interactions WHERE uid = ? AND prompt = 'CONSENT' AND user_id = ?`,
          uid,
          grant.userId,
        ),
        ...replacing,
        insert(oauthGrantEntity, grant, `${HELD_GRANTS} < ?`, grant.userId, grant.connectedAt, maxGrants),
        insert(oauthCodeEntity, code),
        ...(mandate === null ? [] : [insert(mandateEntity, mandate)]),
        ...audit.map((entry) => insert(auditEntryEntity, entry)),
      );
      if (!lostAt.ok) return lostAt;
      if (lostAt.value === null) return ok('approved' as const);
      if (lostAt.value === 0) return ok('ended' as const);
      return ok(lostAt.value <= replacing.length ? ('not_replaced' as const) : ('too_many_grants' as const));
    },

    redeemCode: ({ codeHash, grantId, at, grantExpiresAt, refreshToken, audit, notification }) =>
      won(
        deciding(
          'UPDATE oauth_codes SET redeemed_at = ? WHERE code_hash = ? AND redeemed_at IS NULL',
          at,
          codeHash,
        ),
        deciding(
          `UPDATE oauth_grants SET status = 'ACTIVE', expires_at = ? WHERE id = ? AND status = 'PENDING'`,
          grantExpiresAt,
          grantId,
        ),
        ...(refreshToken === null ? [] : [insert(oauthRefreshTokenEntity, refreshToken)]),
        insert(auditEntryEntity, audit),
        insert(notificationEntity, notificationRow(notification)),
      ),

    rotateRefreshToken: ({ currentHash, next, grantExpiresAt }) =>
      won(
        deciding(
          `UPDATE oauth_refresh_tokens SET token_hash = ?, previous_hash = ?, issued_at = ?
           WHERE grant_id = ? AND token_hash = ?`,
          next.tokenHash,
          currentHash,
          next.issuedAt,
          next.grantId,
          currentHash,
        ),
        deciding(
          `UPDATE oauth_grants SET expires_at = ? WHERE id = ? AND status = 'ACTIVE'`,
          grantExpiresAt,
          next.grantId,
        ),
      ),

    revokeGrant: (revocation) => won(...revoking(revocation)),

    leftNothingWaiting: (grantId) =>
      won(
        deciding(
          `UPDATE oauth_grants SET left_waiting = 'CANCELLED' WHERE id = ? AND left_waiting = 'CANCEL'`,
          grantId,
        ),
      ),
  };
}
