/**
 * The triggers that still wait, read at a start. The driver makes an object of every row and a value of every column, which
 * for 100,000 triggers takes longer than all the rest of a start; so SQLite joins a piece of the table to one JSON text, on
 * the driver's thread, and one `JSON.parse` makes the rows of it. Of a trigger that opens and waits only what a start needs
 * is read. While a piece is taken in, the next one is on its way.
 */
import type { Trigger, WaitingOpening } from '../domain/trigger.ts';
import type { Row, SqlValue } from './file/sqlite-handle.ts';
import { type Column, columnsOf } from './rows/table-entity.ts';
import { asTrigger, type TriggerRow, triggerEntity } from './trigger-row.ts';

/** About half a megabyte of text: no piece keeps the event loop longer than a few milliseconds. */
const PIECE_ROWS = 500;

const COLUMNS = columnsOf(triggerEntity);
const PROPERTIES: readonly string[] = COLUMNS.map(({ property }) => property);

/** Where the reading goes on, and, for a row that is damaged, who it was. */
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

/** A column's value as JSON text. What is JSON already is taken as it stands: checking it again would double the cost. */
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

/** Bound by the number of trailing brackets that are or were there since the last prune. */
const PEAKS_SQL = 'SELECT trigger_id, peak, seen_at FROM trailing_peaks';

type All = (sql: string, params: readonly SqlValue[]) => Promise<readonly Row[]>;
type Damaged = (triggerId: string, reason: string) => void;

interface Peak {
  readonly peak: string;
  readonly seenAt: number;
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
  const read = async (after: readonly SqlValue[]): Promise<string | null> => {
    const rows = (await all(LIVE_TRIGGERS_SQL, after))[0]?.['rows'] ?? null;
    return rows === null ? null : String(rows);
  };
  let reading = read(['', 0, '']);
  for (;;) {
    const piece = await reading;
    if (piece === null) return;
    reading = read(lastHead(piece));
    // Whoever takes a piece may throw; then nobody waits for the next one any more.
    reading.catch(() => {});
    take(triggersOf(piece, peaks, damaged));
  }
}

const HEAD_PATTERN = /^\[("(?:[^"\\]|\\.)*"),(\d+),("(?:[^"\\]|\\.)*"),/;

/** (account, createdAt, id) of a row's text; null where the text is not the beginning of a row. */
function headOf(line: string): readonly [string, number, string] | null {
  const [, account, createdAt, id] = HEAD_PATTERN.exec(line) ?? [];
  if (account === undefined || id === undefined) return null;
  return [JSON.parse(account), Number(createdAt), JSON.parse(id)];
}

/** Rows are lines. A line that is no row is the rest of a damaged one. */
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
  peaks: ReadonlyMap<string, Peak>,
  damaged: Damaged,
): readonly (WaitingOpening | Trigger)[] {
  const triggers: (WaitingOpening | Trigger)[] = [];
  for (const values of rowsOf(piece, damaged)) {
    const trigger = values.length === HEAD.length + WAITING.length ? waiting(values) : whole(values, peaks);
    if (isWatchable(trigger)) triggers.push(trigger);
    else damaged(String(values[2]), 'its legs, weights or condition are not those of a trigger');
  }
  return triggers;
}

/** Together, and where that fails one by one: the guilty one is told of and left out. */
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

/** The table is STRICT and only the encoder writes it: what is asked about is whether a text was damaged since. */
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

function whole(values: readonly unknown[], peaks: ReadonlyMap<string, Peak>): Trigger {
  const row: Record<string, unknown> = {};
  for (const [index, property] of PROPERTIES.entries()) row[property] = values[HEAD.length + index];
  const trigger = asTrigger(row as TriggerRow);
  return withPeak(trigger, peaks.get(trigger.id));
}

function withPeak(trigger: Trigger, seen: Peak | undefined): Trigger {
  if (seen === undefined || trigger.armed === null || seen.seenAt < trigger.updatedAt) return trigger;
  return { ...trigger, armed: { ...trigger.armed, peak: seen.peak } };
}
