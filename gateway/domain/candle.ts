/**
 * Candles of mark prices: their intervals, and how smaller candles make a larger one. A candle is named by the time at
 * which it begins; intervals begin at whole multiples of their length since the epoch (UTC).
 */
import type { DecimalString } from './decimal.ts';

export const CANDLE_INTERVALS = ['1m', '5m', '1h', '1d'] as const;
export type CandleInterval = (typeof CANDLE_INTERVALS)[number];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const INTERVAL_MS: Readonly<Record<CandleInterval, number>> = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '1h': HOUR_MS,
  '1d': DAY_MS,
};

/** How long recorded candles are kept; null: for ever. */
export const CANDLE_RETENTION_MS: Readonly<Record<CandleInterval, number | null>> = {
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
  readonly interval: CandleInterval;
  readonly start: number;
  /** Bars by instrument ID. */
  readonly bars: Readonly<Record<string, Bar>>;
}

/** Beginning of the interval that `at` falls in. */
export function intervalStart(interval: CandleInterval, at: number): number {
  return at - (at % INTERVAL_MS[interval]);
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
