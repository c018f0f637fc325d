/**
 * Candles for readers: recorded candles, candles still being recorded and, for unrecorded times of a simulated
 * venue, candles that the venue imagines (`Venue.imaginePast`, `gap-candles.ts`), so that its charts have a past.
 *
 * Only time that was never recorded is imagined: the time before the recording began, as far back as `PAST_MS`, and the
 * gaps in which the gateway was off. Recorded candles that have passed their retention are not replaced, and the gaps
 * of live venues are not filled.
 *
 * Candles of 15m, 30m, 2h, 4h, 12h and 1w are not recorded: each reading builds them, the running one too, 15m and 30m
 * from 5m, 2h, 4h and 12h from 1h, 1w from 1d. They reach as far back as their sources.
 */
import { CANDLE_RETENTION_MS, type Candle, gatherCandles } from '../domain/candle.ts';
import {
  type CandleInterval,
  INTERVAL_MS,
  intervalStart,
  MADE_OF,
  nextIntervalStart,
  type RecordedInterval,
} from '../domain/candle-intervals.ts';
import type { DecimalString } from '../domain/decimal.ts';
import type {
  CandleHistory,
  CandleSeries,
  ClosesRequest,
  ClosingPrices,
  RecordedSeries,
} from '../engine/ports/market.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Clock } from '../engine/ports/system.ts';
import type { Venues } from '../engine/ports/venue.ts';
import type { CandleRecorder } from './candle-recorder.ts';
import { withImagined } from './gap-candles.ts';

const DAY_MS = INTERVAL_MS['1d'];
/** Length of the past that a simulated venue has before its recording, ms: whole days of UTC. */
export const PAST_MS = 120 * DAY_MS;

export function createCandleHistory(deps: {
  readonly store: Pick<Store, 'candles'>;
  readonly recorder: Pick<CandleRecorder, 'recent' | 'begunAt' | 'gaps'>;
  readonly venues: Venues;
  readonly clock: Pick<Clock, 'now'>;
}): CandleHistory {
  const { store, recorder, venues, clock } = deps;

  const candles = (series: CandleSeries, from: number, to: number) => read(series, { from, to });

  async function read(
    series: CandleSeries,
    { from, to, onlyCloses = false }: { from: number; to: number; onlyCloses?: boolean },
  ): Promise<readonly Candle[]> {
    const { interval } = series;
    const recordedInterval = MADE_OF[interval];
    const first = nextIntervalStart(interval, from);
    const end = nextIntervalStart(interval, to);
    const shorter = await known({ ...series, interval: recordedInterval }, first, end, onlyCloses);
    if (recordedInterval === interval) return shorter;
    return gatherCandles(interval, withoutPruned(interval, shorter, keptFrom(recordedInterval)));
  }

  /** Earlier recorded candles may have passed their retention, epoch ms. */
  const keptFrom = (interval: RecordedInterval) =>
    clock.now() - (CANDLE_RETENTION_MS[interval] ?? Number.POSITIVE_INFINITY);

  /** @param first and `last`: beginnings of intervals; candles begin in [first, last) */
  async function known(
    series: RecordedSeries,
    first: number,
    last: number,
    onlyCloses: boolean,
  ): Promise<readonly Candle[]> {
    const { interval } = series;
    const end = Math.min(last, intervalStart(interval, clock.now()) + INTERVAL_MS[interval]);
    if (end <= first) return [];
    const found = await recorded(series, first, end);
    const [venue, gaps] = [venues.get(series.connector), recorder.gaps(series.connector)];
    if (venue?.imaginePast === undefined || gaps === null) return found;
    const begun = recorder.begunAt(series.connector) ?? clock.now();
    return withImagined(series, venue, found, gaps, {
      from: first,
      to: end,
      pastFrom: intervalStart('1d', begun - PAST_MS),
      keptFrom: keptFrom(interval),
      onlyCloses,
    });
  }

  async function recorded(series: RecordedSeries, from: number, to: number): Promise<readonly Candle[]> {
    const rows = new Map((await store.candles(series, from, to)).map((candle) => [candle.start, candle]));
    for (const candle of recorder.recent(series)) {
      if (candle.start >= from && candle.start < to) rows.set(candle.start, candle);
    }
    return [...rows.values()].sort((a, b) => a.start - b.start);
  }

  async function closes(request: ClosesRequest): Promise<readonly ClosingPrices[]> {
    const { every, symbols, connector } = request;
    // A longer interval closes as its last recorded candle does, and not at all if that is missing.
    const interval = MADE_OF[every];
    const step = INTERVAL_MS[interval];
    const now = clock.now();
    const perSymbol: ReadonlyMap<number, DecimalString>[] = [];
    for (const symbol of symbols) {
      const series = { connector, interval, symbol };
      const found = await read(series, { from: request.from - step + 1, to: request.to, onlyCloses: true });
      perSymbol.push(new Map(found.map(({ start, close }) => [start + step, close])));
    }
    return [...(perSymbol[0]?.keys() ?? [])].flatMap((at) => {
      if (at > now || at > request.to || at !== intervalStart(every, at)) return [];
      const prices = perSymbol.flatMap((of) => of.get(at) ?? []);
      return prices.length === symbols.length ? [{ at, prices }] : [];
    });
  }

  return { candles, closes };
}

/**
 * Removes longer candles that may be known in part only, because their first candles have passed their retention: open,
 * high and low of the rest would be wrong.
 */
function withoutPruned(
  interval: CandleInterval,
  shorter: readonly Candle[],
  keptFrom: number,
): readonly Candle[] {
  const counts = new Map<number, number>();
  for (const { start } of shorter) {
    const of = intervalStart(interval, start);
    if (of > keptFrom) break;
    counts.set(of, (counts.get(of) ?? 0) + 1);
  }
  if (counts.size === 0) return shorter;
  const whole = INTERVAL_MS[interval] / INTERVAL_MS[MADE_OF[interval]];
  return shorter.filter(({ start }) => (counts.get(intervalStart(interval, start)) ?? whole) === whole);
}
