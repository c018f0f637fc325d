/**
 * Candles of a basket's ratio. All legs are known at one moment only where their candles begin and end, so a ratio's
 * open and close are exact, and its high and low are the extremes over the opens and closes of the finer candles
 * inside. For a single leg all four are exact: its ratio is a power of one price, and rises and falls with it.
 *
 * PRICE_RATIO: the long side's weighted geometric mean price ÷ the short side's, weights normalised per side.
 * WEIGHTED_RATIO: Π price^(+w) over longs × Π price^(−w) over shorts, all weights sum to 1.
 * Formulas of ratio.ts, but in floats with 12 figures kept, because a chart needs thousands of ratios.
 */
import { type Candle, larger, smaller } from './candle.ts';
import { type CandleInterval, intervalStart } from './candle-intervals.ts';
import type { DecimalString } from './decimal.ts';
import { figures } from './figures.ts';
import type { Side } from './model.ts';

export type RatioMetric = 'PRICE_RATIO' | 'WEIGHTED_RATIO';

export interface RatioSeriesLeg {
  readonly side: Side;
  /** Weight, > 0. */
  readonly weight: DecimalString;
  /** Candles, oldest first. */
  readonly candles: readonly Candle[];
}

/** Candles of the ratio at the moments that all legs have; the legs' `candles` are of one interval. */
export function ratioCandles(metric: RatioMetric, legs: readonly RatioSeriesLeg[]): readonly Candle[] {
  const exponents = exponentsOf(metric, legs);
  const byStart = legs.map(({ candles }) => new Map(candles.map((candle) => [candle.start, candle])));
  return (legs[0]?.candles ?? []).flatMap(({ start }) => {
    const at = byStart.flatMap((candles) => candles.get(start) ?? []);
    if (at.length < legs.length) return [];
    const ratio = (pick: 'open' | 'close' | 'high' | 'low') =>
      figures(
        Math.exp(
          at.reduce((log, candle, leg) => log + (exponents[leg] ?? 0) * Math.log(Number(candle[pick])), 0),
        ),
      );
    const open = ratio('open');
    const close = ratio('close');
    if (legs.length === 1) {
      const [one, other] = [ratio('high'), ratio('low')];
      return [{ start, open, high: larger(one, other), low: smaller(one, other), close }];
    }
    return [{ start, open, high: larger(open, close), low: smaller(open, close), close }];
  });
}

/** The candles with the extremes of the finer candles inside them. */
export function withExtremes(
  candles: readonly Candle[],
  interval: CandleInterval,
  finer: readonly Candle[],
): readonly Candle[] {
  const inside = new Map<number, Pick<Candle, 'high' | 'low'>>();
  for (const candle of finer) {
    const start = intervalStart(interval, candle.start);
    const seen = inside.get(start) ?? candle;
    inside.set(start, { high: larger(seen.high, candle.high), low: smaller(seen.low, candle.low) });
  }
  return candles.map((candle) => {
    const seen = inside.get(candle.start);
    if (seen === undefined) return candle;
    return { ...candle, high: larger(candle.high, seen.high), low: smaller(candle.low, seen.low) };
  });
}

const FINER: Readonly<Record<CandleInterval, CandleInterval | null>> = {
  '1m': null,
  '5m': '1m',
  '15m': '5m',
  '30m': '5m',
  '1h': '5m',
  '2h': '1h',
  '4h': '1h',
  '12h': '1h',
  '1d': '1h',
  '1w': '1d',
};

/** The shorter interval whose candles give a ratio's extremes; null: there is none. */
export function finerInterval(interval: CandleInterval): CandleInterval | null {
  return FINER[interval];
}

/** The power of each leg's price in the ratio. */
function exponentsOf(metric: RatioMetric, legs: readonly RatioSeriesLeg[]): readonly number[] {
  const total = (side?: Side) =>
    legs.reduce((sum, leg) => sum + (side === undefined || leg.side === side ? Number(leg.weight) : 0), 0);
  return legs.map(({ side, weight }) => {
    const share = Number(weight) / total(metric === 'PRICE_RATIO' ? side : undefined);
    return side === 'BUY' ? share : -share;
  });
}
