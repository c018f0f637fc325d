/**
 * Closing prices of past candles, which the beta of a pair is computed on. They are sampled from the market when a candle
 * ends, every instrument at once, and kept on disk for as many candles as a beta looks back: a ring of rows per connector
 * and timeframe, each holding the closes of one candle.
 *
 * What a venue itself knows of past hours fills what was not seen.
 *
 * A candle whose end nobody saw (the gateway was away, the price too old) has no close, and no return is made across it.
 */
import { candleStart, type RebalanceTimeframe, TIMEFRAME_MS } from '../../domain/auto-rebalance.ts';
import { BETA_WINDOW, type PairReturn, pairReturns } from '../../domain/live-beta.ts';
import type { EngineDeps } from '../deps.ts';
import type { HourlyCloses } from '../ports.ts';

/** A return needs two closes. */
const SLOTS = BETA_WINDOW + 1;
/** A price this long after the end of a candle still is its close. */
const LATEST_MS = 60_000;

const TIMEFRAMES: readonly RebalanceTimeframe[] = ['1h', '4h', '1d'];

interface Candle {
  /** Epoch ms. */
  readonly start: number;
  /** By instrument. */
  readonly closes: ReadonlyMap<string, string>;
}

type RecorderDeps = Pick<EngineDeps, 'store' | 'market' | 'venues' | 'logger'>;

export class CandleRecorder {
  readonly #deps: RecorderDeps;
  /** By connector and timeframe; those that somebody asked for. */
  readonly #loaded = new Map<string, Map<number, Candle>>();
  /** Start of the latest candle that was written, by connector and timeframe. */
  readonly #written = new Map<string, number>();

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
  }

  /** To be called at the end of each hour, and as often as one likes between. */
  async sample(now: number): Promise<void> {
    for (const { info } of this.#deps.venues.all()) {
      for (const timeframe of TIMEFRAMES) await this.#sample(info.id, timeframe, now);
    }
  }

  /** Reads what is on disk, once; `returns` has it from then on. */
  async load(connector: string, timeframe: RebalanceTimeframe): Promise<void> {
    const name = nameOf(connector, timeframe);
    if (this.#loaded.has(name)) return;
    const rows = await Promise.all(
      Array.from({ length: SLOTS }, (_, slot) => this.#deps.store.setting(`${name}:${slot}`)),
    );
    const ring = this.#loaded.get(name) ?? new Map<number, Candle>();
    for (const [slot, row] of rows.entries()) {
      const candle = row === null ? null : read(row);
      if (candle !== null && !ring.has(slot)) ring.set(slot, candle);
    }
    if (timeframe === '1h') fillHours(ring, this.#deps.venues.get(connector)?.hourlyCloses?.() ?? []);
    this.#loaded.set(name, ring);
  }

  /** Of both legs over the candles whose closes are known, oldest first. Empty before `load`. */
  returns(
    connector: string,
    timeframe: RebalanceTimeframe,
    pair: { readonly long: string; readonly short: string },
  ): readonly PairReturn[] {
    const ring = this.#loaded.get(nameOf(connector, timeframe)) ?? new Map<number, Candle>();
    const closes = [...ring.values()]
      .sort((a, b) => a.start - b.start)
      .flatMap((candle) => {
        const long = candle.closes.get(pair.long);
        const short = candle.closes.get(pair.short);
        return long === undefined || short === undefined ? [] : [{ start: candle.start, long, short }];
      });
    return closes.flatMap((close, index) => {
      const before = closes[index - 1];
      const follows = before !== undefined && close.start - before.start === TIMEFRAME_MS[timeframe];
      return follows ? pairReturns([before, close]) : [];
    });
  }

  async #sample(connector: string, timeframe: RebalanceTimeframe, now: number): Promise<void> {
    const end = candleStart(timeframe, now);
    const start = end - TIMEFRAME_MS[timeframe];
    const name = nameOf(connector, timeframe);
    if (now - end > LATEST_MS || this.#written.get(name) === start) return;
    const closes = this.#marks(connector);
    if (closes.size === 0) return;
    const slot = slotOf(timeframe, start);
    const value = JSON.stringify({ start, closes: Object.fromEntries(closes) });
    const kept = await this.#deps.store.commit({ settings: [{ key: `${name}:${slot}`, value }] });
    if (!kept.ok) {
      this.#deps.logger.warn({ connector, timeframe, reason: kept.error.message }, 'A candle was not kept');
      return;
    }
    this.#written.set(name, start);
    this.#loaded.get(name)?.set(slot, { start, closes });
  }

  #marks(connector: string): ReadonlyMap<string, string> {
    const { market } = this.#deps;
    const marks = new Map<string, string>();
    for (const { id } of market.instruments(connector)) {
      const mark = market.isStale(connector, id) ? undefined : market.quote(connector, id)?.mark;
      if (mark !== undefined && Number(mark) > 0) marks.set(id, mark);
    }
    return marks;
  }
}

function slotOf(timeframe: RebalanceTimeframe, start: number): number {
  return Math.floor(start / TIMEFRAME_MS[timeframe]) % SLOTS;
}

/** What was sampled stays; hours that do not end on the hour (a simulation that runs faster) are none. */
function fillHours(ring: Map<number, Candle>, hours: readonly HourlyCloses[]): void {
  for (const { at, closes } of hours) {
    const start = at - TIMEFRAME_MS['1h'];
    const slot = slotOf('1h', start);
    const known = ring.get(slot);
    if (candleStart('1h', at) === at && (known === undefined || known.start < start)) {
      ring.set(slot, { start, closes });
    }
  }
}

function nameOf(connector: string, timeframe: RebalanceTimeframe): string {
  return `candles:${connector}:${timeframe}`;
}

/** Null for a row that is not one of ours. */
function read(row: string): Candle | null {
  const value: unknown = JSON.parse(row);
  if (typeof value !== 'object' || value === null || !('start' in value) || !('closes' in value)) return null;
  const { start, closes } = value;
  if (typeof start !== 'number' || typeof closes !== 'object' || closes === null) return null;
  return { start, closes: new Map(Object.entries(closes).map(([id, close]) => [id, String(close)])) };
}
