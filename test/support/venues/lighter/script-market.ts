/** Script for tests: markets of the emulated venue. */
import { dec } from '../../../../gateway/domain/decimal.ts';
import type { Listening } from '../shared/listen.ts';
import type { Desk } from './desk.ts';
import { levelsAround, settleFunding, sizeWorth } from './state/acts.ts';
import { type Market, type MarketTemplate, makeMarket } from './state/markets.ts';
import { fillResting } from './state/matching.ts';
import type { World } from './state/world.ts';
import type { Hub } from './ws/hub.ts';

/** Price and size. */
export type LevelText = readonly [string, string];

export interface MarkOptions {
  /** Levels on each side. Default 10. */
  readonly depth?: number;
  /** Base units at each level. Default: 100,000 USD of them. */
  readonly size?: string;
  /** Between the best two, a fraction of the mark. Default 0.0002. */
  readonly spread?: string;
  /** Default: the mark. */
  readonly index?: string;
  /** False: what is taken stays taken. Default true. */
  readonly refill?: boolean;
}

const DEFAULT_DEPTH_USD = 100_000;

export class MarketScript {
  protected readonly desk: Desk;
  protected readonly hub: Hub;
  protected readonly http: Listening;

  constructor(desk: Desk, hub: Hub, http: Listening) {
    this.desk = desk;
    this.hub = hub;
    this.http = http;
  }

  addMarket(template: MarketTemplate): void {
    this.world().markets.push(makeMarket(template));
    this.setMark(template.symbol, template.mark);
  }

  /** Sets mark and index, and builds a book around them. */
  setMark(symbol: string, price: string, options: MarkOptions = {}): void {
    const market = this.world().market(symbol);
    market.mark = dec(price);
    market.indexPrice = dec(options.index ?? price);
    const size = options.size === undefined ? sizeWorth(market, DEFAULT_DEPTH_USD) : dec(options.size);
    const spread = dec(options.spread ?? '0.0002');
    const { bids, asks } = levelsAround(market, market.mark, { depth: options.depth ?? 10, size, spread });
    this.world()
      .book(market)
      .state(bids, asks, options.refill ?? true);
    this.changed(market);
  }

  markOf(symbol: string): string {
    return this.world().market(symbol).mark.toFixed();
  }

  /** States the book; the mark stays. What is taken stays taken, unless `refill`. */
  setBook(symbol: string, bids: readonly LevelText[], asks: readonly LevelText[], refill = false): void {
    const market = this.world().market(symbol);
    const level = ([px, sz]: LevelText) => ({ px: dec(px), sz: dec(sz) });
    this.world().book(market).state(bids.map(level), asks.map(level), refill);
    this.changed(market);
  }

  /** @param rate of one hour, a fraction; positive: longs pay */
  setFundingRate(symbol: string, rate: string): void {
    const market = this.world().market(symbol);
    market.fundingRate = dec(rate);
    this.changed(market);
  }

  /** @param at epoch ms of the hour's end; missing: now */
  settleFunding(at?: number): void {
    settleFunding(this.world(), at ?? this.world().now());
  }

  /** Orders are refused until it ends. */
  halt(symbol: string, isHalted: boolean): void {
    this.world().market(symbol).status = isHalted ? 'inactive' : 'active';
  }

  setForceReduceOnly(symbol: string, isForced: boolean): void {
    this.world().market(symbol).forceReduceOnly = isForced;
  }

  /** The next change of the book is lost: the numbers of the changes around it do not fit. */
  bookGap(symbol: string): void {
    this.hub.bookGap(this.world().market(symbol));
  }

  protected world(): World {
    return this.desk.venue.world;
  }

  protected changed(market: Market): void {
    fillResting(this.world(), market);
    this.world().emit({ kind: 'market', market });
  }
}
