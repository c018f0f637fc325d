/**
 * Imagined prices for times without a recording: before a market's first moment, and while the gateway was off. The
 * path is the index of `index-history.ts`, the process that the live market walks, led through the known prices: where
 * recording stopped and where it begins again. Between two known prices an offset that changes
 * linearly is added to the log path, so that it meets both prices; premiums and the rounding of prices are all that it
 * makes up. Before the first known price the offset is constant.
 *
 * A function of seed, instrument, minute and known prices: every request for a time gets the same answer, and longer
 * candles are made of the minutes. A candle of whole hours draws its minutes only when its high or low is read: its open and
 * close need none, and who asks for closes asks for months.
 */
import type { Candle } from '../../../domain/candle.ts';
import { INTERVAL_MS, type RecordedInterval } from '../../../domain/candle-intervals.ts';
import type { Instrument } from '../../../domain/model.ts';
import type { ImagineRequest } from '../../../engine/ports/venue.ts';
import { IndexHistory } from './index-history.ts';
import { uniformAt } from './noise.ts';
import { priceGridOf, roundNearest, toUnits, unitsText } from './price-grid.ts';
import { hash32 } from './random.ts';
import { HOUR_MS, MINUTE_MS, MINUTES, type ReturnParameters } from './return-series.ts';

export type ImaginePast = (request: ImagineRequest) => readonly Candle[];

export interface ImaginedMarket {
  readonly seed: number;
  readonly instruments: readonly Instrument[];
  /** Return parameters of each instrument, in the order of `instruments`. */
  readonly parameters: readonly ReturnParameters[];
  /** When the market began, epoch ms. */
  readonly startAt: number;
}

/** A point that the path goes through: epoch ms, log price. */
type Anchor = readonly [at: number, log: number];

export function imaginedPast(market: ImaginedMarket): ImaginePast {
  const { seed, instruments, parameters, startAt } = market;
  const numbers = new Map(instruments.map(({ id }, i) => [id, i]));
  const index = new IndexHistory(parameters, seed, startAt);
  return ({ symbol, interval, from, to, before, after }) => {
    const i = numbers.get(symbol);
    const instrument = i === undefined ? undefined : instruments[i];
    if (i === undefined || instrument === undefined || to <= from) return [];
    const known: Anchor[] = [before, after].flatMap((end) =>
      end === null ? [] : [[end.at, Math.log(Number(end.price))] as const],
    );
    const offset = offsets(known, (at) => index.at(i, Math.round(at / MINUTE_MS)));
    const price = gridText(instrument);
    const above = hash32(seed, i, 3);
    const below = hash32(seed, i, 4);

    const drawn = (begin: number, end: number): readonly Candle[] => {
      const gathered = new Gathered(interval, above, below);
      const [first, last] = [Math.floor(begin / MINUTE_MS), Math.ceil(end / MINUTE_MS)];
      for (let hour = Math.floor(first / MINUTES); hour * MINUTES < last; hour += 1) {
        const { levels, variances } = index.points(i, hour);
        const start = hour * MINUTES;
        for (let minute = Math.max(first, start); minute < Math.min(last, start + MINUTES); minute += 1) {
          const within = minute - start;
          const open = (levels[within] ?? 0) + offset(minute * MINUTE_MS);
          const close = (levels[within + 1] ?? 0) + offset((minute + 1) * MINUTE_MS);
          gathered.add(minute, open, close, variances[within] ?? 0);
        }
      }
      return gathered.candles.map(({ start, open, high, low, close }) => ({
        start,
        open: price(open),
        high: price(high),
        low: price(low),
        close: price(close),
      }));
    };

    const step = INTERVAL_MS[interval];
    const isOfHours = step % HOUR_MS === 0 && from % step === 0 && to % step === 0;
    if (!isOfHours) return drawn(from, to);
    const priceAt = (at: number) => price(index.level(i, at / HOUR_MS) + offset(at));
    return Array.from({ length: (to - from) / step }, (_, number): Candle => {
      const start = from + number * step;
      let extremes: Candle | undefined;
      const draw = () => {
        extremes ??= drawn(start, start + step)[0];
        return extremes;
      };
      return {
        start,
        get open() {
          return priceAt(start);
        },
        get high() {
          return draw()?.high ?? priceAt(start);
        },
        get low() {
          return draw()?.low ?? priceAt(start);
        },
        get close() {
          return priceAt(start + step);
        },
      };
    });
  };
}

/**
 * Draws how far above its start a Brownian path rises on its way to `end`, from a uniform number: P(reach > x) =
 * e^(−2x(x − end)/variance), for x ≥ max(0, end) (I. Karatzas and S. Shreve, Brownian Motion and Stochastic Calculus,
 * 4.3.40).
 */
function reach(end: number, variance: number, uniform: number): number {
  return (end + Math.sqrt(end * end - 2 * variance * Math.log(uniform))) / 2;
}

/** Offset that leads the path through the anchors: exact at each anchor, linear between, constant beyond. */
function offsets(anchors: readonly Anchor[], pathAt: (at: number) => number): (at: number) => number {
  const known = anchors.map(([at, log]) => ({ at, offset: log - pathAt(at) }));
  const [left, right = left] = known;
  if (left === undefined || right === undefined) return () => 0;
  const slope = right.at === left.at ? 0 : (right.offset - left.offset) / (right.at - left.at);
  return (at) => {
    if (at <= left.at) return left.offset;
    return at >= right.at ? right.offset : left.offset + slope * (at - left.at);
  };
}

interface LogCandle {
  readonly start: number;
  readonly open: number;
  high: number;
  low: number;
  close: number;
}

/**
 * Maximum wick beyond a minute's open and close, in standard deviations of the minute: √(33 ln 2 ÷ 2), see
 * `uniformAt`.
 */
const LONGEST_WICK = Math.sqrt((33 * Math.LN2) / 2);

/** Combines minutes into whole candle intervals. */
class Gathered {
  readonly candles: LogCandle[] = [];
  private readonly perCandle: number;
  private readonly above: number;
  private readonly below: number;

  /**
   * @param above random stream of the upper wicks
   * @param below random stream of the lower wicks
   */
  constructor(interval: RecordedInterval, above: number, below: number) {
    this.perCandle = INTERVAL_MS[interval] / MINUTE_MS;
    this.above = above;
    this.below = below;
  }

  /** @param variance variance of the minute's return */
  add(minute: number, open: number, close: number, variance: number): void {
    let candle = this.candles.at(-1);
    if (candle === undefined || minute % this.perCandle === 0) {
      candle = { start: minute * MINUTE_MS, open, high: open, low: open, close };
      this.candles.push(candle);
    }
    // Wicks are drawn only if they can widen the candle: most minutes are too far from its high and low.
    const longest = LONGEST_WICK * Math.sqrt(variance);
    if (Math.max(open, close) + longest > candle.high) {
      const high = open + reach(close - open, variance, uniformAt(this.above, minute));
      candle.high = Math.max(candle.high, high);
    }
    if (Math.min(open, close) - longest < candle.low) {
      const low = open - reach(open - close, variance, uniformAt(this.below, minute));
      candle.low = Math.min(candle.low, low);
    }
    candle.close = close;
  }
}

function gridText(instrument: Instrument): (log: number) => string {
  const grid = priceGridOf(instrument);
  return (log) => unitsText(roundNearest(grid, toUnits(Math.exp(log), grid.decimals)), grid.decimals);
}
