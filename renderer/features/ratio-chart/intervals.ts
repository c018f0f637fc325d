/** Lengths of a chart's candles. */
import {
  CANDLE_INTERVALS,
  type CandleInterval,
  intervalStart,
} from '../../../gateway/domain/candle-intervals.ts';

export const INTERVALS = CANDLE_INTERVALS.map((value) => ({ value, label: value }));

/** Start of the candle that a time falls in, epoch seconds. */
export function candleSeconds(interval: CandleInterval, iso: string): number {
  return intervalStart(interval, Date.parse(iso)) / 1_000;
}
