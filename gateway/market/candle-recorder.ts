/**
 * Records candles of every connector's mark prices as ticks arrive. At the end of a minute the bars of all instruments
 * are written in one commit: the minute's bars, and those of the longer intervals as they stand, so that a process that
 * dies loses the running minute and nothing else. A longer candle that was begun before a restart is continued.
 *
 * Candles hold recorded prices only. For a simulated venue the gaps in the recording are written down too
 * (`recording-gaps.ts`), with the prices on both sides: the prices imagined for a gap are then the same at every
 * reading.
 */
import { type Bar, type Candle, type CandleRow, joinBars, larger, smaller } from '../domain/candle.ts';
import {
  INTERVAL_MS,
  intervalStart,
  RECORDED_INTERVALS,
  type RecordedInterval,
} from '../domain/candle-intervals.ts';
import type { Quote } from '../domain/model.ts';
import type { RecordedSeries } from '../engine/ports/market.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Clock, Logger } from '../engine/ports/system.ts';
import type { Venues } from '../engine/ports/venue.ts';
import { earlierGaps } from './earlier-gaps.ts';
import type { Market } from './market.ts';
import { type PricesById, RecordingGaps } from './recording-gaps.ts';

/** Maximum number of candle rows kept while the disk refuses them; the oldest are dropped first. */
const MAX_WAITING = 240;

type RecorderStore = Pick<Store, 'commit' | 'candleRow' | 'candles' | 'candleNearest' | 'setting'>;
type Mark = Pick<Quote, 'id' | 'mark'>;

export interface CandleRecorder {
  /** Candles that the store may not have yet, oldest first; they take precedence over stored candles. */
  recent(series: RecordedSeries): readonly Candle[];
  /** Beginning of the connector's recording, epoch ms; null: nothing has been recorded yet. */
  begunAt(connector: string): number | null;
  /** Gaps in the recording of a simulated connector; null: the connector is not simulated. */
  gaps(connector: string): RecordingGaps | null;
  /** Stops the recording and writes down the bars of the running minute. */
  close(): Promise<void>;
}

export async function startCandleRecorder(deps: {
  readonly market: Pick<Market, 'onTick' | 'connectors' | 'instruments' | 'quote'>;
  readonly venues: Pick<Venues, 'get'>;
  readonly store: RecorderStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}): Promise<CandleRecorder> {
  const { market, venues, store, clock, logger } = deps;
  async function open(id: string): Promise<readonly [string, ConnectorTape]> {
    const known = () => market.instruments(id).flatMap((instrument) => market.quote(id, instrument.id) ?? []);
    const isSimulated = venues.get(id)?.imaginePast !== undefined;
    const tape = await ConnectorTape.open(id, store, clock.now(), isSimulated ? known : null);
    // A tick has only changed quotes, so all marks known at start are recorded here. The generated past of a paper
    // venue ends in these prices; without them it would change with every price until each instrument's first tick.
    await tape.take(known(), clock.now());
    return [id, tape];
  }
  // All at once: the start waits for the slowest connector and not for each in turn.
  const tapes = new Map(await Promise.all(market.connectors().map(({ id }) => open(id))));
  const stop = market.onTick((tick) => {
    const tape = tapes.get(tick.connector);
    if (tape === undefined) return;
    tape.take(tick.quotes, clock.now()).catch((error: unknown) => {
      logger.error({ err: error, connector: tick.connector }, 'Candles were not recorded');
    });
  });
  return {
    recent: (series) => tapes.get(series.connector)?.recent(series) ?? [],
    begunAt: (connector) => tapes.get(connector)?.begunAt ?? null,
    gaps: (connector) => tapes.get(connector)?.gaps ?? null,
    async close() {
      stop();
      for (const tape of tapes.values()) await tape.flush();
    },
  };
}

function originSetting(connector: string): string {
  return `candles-begun:${connector}`;
}

/** The bars of all instruments in one interval. */
interface Running {
  start: number;
  bars: Map<string, Bar>;
}

const LONGER = RECORDED_INTERVALS.filter((interval) => interval !== '1m');

class ConnectorTape {
  readonly #connector: string;
  readonly #store: RecorderStore;
  readonly #minute: Running;
  /** Bars of the longer intervals, up to the last minute that was added; adding a minute twice changes nothing. */
  readonly #longer: ReadonlyMap<RecordedInterval, Running>;
  /** Current marks of all instruments; null: the connector is not simulated. */
  readonly #known: (() => readonly Mark[]) | null;
  #gaps: RecordingGaps | null = null;
  #waiting: readonly CandleRow[] = [];
  #begunAt: number | null;
  #isBeginningSaved: boolean;

  private constructor(
    connector: string,
    store: RecorderStore,
    now: number,
    begunAt: number | null,
    known: (() => readonly Mark[]) | null,
  ) {
    const running = (interval: RecordedInterval): Running => ({
      start: intervalStart(interval, now),
      bars: new Map(),
    });
    this.#connector = connector;
    this.#store = store;
    this.#begunAt = begunAt;
    this.#isBeginningSaved = begunAt !== null;
    this.#known = known;
    this.#minute = running('1m');
    this.#longer = new Map(LONGER.map((interval) => [interval, running(interval)]));
  }

  /** @param known current marks of all instruments; null: the connector is not simulated */
  static async open(
    connector: string,
    store: RecorderStore,
    now: number,
    known: (() => readonly Mark[]) | null,
  ): Promise<ConnectorTape> {
    const begun = await store.setting(originSetting(connector));
    const tape = new ConnectorTape(connector, store, now, begun === null ? null : Number(begun), known);
    // The beginning is written with the first bars: without one there is nothing to be continued, and a connector
    // that no account has used costs the start one question.
    if (begun !== null) await tape.#continueBars();
    if (known !== null) await tape.#openGaps(known());
    return tape;
  }

  /** Takes up the bars that the last run had begun. */
  async #continueBars(): Promise<void> {
    const readings = this.#all().map(async ([interval, { start, bars }]) => {
      const row = await this.#store.candleRow(this.#connector, interval, start);
      for (const [symbol, bar] of Object.entries(row?.bars ?? {})) bars.set(symbol, bar);
    });
    await Promise.all(readings);
  }

  get gaps(): RecordingGaps | null {
    return this.#gaps;
  }

  get begunAt(): number | null {
    return this.#begunAt;
  }

  recent({ interval, symbol }: RecordedSeries): readonly Candle[] {
    const candles = new Map<number, Candle>();
    const put = (start: number, bar: Bar | undefined) => {
      if (bar !== undefined) candles.set(start, candleOf(start, bar));
    };
    for (const row of this.#waiting) if (row.interval === interval) put(row.start, row.bars[symbol]);
    const minute = this.#minute.bars.get(symbol);
    const longer = this.#longer.get(interval);
    put(longer?.start ?? this.#minute.start, longer === undefined ? minute : longer.bars.get(symbol));
    if (longer !== undefined && minute !== undefined) {
      const start = intervalStart(interval, this.#minute.start);
      const before = start === longer.start ? longer.bars.get(symbol) : undefined;
      put(start, before === undefined ? minute : joinBars(before, minute));
    }
    return [...candles.values()];
  }

  async take(quotes: readonly Pick<Quote, 'id' | 'mark'>[], now: number): Promise<void> {
    const minute = this.#minute;
    const isOver = now >= minute.start + INTERVAL_MS['1m'];
    const written = [isOver ? this.flush() : undefined];
    let taken: readonly Mark[] = quotes;
    if (isOver) {
      const unseen = minute.start + INTERVAL_MS['1m'];
      const before = closesOf(minute.bars);
      minute.start = intervalStart('1m', now);
      minute.bars = new Map();
      if (minute.start > unseen && this.#gaps !== null && this.#known !== null) {
        taken = this.#known();
        this.#gaps.add({ from: unseen, to: minute.start }, { before, after: marksOf(taken) });
        written.push(this.#saveGaps());
      }
    }
    for (const { id, mark } of taken) {
      const bar = minute.bars.get(id);
      minute.bars.set(
        id,
        bar === undefined
          ? [mark, mark, mark, mark]
          : [bar[0], larger(bar[1], mark), smaller(bar[2], mark), mark],
      );
    }
    if (quotes.length > 0) this.#begunAt ??= minute.start;
    await Promise.all(written);
  }

  /** Records the gap that ends at this start, before any candle that is recorded after it. */
  async #openGaps(known: readonly Mark[]): Promise<void> {
    const gaps = await RecordingGaps.open(this.#connector, this.#store);
    this.#gaps = gaps;
    const [first] = known;
    if (first === undefined) return;
    const to = this.#minute.start;
    if (gaps.latest === null && this.#begunAt !== null) {
      const series = { connector: this.#connector, symbol: first.id };
      for (const gap of await earlierGaps(this.#store, series, this.#begunAt, to)) gaps.add(...gap);
    }
    const last = await this.#lastRecorded(first.id);
    const { latest } = gaps;
    // Nothing was recorded since the latest gap, because the process died within its first minute: the new gap
    // continues that gap.
    const goesOn = latest !== null && (last === null || latest.to >= last.end);
    const from = goesOn ? latest.to : (last?.end ?? null);
    if (this.#minute.bars.size === 0 && (from ?? 0) < to) {
      const before = goesOn ? ((await gaps.prices(latest))?.after ?? null) : (last?.closes ?? null);
      gaps.add({ from, to }, { before, after: marksOf(known) });
    }
    await this.#saveGaps();
  }

  /** End and closes of the last minute on disk; of a longer candle where the minutes have passed their retention. */
  async #lastRecorded(symbol: string): Promise<{ readonly end: number; readonly closes: PricesById } | null> {
    for (const interval of RECORDED_INTERVALS) {
      const series = { connector: this.#connector, interval, symbol };
      const found = await this.#store.candleNearest(series, this.#minute.start, 'before');
      if (found === null) continue;
      const row = await this.#store.candleRow(this.#connector, interval, found.start);
      const end = Math.min(found.start + INTERVAL_MS[interval], this.#minute.start);
      return { end, closes: closesOf(new Map(Object.entries(row?.bars ?? {}))) };
    }
    return null;
  }

  async #saveGaps(): Promise<void> {
    const settings = this.#gaps?.unsaved ?? [];
    if (settings.length === 0) return;
    const committed = await this.#store.commit({ settings });
    if (committed.ok) this.#gaps?.saved(settings);
  }

  /** Resolves when the minute is on disk, or when the disk refused it: the next flush repeats its rows. */
  async flush(): Promise<void> {
    if (this.#minute.bars.size === 0) return;
    this.#standStill();
    this.#foldMinute();
    const rows = this.#all().map(
      ([interval, { start, bars }]): CandleRow => ({
        connector: this.#connector,
        interval,
        start,
        bars: Object.fromEntries(bars),
      }),
    );
    const candles = latestOf([...this.#waiting, ...rows]).slice(-MAX_WAITING);
    this.#waiting = candles;
    const begun =
      this.#isBeginningSaved || this.#begunAt === null
        ? []
        : [{ key: originSetting(this.#connector), value: String(this.#begunAt) }];
    const gaps = this.#gaps?.unsaved ?? [];
    const committed = await this.#store.commit({ candles, settings: [...begun, ...gaps] });
    if (!committed.ok) return;
    this.#gaps?.saved(gaps);
    this.#isBeginningSaved = true;
    this.#waiting = this.#waiting.filter((row) => !candles.includes(row));
  }

  /** Flat bars for instruments of a simulated connector without a tick in the minute: prices stood still. */
  #standStill(): void {
    for (const { id, mark } of this.#known?.() ?? []) {
      if (!this.#minute.bars.has(id)) this.#minute.bars.set(id, [mark, mark, mark, mark]);
    }
  }

  #foldMinute(): void {
    for (const [interval, longer] of this.#longer) {
      const start = intervalStart(interval, this.#minute.start);
      if (start !== longer.start) {
        longer.start = start;
        longer.bars = new Map();
      }
      for (const [symbol, bar] of this.#minute.bars) {
        const before = longer.bars.get(symbol);
        longer.bars.set(symbol, before === undefined ? bar : joinBars(before, bar));
      }
    }
  }

  #all(): readonly (readonly [RecordedInterval, Running])[] {
    return [['1m', this.#minute], ...this.#longer];
  }
}

function closesOf(bars: ReadonlyMap<string, Bar>): PricesById {
  return Object.fromEntries([...bars].map(([id, bar]) => [id, bar[3]]));
}

function marksOf(marks: readonly Mark[]): PricesById {
  return Object.fromEntries(marks.map(({ id, mark }) => [id, mark]));
}

/** Newest row of each interval and start. */
function latestOf(rows: readonly CandleRow[]): readonly CandleRow[] {
  return [...new Map(rows.map((row) => [`${row.interval} ${row.start}`, row])).values()];
}

function candleOf(start: number, [open, high, low, close]: Bar): Candle {
  return { start, open, high, low, close };
}
