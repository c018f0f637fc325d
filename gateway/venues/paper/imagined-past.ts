/**
 * What prices may have been while nobody recorded them: before a market's first moment, and while the gateway was off.
 *
 * Log prices follow a Brownian path that is a function of (seed, instrument, minute), so that every question about a time
 * is answered alike: Lévy's construction, each midpoint of a stretch of L minutes drawn with the mean of the ends and the
 * variance L/4 (P. Lévy, Processus stochastiques et mouvement brownien, 1948). As in the price process, an instrument's
 * path is β times that of the market plus one of its own. It is led through the prices that are known: where recording
 * begins again, where it stopped, and the hours of the seeded yesterday; between two of them it is bent linearly.
 */
import { type Candle, type CandleInterval, INTERVAL_MS } from '../../domain/candle.ts';
import type { Instrument } from '../../domain/model.ts';
import type { ImagineRequest } from '../../engine/ports.ts';
import { priceGridOf, roundNearest, toUnits, unitsText } from './price-grid.ts';
import type { PriceParameters } from './price-process.ts';
import { hash32 } from './random.ts';

const MINUTE_MS = INTERVAL_MS['1m'];
const HOUR_MS = INTERVAL_MS['1h'];
/** Recording begins within this after the market. */
const BEGINNING_MS = 10 * MINUTE_MS;
/** Minutes of one block of the path, which begins and ends at 0: sixteen years. */
const BLOCK = 2 ** 23;
const MARKET = 0x6d61726b;
/** Share of a minute's standard deviation by which its extremes go beyond its ends, at most. */
const WICK = 0.6;
/** So many points of paths are remembered, 4 MB. */
const REMEMBERED_POINTS = 2 ** 19;

export type ImaginePast = (request: ImagineRequest) => readonly Candle[];

export interface ImaginedMarket {
  readonly seed: number;
  readonly instruments: readonly Instrument[];
  /** Of each instrument, in the same order. */
  readonly parameters: readonly Pick<PriceParameters, 'sigma' | 'beta' | 'idioSigma'>[];
  /** When the market began, epoch ms. */
  readonly startAt: number;
  /** Log price of instrument `i` so many whole hours before the start, relative to the start. */
  readonly yesterday: (i: number, hoursAgo: number) => number;
}

/** A point that the path goes through: epoch ms, log price. */
type Anchor = readonly [at: number, log: number];

export function imaginedPast(market: ImaginedMarket): ImaginePast {
  const { seed, instruments, parameters } = market;
  const marketSigma = parameters[0]?.sigma ?? 0;
  const numbers = new Map(instruments.map(({ id }, i) => [id, i]));
  const unit = rememberedPaths((series, from, to) => unitPath(seed, series, from, to));
  return ({ symbol, interval, from, to, before, after }) => {
    const i = numbers.get(symbol);
    const instrument = i === undefined ? undefined : instruments[i];
    if (i === undefined || instrument === undefined || to <= from) return [];
    const { beta = 0, idioSigma = 0, sigma = 0 } = parameters[i] ?? {};
    const first = Math.floor(from / MINUTE_MS);
    const last = Math.ceil(to / MINUTE_MS);
    const path = (a: number, b: number) => {
      const points = unit(MARKET, a, b).map((value) => value * beta * marketSigma);
      if (idioSigma > 0) {
        for (const [k, value] of unit(i, a, b).entries()) {
          points[k] = (points[k] ?? 0) + value * idioSigma;
        }
      }
      return points;
    };
    const anchors =
      before === null ? yesterdayOf(market, i, after) : [[before.at, logOf(before.price)] as const];
    const offset = offsets([...anchors, [after.at, logOf(after.price)]], (at) => {
      const minute = Math.round(at / MINUTE_MS);
      return path(minute, minute)[0] ?? 0;
    });
    const log = path(first, last).map((value, k) => value + offset((first + k) * MINUTE_MS));
    const price = gridText(instrument);
    return candles(log, { seed: hash32(seed, i), first, interval, wick: sigma * WICK }).map((candle) => ({
      start: candle.start,
      open: price(candle.open),
      high: price(candle.high),
      low: price(candle.low),
      close: price(candle.close),
    }));
  };
}

function logOf(price: string): number {
  return Math.log(Number(price));
}

/** The hours of the seeded yesterday, oldest first, where `after` is the market's beginning. */
function yesterdayOf(
  { startAt, yesterday }: ImaginedMarket,
  i: number,
  after: ImagineRequest['after'],
): readonly Anchor[] {
  if (Math.abs(after.at - startAt) > BEGINNING_MS) return [];
  const hour = Math.floor(startAt / HOUR_MS);
  return Array.from({ length: 25 }, (_, k): Anchor => {
    const ago = 24 - k;
    return [(hour - ago) * HOUR_MS, logOf(after.price) + yesterday(i, ago)];
  });
}

/** What leads the path through the anchors: exact at each, linear between, constant beyond. */
function offsets(anchors: readonly Anchor[], pathAt: (at: number) => number): (at: number) => number {
  const known = anchors.map(([at, log]) => ({ at, offset: log - pathAt(at) }));
  return (at) => {
    const next = known.findIndex((anchor) => anchor.at >= at);
    const right = known[next] ?? known[known.length - 1];
    const left = known[next - 1];
    if (right === undefined) return 0;
    if (left === undefined || next < 0 || right.at === left.at) return right.offset;
    return left.offset + ((right.offset - left.offset) * (at - left.at)) / (right.at - left.at);
  };
}

interface LogCandle {
  readonly start: number;
  readonly open: number;
  high: number;
  low: number;
  close: number;
}

/** Minutes between the points of the path, gathered into whole intervals. */
function candles(
  log: Float64Array,
  shape: {
    readonly seed: number;
    readonly first: number;
    readonly interval: CandleInterval;
    readonly wick: number;
  },
): readonly LogCandle[] {
  const perCandle = INTERVAL_MS[shape.interval] / MINUTE_MS;
  const [above, below] = [hash32(shape.seed, 3), hash32(shape.seed, 4)];
  const made: LogCandle[] = [];
  let running: LogCandle | undefined;
  for (let k = 0; k + 1 < log.length; k += 1) {
    const minute = shape.first + k;
    const open = log[k] ?? 0;
    const close = log[k + 1] ?? 0;
    const high = Math.max(open, close) + shape.wick * uniformAt(above, minute);
    const low = Math.min(open, close) - shape.wick * uniformAt(below, minute);
    if (running === undefined || minute % perCandle === 0) {
      running = { start: minute * MINUTE_MS, open, high, low, close };
      made.push(running);
    } else {
      running.high = Math.max(running.high, high);
      running.low = Math.min(running.low, low);
      running.close = close;
    }
  }
  return made;
}

function gridText(instrument: Instrument): (log: number) => string {
  const grid = priceGridOf(instrument);
  return (log) => unitsText(roundNearest(grid, toUnits(Math.exp(log), grid.decimals)), grid.decimals);
}

type Path = (series: number, from: number, to: number) => Float64Array;

/** Every interval is made of the same stretches, and every instrument of the market's: those asked for last are kept. */
function rememberedPaths(path: Path): Path {
  const kept = new Map<string, Float64Array>();
  let size = 0;
  return (series, from, to) => {
    const name = `${series} ${from} ${to}`;
    const known = kept.get(name);
    const points = known ?? path(series, from, to);
    if (known === undefined) size += points.length;
    kept.delete(name);
    kept.set(name, points);
    for (const [oldest, { length }] of kept) {
      if (size <= REMEMBERED_POINTS) break;
      kept.delete(oldest);
      size -= length;
    }
    return points;
  };
}

/** The path with variance 1 a minute at the minutes `from` … `to`. */
function unitPath(seed: number, series: number, from: number, to: number): Float64Array {
  const points = new Float64Array(to - from + 1);
  const [radius, angle] = [hash32(seed, series, 1), hash32(seed, series, 2)];
  const fill = (a: number, b: number, atA: number, atB: number) => {
    if (a >= from && a <= to) points[a - from] = atA;
    if (b - a < 2 || a > to || b <= from) return;
    const middle = (a + b) / 2;
    const atMiddle = (atA + atB) / 2 + (Math.sqrt(b - a) / 2) * normalAt(radius, angle, middle);
    fill(a, middle, atA, atMiddle);
    fill(middle, b, atMiddle, atB);
  };
  for (let block = Math.floor(from / BLOCK); block * BLOCK <= to; block += 1) {
    fill(block * BLOCK, (block + 1) * BLOCK, 0, 0);
  }
  return points;
}

/** Uniform on (0, 1), a function of both. A year of minutes takes two rounds of MurmurHash3's finaliser, not `hash32`. */
function uniformAt(stream: number, at: number): number {
  let bits = stream ^ Math.imul(at, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  bits = Math.imul(bits ^ (bits >>> 16) ^ stream, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 4294967296 + 2 ** -33;
}

/** Box and Muller, "A note on the generation of random normal deviates" (1958). */
function normalAt(radius: number, angle: number, at: number): number {
  return Math.sqrt(-2 * Math.log(uniformAt(radius, at))) * Math.cos(2 * Math.PI * uniformAt(angle, at));
}
