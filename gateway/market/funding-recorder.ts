/**
 * Records settled funding rates. No venue's history is read, so the time before the recording and the times when the
 * gateway was off are missing. A rate is settled once the venue reports the next funding time. Only a rate reported
 * shortly before its own time counts as the settled one: live venues move it until the end (a venue that sends only
 * changes is repeated each minute while it sends, `venues/live/kit/market-board.ts`). One row holds all instruments of
 * a full hour and is written some seconds after it; a process that dies within them loses that row.
 */
import { type FundingPoint, HOUR_MS, type SettledRate } from '../domain/funding-history.ts';
import type { FundingRate } from '../domain/model.ts';
import type { MarketTick } from '../engine/ports/market.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Clock, Logger } from '../engine/ports/system.ts';
import type { Market } from './market.ts';

/** Earliest time before its funding time at which a rate counts as the settled one. */
const LAST_WORD_MS = 2 * 60_000;
/** A venue reports its instruments in several updates: they go into one write. */
const GATHER_MS = 5_000;
/** Rows that are kept while the disk refuses them, of each connector; the oldest are dropped first. */
const MAX_WAITING = 48;

type RecorderStore = Pick<Store, 'commit' | 'setting' | 'fundingPoints'>;
type RecorderClock = Pick<Clock, 'now' | 'uptime'>;

export interface FundingRecorder {
  /** Beginning of the connector's recording, epoch ms; null: nothing has been recorded yet. */
  begunAt(connector: string): number | null;
  /** Rates that were settled at hours in [from, to], oldest first. */
  points(connector: string, symbol: string, from: number, to: number): Promise<readonly FundingPoint[]>;
  /** Stops the recording and writes pending rates. */
  close(): Promise<void>;
}

export async function startFundingRecorder(deps: {
  readonly market: Pick<Market, 'onTick' | 'connectors'>;
  readonly store: RecorderStore;
  readonly clock: RecorderClock;
  readonly logger: Logger;
}): Promise<FundingRecorder> {
  const { market, store, clock, logger } = deps;
  const logs = new Map(
    await Promise.all(
      market.connectors().map(async ({ id }) => [id, await FundingLog.open(id, store, clock)] as const),
    ),
  );
  const stop = market.onTick((tick) => {
    const log = logs.get(tick.connector);
    log?.take(tick).catch((error: unknown) => {
      logger.error({ err: error, connector: tick.connector }, 'Funding rates were not recorded');
    });
  });
  return {
    begunAt: (connector) => logs.get(connector)?.begunAt ?? null,
    async points(connector, symbol, from, to) {
      const found = await store.fundingPoints(connector, symbol, from, to);
      const points = new Map(found.map((point) => [point.hour, point]));
      for (const point of logs.get(connector)?.recent(symbol) ?? [])
        if (point.hour >= from && point.hour <= to) points.set(point.hour, point);
      return [...points.values()].sort((a, b) => a.hour - b.hour);
    },
    async close() {
      stop();
      for (const log of logs.values()) await log.close();
    },
  };
}

interface Told {
  readonly rate: FundingRate;
  readonly at: number;
}

interface Hour {
  readonly rates: Record<string, SettledRate>;
  isSaved: boolean;
}

function originSetting(connector: string): string {
  return `funding-begun:${connector}`;
}

class FundingLog {
  readonly #connector: string;
  readonly #store: RecorderStore;
  readonly #clock: RecorderClock;
  /** The last word on each instrument's next funding. */
  readonly #told = new Map<string, Told>();
  /** The last hours, by their time: a row is written whole, so that its instruments have to be here until all are. */
  readonly #hours = new Map<number, Hour>();
  #begunAt: number | null;
  #isBeginningSaved: boolean;
  /** Arrival of the oldest unwritten rate, or the latest refusal by the disk, by `Clock.uptime`. */
  #waitsSince: number | null = null;
  /** Writes that the disk has not answered yet. */
  readonly #writing = new Set<Promise<void>>();

  private constructor(connector: string, store: RecorderStore, clock: RecorderClock, begunAt: number | null) {
    this.#connector = connector;
    this.#store = store;
    this.#clock = clock;
    this.#begunAt = begunAt;
    this.#isBeginningSaved = begunAt !== null;
  }

  static async open(connector: string, store: RecorderStore, clock: RecorderClock): Promise<FundingLog> {
    const begun = await store.setting(originSetting(connector));
    return new FundingLog(connector, store, clock, begun === null ? null : Number(begun));
  }

  get begunAt(): number | null {
    return this.#begunAt;
  }

  recent(symbol: string): readonly FundingPoint[] {
    return [...this.#hours].flatMap(([hour, { rates }]) => {
      const rate = rates[symbol];
      return rate === undefined ? [] : [{ hour, rate }];
    });
  }

  async take({ funding, at }: MarketTick): Promise<void> {
    if (funding.length > 0) this.#begunAt ??= this.#clock.now();
    for (const rate of funding) {
      const before = this.#told.get(rate.id);
      this.#told.set(rate.id, { rate, at });
      if (before !== undefined && rate.nextFundingTime > before.rate.nextFundingTime) this.#settle(before);
    }
    if (this.#waitsSince !== null && this.#clock.uptime() - this.#waitsSince >= GATHER_MS) await this.flush();
  }

  #settle({ rate, at }: Told): void {
    const { id, nextFundingTime, intervalHours } = rate;
    if (nextFundingTime - at > LAST_WORD_MS) return;
    // A paper market's hours begin beside the full ones, before or after, once its clock was set.
    const hour = Math.round(nextFundingTime / HOUR_MS) * HOUR_MS;
    const known = this.#hours.get(hour) ?? { rates: {}, isSaved: false };
    known.rates[id] = [rate.rate, intervalHours];
    known.isSaved = false;
    this.#hours.set(hour, known);
    this.#waitsSince ??= this.#clock.uptime();
  }

  /** Writes once more: a write on its way may still be refused by the disk, and no later one follows. */
  async close(): Promise<void> {
    await Promise.all(this.#writing);
    await this.flush();
  }

  /**
   * Resolves when the hours are on disk, or when the disk refused them: they are tried again a while later, with the
   * setting that names the beginning.
   */
  async flush(): Promise<void> {
    this.#waitsSince = null;
    const unsaved = [...this.#hours].filter(([, { isSaved }]) => !isSaved);
    if (unsaved.length === 0) return;
    const written = this.#write(unsaved);
    this.#writing.add(written);
    await written.finally(() => this.#writing.delete(written));
  }

  async #write(unsaved: readonly (readonly [number, Hour])[]): Promise<void> {
    for (const [, hour] of unsaved) hour.isSaved = true;
    const fundingRates = unsaved.map(([hour, { rates }]) => ({
      connector: this.#connector,
      hour,
      rates: { ...rates },
    }));
    const settings = this.#isBeginningSaved
      ? []
      : [{ key: originSetting(this.#connector), value: String(this.#begunAt) }];
    const committed = await this.#store.commit({ fundingRates, settings });
    if (committed.ok) this.#isBeginningSaved = true;
    else {
      for (const [, hour] of unsaved) hour.isSaved = false;
      this.#waitsSince ??= this.#clock.uptime();
    }
    const oldest = [...this.#hours.keys()].sort((a, b) => a - b);
    for (const hour of oldest.slice(0, -MAX_WAITING)) this.#hours.delete(hour);
  }
}
