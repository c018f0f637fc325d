/**
 * Candles for readers: recorded candles, candles still being recorded and, where a simulated venue was not recorded,
 * candles that the venue imagines (`Venue.imaginePast`, `gap-candles.ts`), so that its charts have a past.
 *
 * Only time that was never recorded is imagined: the time before the recording began, as far back as `PAST_MS`, and the
 * gaps in which the gateway was off. Recorded candles that have passed their retention are not replaced, and the gaps
 * of live venues are not filled.
 */
import {
  CANDLE_RETENTION_MS,
  type Candle,
  type CandleInterval,
  INTERVAL_MS,
  intervalStart,
} from '../domain/candle.ts';
import type { DecimalString } from '../domain/decimal.ts';
import type { CandleHistory, CandleSeries, ClosesRequest, ClosingPrices } from '../engine/ports/market.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Clock } from '../engine/ports/system.ts';
import type { Venues } from '../engine/ports/venue.ts';
import type { CandleRecorder } from './candle-recorder.ts';
import { withImagined } from './gap-candles.ts';

const DAY_MS = INTERVAL_MS['1d'];
/** Length of the past that a simulated venue has before its recording, ms: whole days of UTC. */
export const PAST_MS = 120 * DAY_MS;
const FOUR_HOURS_MS = 4 * INTERVAL_MS['1h'];

export function createCandleHistory(deps: {
  readonly store: Pick<Store, 'candles'>;
  readonly recorder: Pick<CandleRecorder, 'recent' | 'begunAt' | 'gaps'>;
  readonly venues: Venues;
  readonly clock: Pick<Clock, 'now'>;
}): CandleHistory {
  const { store, recorder, venues, clock } = deps;

  async function candles(series: CandleSeries, from: number, to: number): Promise<readonly Candle[]> {
    const step = INTERVAL_MS[series.interval];
    const first = Math.ceil(from / step) * step;
    const end = Math.min(Math.ceil(to / step) * step, intervalStart(series.interval, clock.now()) + step);
    if (end <= first) return [];
    const known = await recorded(series, first, end);
    const [venue, gaps] = [venues.get(series.connector), recorder.gaps(series.connector)];
    if (venue?.imaginePast === undefined || gaps === null) return known;
    const begun = recorder.begunAt(series.connector) ?? clock.now();
    return withImagined(series, venue, known, gaps, {
      from: first,
      to: end,
      pastFrom: intervalStart('1d', begun - PAST_MS),
      keptFrom: clock.now() - (CANDLE_RETENTION_MS[series.interval] ?? Number.POSITIVE_INFINITY),
    });
  }

  async function recorded(series: CandleSeries, from: number, to: number): Promise<readonly Candle[]> {
    const rows = new Map((await store.candles(series, from, to)).map((candle) => [candle.start, candle]));
    for (const candle of recorder.recent(series)) {
      if (candle.start >= from && candle.start < to) rows.set(candle.start, candle);
    }
    return [...rows.values()].sort((a, b) => a.start - b.start);
  }

  async function closes(request: ClosesRequest): Promise<readonly ClosingPrices[]> {
    const { every, symbols, connector } = request;
    const interval: CandleInterval = every === '4h' ? '1h' : every;
    const step = INTERVAL_MS[interval];
    const period = every === '4h' ? FOUR_HOURS_MS : step;
    const now = clock.now();
    const perSymbol: ReadonlyMap<number, DecimalString>[] = [];
    for (const symbol of symbols) {
      const found = await candles({ connector, interval, symbol }, request.from - step + 1, request.to);
      perSymbol.push(new Map(found.map(({ start, close }) => [start + step, close])));
    }
    return [...(perSymbol[0]?.keys() ?? [])].flatMap((at) => {
      if (at > now || at > request.to || at % period !== 0) return [];
      const prices = perSymbol.flatMap((of) => of.get(at) ?? []);
      return prices.length === symbols.length ? [{ at, prices }] : [];
    });
  }

  return { candles, closes };
}
