/**
 * Intervals of candles, which browsers read too. They begin at whole multiples of their length since the epoch (UTC), weeks
 * on Monday.
 */

export const CANDLE_INTERVALS = ['1m', '5m', '15m', '30m', '1h', '2h', '4h', '12h', '1d', '1w'] as const;
export type CandleInterval = (typeof CANDLE_INTERVALS)[number];

/** Intervals whose candles are recorded; candles of other intervals are built from them at each reading. */
export const RECORDED_INTERVALS = ['1m', '5m', '1h', '1d'] as const;
export type RecordedInterval = (typeof RECORDED_INTERVALS)[number];

/** The recorded interval of which an interval's candles are put together; of a recorded one itself. */
export const MADE_OF: Readonly<Record<CandleInterval, RecordedInterval>> = {
  '1m': '1m',
  '5m': '5m',
  '15m': '5m',
  '30m': '5m',
  '1h': '1h',
  '2h': '1h',
  '4h': '1h',
  '12h': '1h',
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
  '30m': 30 * MINUTE_MS,
  '1h': HOUR_MS,
  '2h': 2 * HOUR_MS,
  '4h': 4 * HOUR_MS,
  '12h': 12 * HOUR_MS,
  '1d': DAY_MS,
  '1w': 7 * DAY_MS,
};

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
