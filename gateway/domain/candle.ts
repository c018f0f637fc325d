/**
 * Candles of mark prices: their intervals, and how smaller candles make a larger one. A candle is named by the time at
 * which it begins; intervals begin at whole multiples of their length since the epoch (UTC), weeks on Monday.
 */
import type { DecimalString } from './decimal.ts';

export const CANDLE_INTERVALS = ['1m', '5m', '15m', '1h', '4h', '1d', '1w'] as const;
export type CandleInterval = (typeof CANDLE_INTERVALS)[number];

/** Intervals whose candles are recorded; candles of the others are put together when somebody reads them. */
export const RECORDED_INTERVALS = ['1m', '5m', '1h', '1d'] as const;
export type RecordedInterval = (typeof RECORDED_INTERVALS)[number];

/** The recorded interval of which an interval's candles are put together; of a recorded one itself. */
export const MADE_OF: Readonly<Record<CandleInterval, RecordedInterval>> = {
  '1m': '1m',
  '5m': '5m',
  '15m': '5m',
  '1h': '1h',
  '4h': '1h',
  '1d': '1d',
  '1w': '1d',
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The first Monday since the epoch, which was a Thursday. */
const FIRST_MONDAY = 4 * DAY_MS;

export const INTERVAL_MS: Readonly<Record<CandleInterval, number>> = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': HOUR_MS,
  '4h': 4 * HOUR_MS,
  '1d': DAY_MS,
  '1w': 7 * DAY_MS,
};

/** How long recorded candles are kept; null: for ever. */
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

/** Beginning of the interval that `at` falls in, epoch ms. */
export function intervalStart(interval: CandleInterval, at: number): number {
  const step = INTERVAL_MS[interval];
  if (interval !== '1w') return at - (at % step);
  // Before the first Monday the remainder is negative.
  return at - ((((at - FIRST_MONDAY) % step) + step) % step);
}

/** The first beginning of an interval at or after `at`, epoch ms. */
export function nextIntervalStart(interval: CandleInterval, at: number): number {
  const start = intervalStart(interval, at);
  return start === at ? at : start + INTERVAL_MS[interval];
}

/**
 * Candles of `interval` put together of shorter ones, which are in order; those that are not there are left out of it, as a
 * recorded candle has only what was recorded.
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
