/**
 * Candles as they are asked for: what was recorded, what is being recorded, and where a simulated venue was not watched,
 * what it imagines (`Venue.imaginePast`), so that its charts have a past.
 *
 * Imagined is only what was never recorded: the time before the recording began, as far back as `PAST_MS`, and gaps in
 * which the gateway was off. What was recorded and has passed its retention stays away; so do the gaps of live venues.
 */
import {
  CANDLE_RETENTION_MS,
  type Candle,
  type CandleInterval,
  INTERVAL_MS,
  intervalStart,
} from '../domain/candle.ts';
import type { DecimalString } from '../domain/decimal.ts';
import type {
  CandleHistory,
  CandleSeries,
  Clock,
  ClosesRequest,
  ClosingPrices,
  MarketData,
  Store,
  Venue,
  Venues,
} from '../engine/ports.ts';
import type { CandleRecorder } from './candle-recorder.ts';
import { othersHaveTheirTurn } from './turns.ts';

const DAY_MS = INTERVAL_MS['1d'];
/** How far before the recording a simulated venue has a past. */
export const PAST_MS = 120 * DAY_MS;
/** Imagining this much takes about a millisecond; then others have their turn. */
const SLICE_MS = 2 * DAY_MS;
const FOUR_HOURS_MS = 4 * INTERVAL_MS['1h'];

interface Known {
  readonly at: number;
  readonly price: DecimalString;
}

type Neighbour = (at: number, side: 'before' | 'from') => Promise<Candle | null>;

export function createCandleHistory(deps: {
  readonly store: Pick<Store, 'candles' | 'candleNearest'>;
  readonly recorder: Pick<CandleRecorder, 'recent' | 'begunAt'>;
  readonly venues: Venues;
  readonly market: Pick<MarketData, 'quote'>;
  readonly clock: Pick<Clock, 'now'>;
}): CandleHistory {
  const { store, recorder, venues, market, clock } = deps;

  async function candles(series: CandleSeries, from: number, to: number): Promise<readonly Candle[]> {
    const step = INTERVAL_MS[series.interval];
    const first = Math.ceil(from / step) * step;
    const end = Math.min(Math.ceil(to / step) * step, intervalStart(series.interval, clock.now()) + step);
    if (end <= first) return [];
    const known = await recorded(series, first, end);
    const venue = venues.get(series.connector);
    if (venue?.imaginePast === undefined) return known;
    return new Gaps(series, venue, (at, side) => nearest(series, at, side)).fill(known, {
      from: first,
      to: end,
      begun: await beginning(series),
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

  async function nearest(series: CandleSeries, at: number, side: 'before' | 'from'): Promise<Candle | null> {
    const stored = await store.candleNearest(series, at, side);
    const recent = recorder.recent(series);
    const candidates = [...(stored === null ? [] : [stored]), ...recent].filter(({ start }) =>
      side === 'before' ? start < at : start >= at,
    );
    candidates.sort((a, b) => (side === 'before' ? b.start - a.start : a.start - b.start));
    return candidates[0] ?? null;
  }

  /** When the recording of the instrument began, and at what price; null: the price is not known. */
  async function beginning({ connector, symbol }: CandleSeries): Promise<Known | null> {
    // Days are kept for ever, so this answer never changes: what is imagined before it stays as it is.
    const firstDay = await nearest({ connector, symbol, interval: '1d' }, 0, 'from');
    const at = recorder.begunAt(connector) ?? intervalStart('1m', clock.now());
    const price = firstDay?.open ?? market.quote(connector, symbol)?.mark;
    return price === undefined ? null : { at, price };
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

/** Fills in what a simulated venue imagines of the times without candles. */
class Gaps {
  readonly #series: CandleSeries;
  readonly #venue: Venue;
  readonly #neighbour: Neighbour;

  constructor(series: CandleSeries, venue: Venue, neighbour: Neighbour) {
    this.#series = series;
    this.#venue = venue;
    this.#neighbour = neighbour;
  }

  async fill(
    known: readonly Candle[],
    range: {
      readonly from: number;
      readonly to: number;
      readonly begun: Known | null;
      readonly keptFrom: number;
    },
  ): Promise<readonly Candle[]> {
    const { begun } = range;
    if (begun === null) return known;
    const { interval } = this.#series;
    const firstRecorded = intervalStart(interval, begun.at);
    const before = await this.#imagine(
      Math.max(range.from, intervalStart(interval, begun.at - PAST_MS)),
      Math.min(range.to, firstRecorded),
      null,
      begun,
    );
    const made: Candle[] = [...before];
    let from = Math.max(range.from, firstRecorded, intervalStart(interval, Math.max(0, range.keptFrom)));
    let last: Candle | null = null;
    const step = INTERVAL_MS[interval];
    for (const candle of known) {
      if (candle.start > from) made.push(...(await this.#bridge(from, candle.start, last, candle)));
      made.push(candle);
      last = candle;
      from = Math.max(from, candle.start + step);
    }
    if (from < range.to) {
      const next = await this.#neighbour(range.to, 'from');
      if (next !== null) made.push(...(await this.#bridge(from, range.to, last, next)));
    }
    return made;
  }

  /** From the end of the recording before to its next beginning. */
  async #bridge(from: number, to: number, last: Candle | null, next: Candle): Promise<readonly Candle[]> {
    const previous = last ?? (await this.#neighbour(from, 'before'));
    const step = INTERVAL_MS[this.#series.interval];
    const before = previous === null ? null : { at: previous.start + step, price: previous.close };
    return this.#imagine(from, to, before, { at: next.start, price: next.open });
  }

  async #imagine(from: number, to: number, before: Known | null, after: Known): Promise<readonly Candle[]> {
    const { symbol, interval } = this.#series;
    const made: Candle[] = [];
    for (let start = from, end = from; start < to; start = end) {
      if (start > from) await othersHaveTheirTurn();
      end = Math.min(to, start - (start % SLICE_MS) + SLICE_MS);
      made.push(
        ...(this.#venue.imaginePast?.({ symbol, interval, from: start, to: end, before, after }) ?? []),
      );
    }
    return made;
  }
}
