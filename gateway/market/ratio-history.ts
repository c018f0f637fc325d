/**
 * Candles of a basket's ratio, made at each request from the candles of its legs (`domain/ratio-candles.ts`). Twenty
 * legs over months are a lot of candles: one leg is read after the other and the ratios are made piece by piece, so
 * that orders do not wait for a chart.
 */
import type { Candle } from '../domain/candle.ts';
import type { CandleInterval } from '../domain/candle-intervals.ts';
import type { DecimalString } from '../domain/decimal.ts';
import type { Side } from '../domain/model.ts';
import {
  finerInterval,
  type RatioMetric,
  type RatioSeriesLeg,
  ratioCandles,
  withExtremes,
} from '../domain/ratio-candles.ts';
import type { CandleHistory } from '../engine/ports/market.ts';
import { othersHaveTheirTurn } from './turns.ts';

/** Maximum number of candles, over all legs, that are processed in one go: about a millisecond of work. */
const PIECE = 1_000;

export interface RatioRequest {
  readonly connector: string;
  readonly metric: RatioMetric;
  readonly interval: CandleInterval;
  /** `symbol` is an instrument ID, `weight` > 0; at least one leg. */
  readonly legs: readonly {
    readonly symbol: string;
    readonly side: Side;
    readonly weight: DecimalString;
  }[];
  /** Epoch ms; candles begin in [from, to). */
  readonly from: number;
  readonly to: number;
}

export type RatioHistory = (request: RatioRequest) => Promise<readonly Candle[]>;

export function createRatioHistory(history: Pick<CandleHistory, 'candles'>): RatioHistory {
  async function ratios(
    request: RatioRequest,
    interval: CandleInterval,
    from: number,
  ): Promise<readonly Candle[]> {
    const { connector, metric, legs, to } = request;
    const series: RatioSeriesLeg[] = [];
    for (const { symbol, side, weight } of legs) {
      const candles = await history.candles({ connector, interval, symbol }, from, to);
      series.push({ side, weight, candles });
    }
    return inPieces(metric, series);
  }

  return async (request) => {
    const whole = await ratios(request, request.interval, request.from);
    const finer = finerInterval(request.interval);
    const first = whole[0];
    // For a single leg, high and low are exact already, so no finer candles are needed.
    if (finer === null || first === undefined || request.legs.length === 1) return whole;
    return withExtremes(whole, request.interval, await ratios(request, finer, first.start));
  };
}

async function inPieces(metric: RatioMetric, legs: readonly RatioSeriesLeg[]): Promise<readonly Candle[]> {
  const [lead] = legs;
  if (lead === undefined) return [];
  const made: Candle[] = [];
  const length = Math.ceil(PIECE / legs.length);
  let places = legs.map(() => 0);
  for (let next = length; ; next += length) {
    const end = lead.candles[next]?.start ?? Number.POSITIVE_INFINITY;
    const ends = legs.map(({ candles }, leg) => indexFrom(candles, places[leg] ?? 0, end));
    made.push(
      ...ratioCandles(
        metric,
        legs.map((leg, index) => ({ ...leg, candles: leg.candles.slice(places[index], ends[index]) })),
      ),
    );
    if (end === Number.POSITIVE_INFINITY) return made;
    places = ends;
    await othersHaveTheirTurn();
  }
}

/** Index of the first candle from the index `from` on that begins at `at` or later. */
function indexFrom(candles: readonly Candle[], from: number, at: number): number {
  let place = from;
  while ((candles[place]?.start ?? Number.POSITIVE_INFINITY) < at) place += 1;
  return place;
}
