/** Deletes rows past their retention, in small pieces through the writer's queue, so that no commit waits long. */
import { CANDLE_RETENTION_MS } from '../../domain/candle.ts';
import { RECORDED_INTERVALS } from '../../domain/candle-intervals.ts';
import { FUNDING_RETENTION_MS } from '../../domain/funding-history.ts';
import { IDEMPOTENCY_RETENTION_MS } from '../idempotency.ts';
import type { Writer } from './writer.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const EVENT_RETENTION_MS = 7 * DAY_MS;
/** Period in which a returning client is still told why its grant has ended. */
const ENDED_GRANT_RETENTION_MS = 30 * DAY_MS;
const AUDIT_RETENTION_MS = 365 * DAY_MS;

/** Maximum rows that one statement deletes: about a millisecond of the writer's time. */
const CHUNK_ROWS = 500;

/**
 * Deletes the account's events before the first one within the retention: always a prefix, so that the kept events have
 * no gap even where two events' times are not in the order of their numbers.
 */
const DELETE_EVENTS = `
  DELETE FROM events WHERE trade_account_id = ?1 AND seq IN (
    SELECT seq FROM (SELECT seq, max(timestamp) OVER (ORDER BY seq) AS latest FROM (
      SELECT seq, timestamp FROM events WHERE trade_account_id = ?1 ORDER BY seq LIMIT ${CHUNK_ROWS}))
    WHERE latest <= ?2)`;

/** Deletes some of the rows for which `where` holds. @param key names a row: one column or several */
function deleting(table: string, key: string, where: string): string {
  return `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${CHUNK_ROWS})`;
}

const DELETE_IDEMPOTENCY = deleting('idempotency', 'user_id, route, key', 'created_at <= ?1');

/** Deletes peaks of triggers that are neither active nor paused; their own rows have the last peak. */
const DELETE_PEAKS = `
  DELETE FROM trailing_peaks WHERE trigger_id IN (
    SELECT p.trigger_id FROM trailing_peaks p JOIN triggers t ON t.id = p.trigger_id
    WHERE t.status NOT IN ('ACTIVE', 'PAUSED') LIMIT ${CHUNK_ROWS})`;

/** Deletes levels of brackets that have ended. */
const DELETE_LEVELS = `
  DELETE FROM bracket_levels WHERE trigger_id IN (
    SELECT l.trigger_id FROM bracket_levels l JOIN triggers t ON t.id = l.trigger_id
    WHERE t.status NOT IN ('ACTIVE', 'PAUSED', 'TRIGGERED') LIMIT ${CHUNK_ROWS})`;

/** Deletes ended grants, except those whose waiting objects have still to be cancelled. */
const DELETE_GRANTS = deleting('oauth_grants', 'id', "expires_at <= ?1 AND left_waiting IS NOT 'CANCEL'");

const WITHOUT_GRANT = 'grant_id NOT IN (SELECT id FROM oauth_grants)';
const DELETE_CODES = deleting('oauth_codes', 'code_hash', WITHOUT_GRANT);
const DELETE_REFRESH_TOKENS = deleting('oauth_refresh_tokens', 'grant_id', WITHOUT_GRANT);
const DELETE_INTERACTIONS = deleting('oauth_interactions', 'uid', 'expires_at <= ?1');
const DELETE_AUDIT = deleting('audit_log', 'id', 'at <= ?1');
const DELETE_APPROVALS = deleting('approvals', 'id', "created_at <= ?1 AND status <> 'PENDING'");
const DELIVERY_RETENTION_MS = 7 * DAY_MS;
const DELETE_DELIVERIES = deleting('news_deliveries', 'id', 'finished_at <= ?1');
const DELETE_FUNDING_RATES = deleting('funding_rates', 'rowid', 'hour <= ?1');
const DELETE_CANDLES = deleting('candles', 'rowid', 'interval = ?1 AND start <= ?2');

/** Reservations of ended objects count for 24 hours. */
const AGENT_USAGE_RETENTION_MS = 2 * DAY_MS;
const DELETE_RESERVATIONS = `
  DELETE FROM agent_reservations WHERE id IN (
    SELECT id FROM agent_reservations r WHERE created_at <= ?1
      AND NOT EXISTS (SELECT 1 FROM triggers t WHERE t.id = r.id AND t.status IN ('ACTIVE', 'PAUSED'))
      AND NOT EXISTS (SELECT 1 FROM schedules s WHERE s.id = r.id AND s.status IN ('ACTIVE', 'PAUSED'))
    LIMIT ${CHUNK_ROWS})`;
const DELETE_AGENT_RESULTS = deleting('agent_results', 'id', 'at <= ?1');

async function deleteInChunks(writer: Writer, sql: string, params: readonly (string | number)[]) {
  for (;;) {
    const deleted = await writer.exclusive(sql, params);
    // After a failed write the next prune tries again.
    if (!deleted.ok || deleted.value.changes < CHUNK_ROWS) return;
  }
}

export async function prune(writer: Writer, now: number): Promise<void> {
  for (const tradeAccountId of writer.accounts()) {
    await deleteInChunks(writer, DELETE_EVENTS, [tradeAccountId, now - EVENT_RETENTION_MS]);
  }
  await deleteInChunks(writer, DELETE_IDEMPOTENCY, [now - IDEMPOTENCY_RETENTION_MS]);
  await deleteInChunks(writer, DELETE_PEAKS, []);
  await deleteInChunks(writer, DELETE_LEVELS, []);
  await deleteInChunks(writer, DELETE_INTERACTIONS, [now]);
  await deleteInChunks(writer, DELETE_GRANTS, [now - ENDED_GRANT_RETENTION_MS]);
  await deleteInChunks(writer, DELETE_CODES, []);
  await deleteInChunks(writer, DELETE_REFRESH_TOKENS, []);
  await deleteInChunks(writer, DELETE_AUDIT, [now - AUDIT_RETENTION_MS]);
  await deleteInChunks(writer, DELETE_APPROVALS, [now - AUDIT_RETENTION_MS]);
  await deleteInChunks(writer, DELETE_DELIVERIES, [now - DELIVERY_RETENTION_MS]);
  await deleteInChunks(writer, DELETE_RESERVATIONS, [now - AGENT_USAGE_RETENTION_MS]);
  await deleteInChunks(writer, DELETE_AGENT_RESULTS, [now - AGENT_USAGE_RETENTION_MS]);
  await deleteInChunks(writer, DELETE_FUNDING_RATES, [now - FUNDING_RETENTION_MS]);
  for (const interval of RECORDED_INTERVALS) {
    const kept = CANDLE_RETENTION_MS[interval];
    if (kept !== null) await deleteInChunks(writer, DELETE_CANDLES, [interval, now - kept]);
  }
}
