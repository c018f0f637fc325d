/**
 * Reads the live triggers at a start. The driver makes an object of every row and a value of every column, which for
 * 100,000 triggers takes longer than the rest of a start; so SQLite joins a piece of the table to one JSON text on the
 * driver's thread, and one `JSON.parse` turns the text into rows. For a waiting opening trigger only the columns that a
 * start needs are read. While one piece is processed, the next one is being read.
 */
import type { SizedLevels } from '../domain/sized-levels.ts';
import type { Trigger, WaitingOpening } from '../domain/trigger.ts';
import type { Row, SqlValue } from './file/sqlite-handle.ts';
import { type Column, columnsOf } from './rows/table-entity.ts';
import { asTrigger, type TriggerRow, triggerEntity } from './trigger-row.ts';

/**
 * Maximum rows per chunk, about half a megabyte of text: parsing one blocks the event loop a few milliseconds at
 * most.
 */
const PIECE_ROWS = 500;

const COLUMNS = columnsOf(triggerEntity);
const PROPERTIES: readonly string[] = COLUMNS.map(({ property }) => property);

/**
 * First values of every row: the key from which the next chunk is read, and the id under which damage is reported.
 */
const HEAD: readonly (keyof TriggerRow)[] = ['tradeAccountId', 'createdAt', 'id'];
const WAITING: readonly (keyof TriggerRow)[] = [
  'connector',
  'status',
  'pauseReason',
  'onMissed',
  'expiresAt',
  'priceSource',
  'legs',
  'weights',
  'condition',
];

/** SQL of a column's value as JSON text. A JSON column is used unchecked: checking it again would double the cost. */
function jsonOf({ type, name }: Column): string {
  return type === 'text' ? `json_quote(${name})` : `coalesce(${name}, 'null')`;
}

const joined = (columns: readonly Column[]): string => columns.map(jsonOf).join(` || ',' || `);
const named = (properties: readonly (keyof TriggerRow)[]): readonly Column[] =>
  properties.map((property) => triggerEntity.columns[property]);

export const LIVE_TRIGGERS_SQL = `
  SELECT group_concat('[' || ${joined(named(HEAD))} || ',' ||
    CASE WHEN kind = 'OPEN' AND status <> 'TRIGGERED' THEN ${joined(named(WAITING))}
    ELSE ${joined(COLUMNS.map(({ column }) => column))} END || ']', ',' || char(10)) AS rows FROM (
    SELECT * FROM triggers INDEXED BY triggers_live
    WHERE status IN ('ACTIVE', 'PAUSED', 'TRIGGERED') AND (trade_account_id, created_at, id) > (?, ?, ?)
    ORDER BY trade_account_id, created_at, id LIMIT ${PIECE_ROWS})`;

export const LIVE_TRIGGER_COUNT_SQL = `SELECT count(*) AS count FROM triggers INDEXED BY triggers_live
  WHERE status IN ('ACTIVE', 'PAUSED', 'TRIGGERED')`;

/** Reads all peaks: at most one row for each trailing bracket that was live since the last prune. */
const PEAKS_SQL = 'SELECT trigger_id, peak, seen_at FROM trailing_peaks';
const LEVELS_SQL = 'SELECT trigger_id, sized FROM bracket_levels';

type All = (sql: string, params: readonly SqlValue[]) => Promise<readonly Row[]>;
type Damaged = (triggerId: string, reason: string) => void;

interface Peak {
  readonly peak: string;
  readonly seenAt: number;
}

/** Rows that override parts of the triggers' own rows, by trigger. */
interface Overrides {
  readonly peaks: ReadonlyMap<string, Peak>;
  readonly levels: ReadonlyMap<string, SizedLevels>;
}

export async function eachLiveTrigger(
  all: All,
  take: (triggers: readonly (WaitingOpening | Trigger)[]) => void,
  damaged: Damaged,
): Promise<void> {
  const peaks = new Map(
    (await all(PEAKS_SQL, [])).map((row): [string, Peak] => [
      String(row['trigger_id']),
      { peak: String(row['peak']), seenAt: Number(row['seen_at']) },
    ]),
  );
  const levels = new Map(
    (await all(LEVELS_SQL, [])).map((row): [string, SizedLevels] => [
      String(row['trigger_id']),
      JSON.parse(String(row['sized'])),
    ]),
  );
  const overrides = { peaks, levels };
  const read = async (after: readonly SqlValue[]): Promise<string | null> => {
    const rows = (await all(LIVE_TRIGGERS_SQL, after))[0]?.['rows'] ?? null;
    return rows === null ? null : String(rows);
  };
  let reading = read(['', 0, '']);
  for (;;) {
    const piece = await reading;
    if (piece === null) return;
    reading = read(lastHead(piece));
    // `take` may throw, and then nobody awaits the next chunk: its rejection must not go unhandled.
    reading.catch(() => {});
    take(triggersOf(piece, overrides, damaged));
  }
}

const HEAD_PATTERN = /^\[("(?:[^"\\]|\\.)*"),(\d+),("(?:[^"\\]|\\.)*"),/;

/** (account, createdAt, id) of a row's text; null where the text is not the beginning of a row. */
function headOf(line: string): readonly [string, number, string] | null {
  const [, account, createdAt, id] = HEAD_PATTERN.exec(line) ?? [];
  if (account === undefined || id === undefined) return null;
  return [JSON.parse(account), Number(createdAt), JSON.parse(id)];
}

/** Head of the last intact row. Each row is a line; a line without a head is the rest of a damaged row. */
function lastHead(piece: string): readonly SqlValue[] {
  for (let end = piece.length; end > 0; ) {
    const start = piece.lastIndexOf('\n', end - 1) + 1;
    const head = headOf(piece.slice(start, end));
    if (head !== null) return head;
    end = start - 1;
  }
  throw new Error('The stored triggers cannot be read: a row has no key');
}

function triggersOf(
  piece: string,
  overrides: Overrides,
  damaged: Damaged,
): readonly (WaitingOpening | Trigger)[] {
  const triggers: (WaitingOpening | Trigger)[] = [];
  for (const values of rowsOf(piece, damaged)) {
    const trigger =
      values.length === HEAD.length + WAITING.length ? waiting(values) : whole(values, overrides);
    if (isWatchable(trigger)) triggers.push(trigger);
    else damaged(String(values[2]), 'its legs, weights or condition are not those of a trigger');
  }
  return triggers;
}

/** Parses all rows together, and after a failure one by one: a damaged row is reported and left out. */
function rowsOf(piece: string, damaged: Damaged): readonly unknown[][] {
  try {
    return JSON.parse(`[${piece}]`);
  } catch {
    return piece.split(',\n').flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch (error) {
        damaged(String(headOf(line)?.[2]), error instanceof Error ? error.message : String(error));
        return [];
      }
    });
  }
}

/** False for a row whose texts were damaged after writing: the table is STRICT and only the encoder writes it. */
function isWatchable({ legs, weights, condition, armed }: WaitingOpening | Trigger): boolean {
  if (!Array.isArray(legs) || !Array.isArray(weights) || weights.length !== legs.length) return false;
  for (const leg of legs) if (typeof leg?.symbol !== 'string') return false;
  for (const weight of weights) if (!Number.isFinite(Number(weight))) return false;
  if (condition === null) return typeof armed?.bracket?.value === 'string';
  return typeof condition?.type === 'string' && Number.isFinite(Number(condition.value));
}

function waiting(values: readonly unknown[]): WaitingOpening {
  const row = {
    id: values[2],
    tradeAccountId: values[0],
    connector: values[3],
    kind: 'OPEN',
    status: values[4],
    pauseReason: values[5],
    positionId: null,
    onMissed: values[6],
    expiresAt: values[7],
    priceSource: values[8],
    legs: values[9],
    weights: values[10],
    condition: values[11],
    bracketType: null,
    armed: null,
  };
  return row as WaitingOpening;
}

function whole(values: readonly unknown[], { peaks, levels }: Overrides): Trigger {
  const row: Record<string, unknown> = {};
  for (const [index, property] of PROPERTIES.entries()) row[property] = values[HEAD.length + index];
  const trigger = asTrigger(row as TriggerRow);
  return withLevels(withPeak(trigger, peaks.get(trigger.id)), levels.get(trigger.id));
}

function withLevels(trigger: Trigger, sized: SizedLevels | undefined): Trigger {
  if (sized === undefined || trigger.armed === null) return trigger;
  return { ...trigger, armed: { ...trigger.armed, sized } };
}

function withPeak(trigger: Trigger, seen: Peak | undefined): Trigger {
  if (seen === undefined || trigger.armed === null || seen.seenAt < trigger.updatedAt) return trigger;
  return { ...trigger, armed: { ...trigger.armed, peak: seen.peak } };
}
