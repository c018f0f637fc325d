/**
 * Recorded candles. SQLite cuts one instrument's bar out of each row on the driver's thread: a text search for the
 * instrument's name is several times as fast as parsing the bars of all instruments.
 */
import type { Bar, Candle, CandleRow } from '../domain/candle.ts';
import type { RecordedSeries } from '../engine/ports/market.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Row, SqlValue } from './file/sqlite-handle.ts';
import type { Reads } from './rows/prepared-reads.ts';
import { integer, json, key, table, text } from './rows/table-entity.ts';

/**
 * One row holds the bars of all instruments, so that a minute is one row to write however many instruments there are.
 * A read takes one instrument's bar out of each row.
 */
export const candleEntity = table<CandleRow>('candles', {
  connector: key(text('connector')),
  interval: key(text('interval')),
  start: key(integer('start')),
  bars: json('bars'),
});

/** Length of the text cut out for a bar; longer than any bar, which has four decimals of at most 41 characters. */
const CUT = 200;
const BARS = `
  SELECT start, substr(bars, place, ${CUT}) AS bar FROM (
    SELECT start, bars, instr(bars, ?1) AS place FROM candles WHERE connector = ?2 AND interval = ?3`;
const RANGE = `${BARS} AND start >= ?4 AND start < ?5) WHERE place > 0 ORDER BY start`;
const NEAREST = {
  before: `${BARS} AND start < ?4) WHERE place > 0 ORDER BY start DESC LIMIT 1`,
  from: `${BARS} AND start >= ?4) WHERE place > 0 ORDER BY start LIMIT 1`,
} as const;

/** Candle statements, exported for a test of their query plans. */
export const CANDLE_STATEMENTS = [RANGE, NEAREST.before, NEAREST.from];

export function candleReads({ all, one }: Reads) {
  const candleRow = one(candleEntity, 'WHERE connector = ? AND interval = ? AND start = ?');
  return {
    async candles(series, from, to) {
      return (await all(RANGE, [...keyOf(series), from, to])).map(candleOf);
    },
    async candleNearest(series, at, side) {
      const [row] = await all(NEAREST[side], [...keyOf(series), at]);
      return row === undefined ? null : candleOf(row);
    },
    candleRow: (connector, interval, start) => candleRow(connector, interval, start),
  } satisfies Partial<Store>;
}

function keyOf({ symbol, connector, interval }: RecordedSeries): readonly SqlValue[] {
  // The instrument's name as the writer encodes it; bars hold digits only, so the name occurs once in a row.
  return [`${JSON.stringify(symbol)}:[`, connector, interval];
}

function candleOf(row: Row): Candle {
  const cut = String(row['bar']);
  const [open, high, low, close]: Bar = JSON.parse(cut.slice(cut.indexOf(':[') + 1, cut.indexOf(']') + 1));
  return { start: Number(row['start']), open, high, low, close };
}
