/** Candles of mark prices, and how smaller candles make a larger one. A candle is named by the time at which it begins. */
import {
  type CandleInterval,
  INTERVAL_MS,
  intervalStart,
  type RecordedInterval,
} from './candle-intervals.ts';
import type { DecimalString } from './decimal.ts';

const DAY_MS = INTERVAL_MS['1d'];

/** Retention of recorded candles; null: for ever. */
export const CANDLE_RETENTION_MS: Readonly<Record<RecordedInterval, number | null>> = {
  '1m': DAY_MS,
  '5m': 3 * DAY_MS,
  '1h': 91 * DAY_MS,
  '1d': null,
};

export interface Candle {
  /** Beginning of the candle, epoch ms. */
  readonly start: number;
  readonly open: DecimalString;
  readonly high: DecimalString;
  readonly low: DecimalString;
  readonly close: DecimalString;
}

/** Open, high, low, close. */
export type Bar = readonly [
  open: DecimalString,
  high: DecimalString,
  low: DecimalString,
  close: DecimalString,
];

/** Every instrument's bar of one interval of one connector: how candles are recorded. */
export interface CandleRow {
  readonly connector: string;
  readonly interval: RecordedInterval;
  readonly start: number;
  /** Bars by instrument ID. */
  readonly bars: Readonly<Record<string, Bar>>;
}

/**
 * Builds candles of `interval` from shorter ones, which are in order. Missing ones are left out, as a recorded candle
 * has only recorded prices.
 */
export function gatherCandles(interval: CandleInterval, shorter: readonly Candle[]): readonly Candle[] {
  const gathered: Candle[] = [];
  for (const { start: at, open, high, low, close } of shorter) {
    const start = intervalStart(interval, at);
    const begun = gathered.at(-1);
    if (begun?.start !== start) {
      gathered.push({ start, open, high, low, close });
      continue;
    }
    const extremes = { high: larger(begun.high, high), low: smaller(begun.low, low) };
    gathered[gathered.length - 1] = { ...begun, ...extremes, close };
  }
  return gathered;
}

/** Combines two successive bars into one. */
export function joinBars(earlier: Bar, later: Bar): Bar {
  return [earlier[0], larger(earlier[1], later[1]), smaller(earlier[2], later[2]), later[3]];
}

/**
 * The larger of two prices, as its text. Compared as floats, which can distinguish any two prices of at most 15
 * digits.
 */
export function larger(a: DecimalString, b: DecimalString): DecimalString {
  return Number(b) > Number(a) ? b : a;
}

export function smaller(a: DecimalString, b: DecimalString): DecimalString {
  return Number(b) < Number(a) ? b : a;
}
