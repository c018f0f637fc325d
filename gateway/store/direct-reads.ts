/**
 * Single rows and the live state that is loaded at a start, as statements prepared on the read handle: they run before
 * TypeORM is needed, and often.
 */
import type { Fill } from '../domain/model.ts';
import type { OAuthStore } from '../engine/ports/oauth.ts';
import type { Store } from '../engine/ports/store.ts';
import type { IdempotencyRecord, StoredEvent } from '../engine/ports/unit-of-work.ts';
import { createCandleReads } from './candle-reads.ts';
import { apiKeyEntity } from './entities/api-key.ts';
import { auditEntryEntity } from './entities/audit-entry.ts';
import { basketEntity } from './entities/basket.ts';
import { candleEntity } from './entities/candle.ts';
import { cursorEntity } from './entities/cursor.ts';
import { eventEntity } from './entities/event.ts';
import { executionEntity, executionOf } from './entities/execution.ts';
import { fillEntity } from './entities/fill.ts';
import { fillReviewEntity } from './entities/fill-review.ts';
import { fundingPaymentEntity } from './entities/funding-payment.ts';
import { idempotencyEntity } from './entities/idempotency.ts';
import { integrationEntity } from './entities/integration.ts';
import { leverageSettingEntity } from './entities/leverage-setting.ts';
import { oauthClientEntity } from './entities/oauth-client.ts';
import { oauthCodeEntity } from './entities/oauth-code.ts';
import { oauthGrantEntity } from './entities/oauth-grant.ts';
import { oauthInteractionEntity } from './entities/oauth-interaction.ts';
import { oauthRefreshTokenEntity } from './entities/oauth-refresh-token.ts';
import { positionEntity } from './entities/position.ts';
import { savedBasketEntity } from './entities/saved-basket.ts';
import { sessionEntity } from './entities/session.ts';
import { settingEntity } from './entities/setting.ts';
import { tradeAccountEntity } from './entities/trade-account.ts';
import { unassignedLotEntity } from './entities/unassigned-lot.ts';
import { userEntity } from './entities/user.ts';
import type { SqliteHandle } from './file/sqlite-handle.ts';
import { createRestingReads, type RestingReads } from './resting-reads.ts';
import { pageOf } from './rows/keyset-page.ts';
import { createPreparedReads } from './rows/prepared-reads.ts';
import type { TableEntity } from './rows/table-entity.ts';

export type OAuthReads = Pick<
  OAuthStore,
  'client' | 'interaction' | 'code' | 'refreshToken' | 'refreshTokenOfFamily' | 'grants'
>;

export type DirectReads = Pick<
  Store,
  | 'execution'
  | 'unfinishedExecutions'
  | 'orderWithExecution'
  | 'position'
  | 'openPositions'
  | 'unassignedLots'
  | 'knownTradeIds'
  | 'fillsByTradeId'
  | 'fillReviews'
  | 'knownFunding'
  | 'leverage'
  | 'idempotency'
  | 'users'
  | 'sessions'
  | 'apiKeys'
  | 'accounts'
  | 'setting'
  | 'cursor'
  | 'auditLog'
  | 'baskets'
  | 'basketCounts'
  | 'savedBaskets'
  | 'savedBasket'
  | 'integrations'
  | 'candles'
  | 'candleNearest'
  | 'candleRow'
  | 'provisionalFills'
> &
  RestingReads & {
    readonly oauth: OAuthReads;
    readonly eventsAfter: (
      tradeAccountId: string,
      after: number,
      limit: number,
    ) => Promise<{ readonly events: readonly StoredEvent[]; readonly oldest: number }>;
    /** True when one row could be read. */
    readonly ping: () => Promise<boolean>;
    readonly close: () => Promise<void>;
  };

/** A row is a trader on a venue, so the number of rows counts a trader once per venue. */
const BASKET_COUNTS = `
  SELECT basket_key, sum(opened) AS opened, count(*) AS traders FROM basket_openers
  WHERE basket_key IN (SELECT value FROM json_each(?1))
    AND (?2 IS NULL OR connector IN (SELECT value FROM json_each(?2)))
  GROUP BY basket_key`;

export function createDirectReads(handle: SqliteHandle): DirectReads {
  const { all, select, close } = createPreparedReads(handle);

  const executionById = select(executionEntity, 'WHERE id = ?');
  /** An execution's id and its orders' are made in one go, so an order's own is at most a few ids before it. */
  const executionsBefore = select(executionEntity, 'WHERE id < ? ORDER BY id DESC LIMIT 8');
  const unfinished = select(
    executionEntity,
    `INDEXED BY executions_unfinished WHERE status IN ('IDLE', 'ACTIVE') ORDER BY created_at, id`,
  );
  const positionById = select(positionEntity, 'WHERE id = ?');
  const openPositions = select(
    positionEntity,
    `INDEXED BY positions_open_by_creation WHERE status = 'OPEN' ORDER BY trade_account_id, created_at, id`,
  );
  const unassignedLots = select(
    unassignedLotEntity,
    `INDEXED BY unassigned_lots_left WHERE quantity <> '0' ORDER BY id`,
  );
  const idempotency = select(idempotencyEntity, 'WHERE user_id = ? AND route = ? AND key = ?');
  const setting = select(settingEntity, 'WHERE key = ?');
  const cursor = select(cursorEntity, 'WHERE trade_account_id = ? AND kind = ?');
  const auditPage = select(
    auditEntryEntity,
    'WHERE user_id = ? AND (at, id) < (?, ?) ORDER BY at DESC, id DESC LIMIT ?',
  );
  const savedBaskets = select(
    savedBasketEntity,
    'WHERE trade_account_id = ? ORDER BY updated_at DESC, id DESC',
  );
  const savedBasket = select(savedBasketEntity, 'WHERE id = ?');
  const candleRow = select(candleEntity, 'WHERE connector = ? AND interval = ? AND start = ?');
  const provisionalFills = select(
    fillEntity,
    'INDEXED BY fills_provisional WHERE trade_account_id = ? AND is_provisional = 1 ORDER BY timestamp, id',
  );
  const fillsByTradeId = select(
    fillEntity,
    'WHERE trade_account_id = ? AND trade_id IN (SELECT value FROM json_each(?))',
  );
  const oauthClient = select(oauthClientEntity, 'WHERE id = ?');
  const oauthInteraction = select(oauthInteractionEntity, 'WHERE uid = ?');
  const oauthCode = select(oauthCodeEntity, 'WHERE code_hash = ?');
  const oauthRefreshToken = select(oauthRefreshTokenEntity, 'WHERE token_hash = ?');
  const oauthRefreshTokenOfFamily = select(oauthRefreshTokenEntity, 'WHERE family_hash = ?');
  const events = select(eventEntity, 'WHERE trade_account_id = ? AND seq > ? ORDER BY seq LIMIT ?');
  const firstEvent = select(eventEntity, 'WHERE trade_account_id = ? ORDER BY seq LIMIT 1');

  /** Values of `column` that are there for the account, out of those asked. */
  function known<R>(entity: TableEntity<R>, column: 'trade_id' | 'venue_id') {
    const sql = `SELECT DISTINCT ${column} AS found FROM ${entity.tableName}
      WHERE trade_account_id = ? AND ${column} IN (SELECT value FROM json_each(?))`;
    return async (tradeAccountId: string, ids: readonly string[]): Promise<ReadonlySet<string>> => {
      if (ids.length === 0) return new Set();
      const rows = await all(sql, [tradeAccountId, JSON.stringify(ids)]);
      return new Set(rows.map((row) => String(row['found'])));
    };
  }

  return {
    ...createRestingReads({ all, select }),
    async execution(tradeAccountId, id) {
      const [found] = await executionById(id);
      return found?.tradeAccountId === tradeAccountId ? executionOf(found) : null;
    },
    async orderWithExecution(tradeAccountId, orderId) {
      const before = (await executionsBefore(orderId)).map(executionOf);
      for (const execution of before) {
        const order = execution.orders.find(({ id }) => id === orderId);
        if (order !== undefined)
          return execution.tradeAccountId === tradeAccountId ? { order, execution } : null;
      }
      return null;
    },
    unfinishedExecutions: async () => (await unfinished()).map(executionOf),
    async position(tradeAccountId, id) {
      const [found] = await positionById(id);
      return found?.tradeAccountId === tradeAccountId ? found : null;
    },
    openPositions: () => openPositions(),
    unassignedLots: () => unassignedLots(),
    knownTradeIds: known<Fill>(fillEntity, 'trade_id'),
    fillsByTradeId: async (tradeAccountId, tradeIds) =>
      tradeIds.length === 0 ? [] : fillsByTradeId(tradeAccountId, JSON.stringify(tradeIds)),
    fillReviews: select(
      fillReviewEntity,
      'INDEXED BY fill_reviews_open WHERE resolved_at IS NULL ORDER BY created_at, id',
    ),
    knownFunding: known(fundingPaymentEntity, 'venue_id'),
    leverage: select(leverageSettingEntity, 'ORDER BY trade_account_id, symbol'),
    async idempotency(userId, route, key): Promise<IdempotencyRecord | null> {
      return (await idempotency(userId, route, key))[0] ?? null;
    },
    users: select(userEntity, 'ORDER BY id'),
    sessions: select(sessionEntity, 'ORDER BY id'),
    apiKeys: select(apiKeyEntity, 'ORDER BY id'),
    accounts: select(tradeAccountEntity, 'ORDER BY id'),
    setting: async (name) => (await setting(name))[0]?.value ?? null,
    cursor: async (tradeAccountId, kind) => (await cursor(tradeAccountId, kind))[0]?.value ?? null,
    async auditLog(userId, page) {
      const { key, id } = page.after ?? { key: Number.MAX_SAFE_INTEGER, id: '' };
      const rows = await auditPage(userId, key, id, page.limit + 1);
      return pageOf(rows, page.limit, ({ at }) => at);
    },
    baskets: select(basketEntity, 'ORDER BY connector, basket_key'),
    async basketCounts(basketKeys, connectors) {
      const rows = await all(BASKET_COUNTS, [
        JSON.stringify(basketKeys),
        connectors === null ? null : JSON.stringify(connectors),
      ]);
      return rows.map((row) => ({
        basketKey: String(row['basket_key']),
        opened: Number(row['opened']),
        traders: Number(row['traders']),
      }));
    },
    savedBaskets: (tradeAccountId) => savedBaskets(tradeAccountId),
    async savedBasket(tradeAccountId, id) {
      const [found] = await savedBasket(id);
      return found?.tradeAccountId === tradeAccountId ? found : null;
    },
    integrations: select(integrationEntity, 'ORDER BY id'),
    ...createCandleReads(all),
    candleRow: async (connector, interval, start) => (await candleRow(connector, interval, start))[0] ?? null,
    provisionalFills: (tradeAccountId) => provisionalFills(tradeAccountId),
    oauth: {
      client: async (id) => (await oauthClient(id))[0] ?? null,
      interaction: async (uid) => (await oauthInteraction(uid))[0] ?? null,
      code: async (codeHash) => (await oauthCode(codeHash))[0] ?? null,
      refreshToken: async (tokenHash) => (await oauthRefreshToken(tokenHash))[0] ?? null,
      refreshTokenOfFamily: async (familyHash) => (await oauthRefreshTokenOfFamily(familyHash))[0] ?? null,
      grants: select(oauthGrantEntity, 'ORDER BY id'),
    },
    async eventsAfter(tradeAccountId, after, limit) {
      const [rows, first] = await Promise.all([
        events(tradeAccountId, after, limit),
        firstEvent(tradeAccountId),
      ]);
      return { events: rows, oldest: first[0]?.seq ?? 0 };
    },
    async ping() {
      try {
        return (await all('SELECT name FROM schema_migrations LIMIT 1', [])).length === 1;
      } catch {
        return false;
      }
    },
    close,
  };
}
