/**
 * The triggers that still wait, read at a start. The driver makes an object of every row and a value of every column, which
 * for 100,000 triggers takes longer than all the rest of a start; so SQLite packs a piece of the table into one JSON text,
 * on the driver's thread, and one `JSON.parse` makes the rows of it.
 */
import type { Trigger } from '../domain/trigger.ts';
import { columnsOf } from './entities/table-entity.ts';
import { asTrigger, type TriggerRow, triggerEntity } from './entities/trigger.ts';
import type { Row, SqlValue } from './sqlite-handle.ts';

/** About half a megabyte of text: no piece keeps the event loop longer than a few milliseconds. */
const PIECE_ROWS = 1_000;

const COLUMNS = columnsOf(triggerEntity);
const PROPERTIES: readonly string[] = COLUMNS.map(({ property }) => property);

const PACKED = COLUMNS.map(({ column }) =>
  column.type === 'simple-json' ? `json(${column.name})` : column.name,
).join(', ');

export const LIVE_TRIGGERS_SQL = `
  SELECT json_group_array(json_array(${PACKED})) AS rows FROM (
    SELECT * FROM triggers INDEXED BY triggers_live
    WHERE status IN ('ACTIVE', 'PAUSED', 'TRIGGERED') AND (trade_account_id, created_at, id) > (?, ?, ?)
    ORDER BY trade_account_id, created_at, id LIMIT ${PIECE_ROWS})`;

/** Bound by the number of trailing brackets that are or were there since the last prune. */
const PEAKS_SQL = 'SELECT trigger_id, peak, seen_at FROM trailing_peaks';

type All = (sql: string, params: readonly SqlValue[]) => Promise<readonly Row[]>;

export async function eachLiveTrigger(all: All, take: (triggers: readonly Trigger[]) => void): Promise<void> {
  const peaks = new Map(
    (await all(PEAKS_SQL, [])).map((row) => [
      String(row['trigger_id']),
      { peak: String(row['peak']), seenAt: Number(row['seen_at']) },
    ]),
  );
  let after: readonly SqlValue[] = ['', 0, ''];
  for (;;) {
    const [packed] = await all(LIVE_TRIGGERS_SQL, after);
    const rows: unknown[][] = JSON.parse(String(packed?.['rows'] ?? '[]'));
    const triggers = rows.map(unpack);
    const last = triggers.at(-1);
    if (last === undefined) return;
    take(triggers.map((trigger) => withPeak(trigger, peaks.get(trigger.id))));
    if (triggers.length < PIECE_ROWS) return;
    after = [last.tradeAccountId, last.createdAt, last.id];
  }
}

/** The entity has no flags, so every value is as it should be. The table is STRICT and only the encoder writes it. */
function unpack(values: readonly unknown[]): Trigger {
  const row: Record<string, unknown> = {};
  for (const [index, property] of PROPERTIES.entries()) row[property] = values[index];
  return asTrigger(row as TriggerRow);
}

function withPeak(
  trigger: Trigger,
  seen: { readonly peak: string; readonly seenAt: number } | undefined,
): Trigger {
  if (seen === undefined || trigger.armed === null || seen.seenAt < trigger.updatedAt) return trigger;
  return { ...trigger, armed: { ...trigger.armed, peak: seen.peak } };
}
