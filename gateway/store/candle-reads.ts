/**
 * One instrument's recorded candles. SQLite cuts its bar out of each row on the driver's thread: looking for its name in
 * the text is several times as fast as parsing the bars of all instruments.
 */
import type { Bar, Candle } from '../domain/candle.ts';
import type { CandleSeries } from '../engine/ports/market.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Row, SqlValue } from './file/sqlite-handle.ts';

/** Longer than any bar: four decimals of at most 41 characters. */
const CUT = 200;
const BARS = `
  SELECT start, substr(bars, place, ${CUT}) AS bar FROM (
    SELECT start, bars, instr(bars, ?1) AS place FROM candles WHERE connector = ?2 AND interval = ?3`;
const RANGE = `${BARS} AND start >= ?4 AND start < ?5) WHERE place > 0 ORDER BY start`;
const NEAREST = {
  before: `${BARS} AND start < ?4) WHERE place > 0 ORDER BY start DESC LIMIT 1`,
  from: `${BARS} AND start >= ?4) WHERE place > 0 ORDER BY start LIMIT 1`,
} as const;

/** For a test of their plans. */
export const CANDLE_STATEMENTS = [RANGE, NEAREST.before, NEAREST.from];

export function createCandleReads(
  all: (sql: string, params: readonly SqlValue[]) => Promise<readonly Row[]>,
): Pick<Store, 'candles' | 'candleNearest'> {
  return {
    async candles(series, from, to) {
      return (await all(RANGE, [...keyOf(series), from, to])).map(candleOf);
    },
    async candleNearest(series, at, side) {
      const [row] = await all(NEAREST[side], [...keyOf(series), at]);
      return row === undefined ? null : candleOf(row);
    },
  };
}

function keyOf({ symbol, connector, interval }: CandleSeries): readonly SqlValue[] {
  // As the writer encodes it; a bar holds digits only, so the name stands nowhere else.
  return [`${JSON.stringify(symbol)}:[`, connector, interval];
}

function candleOf(row: Row): Candle {
  const cut = String(row['bar']);
  const [open, high, low, close]: Bar = JSON.parse(cut.slice(cut.indexOf(':[') + 1, cut.indexOf(']') + 1));
  return { start: Number(row['start']), open, high, low, close };
}
