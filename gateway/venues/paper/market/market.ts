/**
 * The simulated market of one paper connector: processes step every 100 ms of market time, and an instrument's quote is
 * renewed when a step brings news to it (more often in busier markets, at least once a second). Everything a reader sees
 * of an instrument, its book included, is as of its last renewal, so quote and depth always agree.
 *
 * One seed and one sequence of `advanceTo`, `take` and `shock` give one market, and it does not matter in how many calls
 * a stretch is advanced. The exception is a stretch of more than MAX_STEPS steps in a single call (a gateway that was
 * off): it is jumped hour by hour, so that a start after a night, or after a year, is instant. At full minutes index
 * prices are those that steps would have led to; premiums and turnover are drawn anew, funding is settled at every
 * boundary. Two connectors of one seed share the index prices, and with them dominance and the prediction markets.
 */
import type { DecimalString } from '../../../domain/decimal.ts';
import type { BookPreview } from '../../../domain/expected-fill.ts';
import type { FeedReading } from '../../../domain/feed.ts';
import type { FundingRate, Instrument, MarketStats, Quote, Side } from '../../../domain/model.ts';
import { FUNDING_ATOM } from './calibration.ts';
import { DayHistory, POINTS } from './day-history.ts';
import { FundingProcess, HOUR_MS } from './funding-process.ts';
import type { PaperConnector } from './instruments.ts';
import { paperInstruments } from './instruments.ts';
import { activity, basisDeviation } from './liquidity.ts';
import { decodeSnapshot, encodeSnapshot } from './market-snapshot.ts';
import type { BookLevel, BookTrade, PaperMarket, PaperProfile } from './market-types.ts';
import { PremiumProcess } from './premium-process.ts';
import { toUnits } from './price-grid.ts';
import { PriceProcess, STEP_MS } from './price-process.ts';
import { QuoteBoard } from './quote-board.ts';
import { hash32, hashText, Random } from './random.ts';
import type { ReplaySource } from './replay.ts';
import { ReplayTracks } from './replay-tracks.ts';
import type { Settlement } from './settlement-log.ts';
import { SettlementLog } from './settlement-log.ts';
import { TurnoverProcess } from './turnover-process.ts';
import { UNDERLYINGS } from './underlyings.ts';
import { WorldFeeds } from './world-feeds.ts';

export interface PaperMarketOptions {
  readonly connector: PaperConnector;
  readonly seed: number;
  /** Market time of the first state, epoch ms (rounded down to a step). */
  readonly startAt: number;
  readonly profile: PaperProfile;
  readonly replay?: ReplaySource;
}

export function createPaperMarket(options: PaperMarketOptions): PaperMarket {
  return new SimulatedMarket(options);
}

/** Maximum steps that one call simulates one by one; longer stretches are jumped. */
const MAX_STEPS = 10_000;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const WORDS = 2 ** 32;
/** Lowest and highest price after a shock, in price units; up to the highest, units are exact in a double. */
const MIN_UNITS = 100;
const MAX_UNITS = 1e12;

class SimulatedMarket implements PaperMarket {
  readonly connector: string;
  readonly instruments: readonly Instrument[];
  readonly stepMs = STEP_MS;
  at: number;
  private seed: number;
  private readonly ids: readonly string[];
  private readonly numbers: ReadonlyMap<string, number>;
  private readonly listing: number;
  private readonly prices: PriceProcess;
  private readonly premium: PremiumProcess;
  private readonly turnover: TurnoverProcess;
  private readonly rates: FundingProcess;
  private readonly history: DayHistory;
  private readonly board: QuoteBoard;
  private readonly replay: ReplayTracks;
  private readonly world: WorldFeeds;
  private readonly settled = new SettlementLog();
  private readonly news: Random;
  private readonly newsBelow: Float64Array;
  /** One draw per instrument, of the running step. */
  private readonly drawn: Uint32Array;
  private readonly excess: (i: number) => number;

  constructor({ connector, seed, startAt, profile, replay }: PaperMarketOptions) {
    const count = UNDERLYINGS.length;
    const own = hash32(seed, hashText(connector));
    this.connector = connector;
    this.seed = seed;
    this.at = Math.floor(startAt / STEP_MS) * STEP_MS;
    this.instruments = paperInstruments(connector);
    this.ids = this.instruments.map(({ id }) => id);
    this.numbers = new Map(this.ids.map((id, i) => [id, i]));
    this.listing = hashText(this.ids.join());
    const intervalHours = this.instruments[0]?.fundingIntervalHours ?? 1;
    this.prices = new PriceProcess(UNDERLYINGS, seed, this.at);
    this.premium = new PremiumProcess(UNDERLYINGS.map(basisDeviation), own);
    this.turnover = new TurnoverProcess(
      UNDERLYINGS.map(({ usdPerMinute }) => usdPerMinute),
      own,
    );
    this.rates = new FundingProcess(
      UNDERLYINGS.map(({ funding }) => funding),
      intervalHours,
      own,
    );
    this.excess = (i) => this.rates.hourly(i) - FUNDING_ATOM;
    this.history = new DayHistory(count);
    this.board = new QuoteBoard(this.instruments, UNDERLYINGS, profile, own, this.history);
    const tickers = UNDERLYINGS.map(({ ticker }) => ticker);
    this.replay = new ReplayTracks(replay, tickers, this.at);
    this.news = new Random(own, 7);
    this.newsBelow = Float64Array.from(UNDERLYINGS, (underlying) => activity(underlying) * WORDS);
    this.drawn = new Uint32Array(count);
    this.premium.jump(this.excess);
    this.replay.apply(this.at, this.at, this.prices, this.premium);
    const yesterday = this.prices.hoursBefore(this.at, POINTS - 1);
    this.history.seed(this.at, (i, ago) =>
      this.units(i, (this.prices.logPrice[i] ?? 0) + (yesterday[ago]?.[i] ?? 0)),
    );
    this.world = new WorldFeeds(tickers, seed, this.at, this.prices.logPrice);
    this.renewAll(true);
    // The first state is not reported as a change.
    this.board.collectChanged();
  }

  advanceTo(now: number): readonly string[] {
    const target = Math.floor(now / STEP_MS) * STEP_MS;
    if (target > this.at) this.settled.trim();
    if (target - this.at > MAX_STEPS * STEP_MS) {
      while (this.at < target) {
        this.jump(Math.min(target, (Math.floor(this.at / HOUR_MS) + 1) * HOUR_MS));
      }
    }
    while (this.at < target) this.step();
    return this.board.collectChanged();
  }

  quote(id: string): Quote | undefined {
    const i = this.numbers.get(id);
    return i === undefined ? undefined : this.board.quote(i);
  }

  funding(id: string): FundingRate | undefined {
    const i = this.numbers.get(id);
    const instrument = i === undefined ? undefined : this.instruments[i];
    if (i === undefined || instrument === undefined) return undefined;
    return {
      id,
      symbol: instrument.symbol,
      rate: this.rates.rate(i),
      intervalHours: instrument.fundingIntervalHours,
      nextFundingTime: this.rates.nextBoundary(this.at),
    };
  }

  stats(id: string): MarketStats | undefined {
    const i = this.numbers.get(id);
    if (i === undefined) return undefined;
    return { id, volume24h: this.turnover.volume24h(i), openInterest: this.turnover.openInterest(i) };
  }

  feeds(): readonly FeedReading[] {
    return this.world.readings();
  }

  settlements(after: number, upTo: number): readonly Settlement[] {
    return this.settled.between(after, upTo, this.ids);
  }

  levels(id: string, side: Side, count: number): readonly BookLevel[] {
    const i = this.numbers.get(id);
    return i === undefined ? [] : this.board.levels(i, side, count);
  }

  take(id: string, side: Side, quantity: DecimalString, limit: DecimalString): readonly BookTrade[] {
    const i = this.numbers.get(id);
    return i === undefined ? [] : this.board.take(i, side, quantity, limit);
  }

  preview(id: string, side: Side, quantity: DecimalString, limit: DecimalString): BookPreview {
    const i = this.numbers.get(id);
    return i === undefined ? { trades: [], depthUsd: '0' } : this.board.preview(i, side, quantity, limit);
  }

  /** Throws on an unknown id or a factor that is not a positive number: a scenario with a mistake in it. */
  shock(id: string, factor: number): void {
    if (!Number.isFinite(factor) || factor <= 0) throw new RangeError('shock: factor must be positive');
    const i = this.numbers.get(id);
    if (i === undefined) {
      if (this.world.shock(id, factor, this.at, this.prices.logPrice)) return;
      throw new RangeError(`shock: ${id} is not listed on ${this.connector}`);
    }
    const unit = -this.board.grid(i).decimals * Math.LN10;
    const moved = (this.prices.logPrice[i] ?? 0) + Math.log(factor);
    this.prices.place(i, Math.min(Math.log(MAX_UNITS) + unit, Math.max(Math.log(MIN_UNITS) + unit, moved)));
    this.renew(i, 'BUY');
    this.world.renew(this.at, this.prices.logPrice);
  }

  snapshot(): string {
    return encodeSnapshot({
      connector: this.connector,
      listing: this.listing,
      seed: this.seed,
      at: this.at,
      replayFrom: this.replay.startAt,
      news: this.news.state(),
      price: this.prices.state(),
      premium: this.premium.state(),
      turnover: this.turnover.state(),
      funding: this.rates.state(),
      history: this.history.state(),
      board: this.board.state(),
      settled: this.settled.state(),
      world: this.world.state(),
    });
  }

  restore(state: string): void {
    const snapshot = decodeSnapshot(state, this.connector, this.listing, this.ids.length);
    this.seed = snapshot.seed;
    this.at = snapshot.at;
    this.replay.startAt = snapshot.replayFrom;
    this.news.restore(snapshot.news);
    this.prices.restore(snapshot.price, snapshot.at);
    this.premium.restore(snapshot.premium);
    this.turnover.restore(snapshot.turnover);
    this.rates.restore(snapshot.funding);
    this.history.restore(snapshot.history);
    this.board.restore(snapshot.board, hash32(this.seed, hashText(this.connector)));
    this.settled.restore(snapshot.settled);
    this.world.restore(this.seed, snapshot.world, this.at, this.prices.logPrice);
  }

  private step(): void {
    const from = this.at;
    const at = from + STEP_MS;
    this.at = at;
    this.prices.step(at);
    if (at % SECOND_MS === 0) this.premium.second(this.excess);
    if (at % MINUTE_MS === 0) this.turnover.advance(1);
    this.replay.apply(from, at, this.prices, this.premium);
    if (at % SECOND_MS === 0) this.world.second(at, this.prices.logPrice);
    if (at % HOUR_MS === 0) {
      this.fullHour(false);
      return;
    }
    this.news.words(this.drawn);
    for (let i = 0; i < this.drawn.length; i += 1) {
      const word = this.drawn[i] ?? 0;
      if (word < (this.newsBelow[i] ?? 0)) {
        // News comes with a trade: the lowest bit of the draw, which does not decide whether there is news, chooses the
        // taker's side.
        this.renew(i, (word & 1) === 1 ? 'BUY' : 'SELL');
      } else if (at - this.board.renewedAtOf(i) >= SECOND_MS || this.board.refilling(i)) {
        this.renew(i, null);
      }
    }
  }

  private jump(to: number): void {
    const from = this.at;
    this.at = to;
    this.prices.jump(from, to);
    this.premium.jump(this.excess);
    this.turnover.advance((to - from) / MINUTE_MS);
    this.replay.apply(from, to, this.prices, this.premium);
    this.world.jump(from, to, this.prices.logPrice);
    if (to % HOUR_MS === 0) this.fullHour(true);
    else this.renewAll(true);
  }

  /** Renews every instrument at the full hour, so that settlements and quotes have the same mark. */
  private fullHour(traded: boolean): void {
    this.renewAll(traded);
    for (let i = 0; i < this.ids.length; i += 1) this.history.record(i, this.at, this.board.markUnits(i));
    if (this.at % this.rates.intervalMs !== 0) return;
    this.settled.add({
      at: this.at,
      rates: this.ids.map((_, i) => this.rates.rate(i)),
      marks: this.ids.map((_, i) => this.board.markText(i)),
    });
    this.rates.advance();
  }

  private renewAll(traded: boolean): void {
    for (let i = 0; i < this.ids.length; i += 1) this.renew(i, traded ? 'BUY' : null);
  }

  /** @param taker side that traded at the new prices; null: no trade */
  private renew(i: number, taker: Side | null): void {
    const index = this.prices.logPrice[i] ?? 0;
    const mid = index + (this.premium.basis[i] ?? 0);
    const mark = index + (this.premium.smoothed[i] ?? 0);
    this.board.renew(i, this.at, { index, mid, mark, stress: this.prices.stress[i] ?? 1 }, taker);
  }

  private units(i: number, logPrice: number): number {
    return toUnits(Math.exp(logPrice), this.board.grid(i).decimals);
  }
}
