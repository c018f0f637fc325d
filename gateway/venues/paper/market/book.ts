/**
 * The order book of one instrument: depth as a function of the distance from the touch, drawn on the price grid, minus
 * the quantities that were taken and have not refilled yet. Nothing trades at a price or in a quantity that the book
 * does not show.
 *
 * Prices and quantities are whole numbers of their units (see price-grid.ts). The book stands still between two calls
 * of `place`; refilling is read at the time of the latest call, so quotes and depth always agree.
 */
import type { Side } from '../../../domain/model.ts';
import type { PriceGrid } from './price-grid.ts';
import { roundDown, roundNearest, roundUp, tickAt } from './price-grid.ts';
import { hash32 } from './random.ts';

export interface BookShape {
  readonly grid: PriceGrid;
  /** Decimals of one unit of quantity. */
  readonly quantityDecimals: number;
  /** USD on one side within 1 % of the mid, in calm markets. */
  readonly depthUsd: number;
  /** Half of the spread as a fraction of the mid, in calm markets. */
  readonly halfSpread: number;
  /** Seed of the book's noise, so that books differ. */
  readonly salt: number;
}

export interface UnitLevel {
  readonly price: number;
  readonly quantity: number;
}

/** Per side (bids, asks): price in units, quantity taken, time when it was taken. */
export interface BookState {
  readonly bids: readonly (readonly [number, number, number])[];
  readonly asks: readonly (readonly [number, number, number])[];
  readonly refilledAt: number;
}

interface Hole {
  readonly quantity: number;
  readonly at: number;
}

/** The book ends at this distance from the mid, a fraction of the mid. */
const REACH = 0.02;
/**
 * Density at the touch over the mean density of the first per cent; rises linearly to 2 − TOUCH_DENSITY, then stays.
 */
const TOUCH_DENSITY = 0.5;
const REFILL_HALF_LIFE_MS = 2_000;
/** Approximate time after which a level is redrawn; each level at its own moment. */
const SHIMMER_MS = 3_000;
/** USD value below which levels are merged with the next ones. */
const MIN_LEVEL_USD = 25;
const MAX_HOLES = 512;

export class Book {
  private readonly shape: BookShape;
  private salt: number;
  private readonly bids = new Map<number, Hole>();
  private readonly asks = new Map<number, Hole>();
  private refilledAt = 0;
  private mid = 1;
  private at = 0;
  private stress = 1;
  private laidOut = false;
  private depthUsd = 0;
  private stride = 1;
  private bestBid = 1;
  private bestAsk = 2;

  constructor(shape: BookShape) {
    this.shape = shape;
    this.salt = shape.salt;
  }

  /** Centres the book on `mid` (float units of price) at market time `at`; `stress` widens it and takes depth away. */
  place(mid: number, at: number, stress: number): void {
    this.mid = mid;
    this.at = at;
    this.stress = stress;
    // Levels are computed only when something reads the book.
    this.laidOut = false;
  }

  /** True while a taken quantity has not refilled completely. */
  refilling(): boolean {
    return this.at < this.refilledAt;
  }

  /** Best price of the side before anything was taken from it. */
  touch(side: Side): number {
    this.layOut();
    return side === 'BUY' ? this.bestBid : this.bestAsk;
  }

  /** Best price of the side at which quantity is left; if all is taken, the far end of the book. */
  best(side: Side): number {
    let best: number | undefined;
    this.walk(side, (price, available) => {
      if (available === 0) return true;
      best = price;
      return false;
    });
    if (best !== undefined) return best;
    const { grid } = this.shape;
    return side === 'BUY' ? roundDown(grid, this.mid * (1 - REACH)) : roundUp(grid, this.mid * (1 + REACH));
  }

  /**
   * Middle of best bid and best ask; where it is not on the price grid, the next grid price towards `mid`.
   */
  middle(): number {
    const bid = this.best('BUY');
    const ask = this.best('SELL');
    const middle = (bid + ask) / 2;
    const { grid } = this.shape;
    return this.mid > middle ? Math.min(ask, roundUp(grid, middle)) : Math.max(bid, roundDown(grid, middle));
  }

  levels(side: Side, count: number): readonly UnitLevel[] {
    const levels: UnitLevel[] = [];
    if (count <= 0) return levels;
    this.walk(side, (price, quantity) => {
      if (quantity > 0) levels.push({ price, quantity });
      return levels.length < count;
    });
    return levels;
  }

  /** Takes up to `quantity` for an order of `side`, best price first, not beyond `limit` (both in units). */
  take(side: Side, quantity: number, limit: number): readonly UnitLevel[] {
    const buying = side === 'BUY';
    const holes = buying ? this.asks : this.bids;
    const trades: UnitLevel[] = [];
    let left = quantity;
    this.walk(buying ? 'SELL' : 'BUY', (price, available) => {
      if (left <= 0 || (buying ? price > limit : price < limit)) return false;
      const taken = Math.min(left, available);
      if (taken > 0) {
        trades.push({ price, quantity: taken });
        left -= taken;
      }
      return left > 0;
    });
    if (trades.length === 0) return trades;
    if (holes.size > MAX_HOLES) this.forgetRefilled(holes);
    for (const trade of trades) {
      const missing = this.missing(holes, trade.price) + trade.quantity;
      holes.set(trade.price, { quantity: missing, at: this.at });
      // After this many half-lives less than half a unit is missing, which is rounded to none.
      const halfLives = Math.log2(missing) + 2;
      this.refilledAt = Math.max(this.refilledAt, this.at + Math.ceil(halfLives * REFILL_HALF_LIFE_MS));
    }
    return trades;
  }

  /**
   * Fills of `take` if it came now, and the depth as far as `limit`: price × quantity in units, summed as a float.
   * Nothing is taken.
   */
  preview(
    side: Side,
    quantity: number,
    limit: number,
  ): { readonly trades: readonly UnitLevel[]; readonly depth: number } {
    const buying = side === 'BUY';
    const trades: UnitLevel[] = [];
    let left = quantity;
    let depth = 0;
    this.walk(buying ? 'SELL' : 'BUY', (price, available) => {
      if (buying ? price > limit : price < limit) return false;
      const taken = Math.min(left, available);
      if (taken > 0) trades.push({ price, quantity: taken });
      left -= taken;
      depth += price * available;
      return true;
    });
    return { trades, depth };
  }

  state(): BookState {
    this.layOut();
    const entries = (holes: ReadonlyMap<number, Hole>) =>
      [...holes].map(([price, hole]) => [price, hole.quantity, hole.at] as const);
    return { bids: entries(this.bids), asks: entries(this.asks), refilledAt: this.refilledAt };
  }

  /** Restores a saved book; call `place` afterwards. */
  restore(state: BookState, salt: number): void {
    this.salt = salt;
    this.bids.clear();
    this.asks.clear();
    for (const [price, quantity, at] of state.bids) this.bids.set(price, { quantity, at });
    for (const [price, quantity, at] of state.asks) this.asks.set(price, { quantity, at });
    this.refilledAt = state.refilledAt;
  }

  private layOut(): void {
    if (this.laidOut) return;
    this.laidOut = true;
    const { mid, stress } = this;
    const { grid, halfSpread, depthUsd, quantityDecimals } = this.shape;
    this.depthUsd = depthUsd / stress;
    const tick = tickAt(grid, mid);
    const spread = tick * Math.max(1, Math.round((2 * halfSpread * stress * mid) / tick));
    // Best bid and ask are whole ticks apart and within half a tick of symmetric, so the mid lies between them.
    this.bestBid = roundNearest(grid, mid - spread / 2);
    this.bestAsk = roundUp(grid, this.bestBid + spread);
    if (this.at >= this.refilledAt) {
      this.bids.clear();
      this.asks.clear();
    }
    const stepUsd = mid * 10 ** -(grid.decimals + quantityDecimals);
    const tickUsd = (this.depthUsd * TOUCH_DENSITY * 100 * tick) / mid;
    const wanted = Math.max(MIN_LEVEL_USD, 8 * stepUsd) / tickUsd;
    // The stride is a power of two, so that the levels stay where they are while prices drift.
    this.stride = wanted <= 1 ? 1 : 2 ** Math.min(20, Math.ceil(Math.log2(wanted)));
  }

  /** Visits the levels of a side, best first, until the book ends or `visit` returns false. */
  private walk(side: Side, visit: (price: number, available: number) => boolean): void {
    this.layOut();
    const { grid } = this.shape;
    const bids = side === 'BUY';
    const holes = bids ? this.bids : this.asks;
    const best = bids ? this.bestBid : this.bestAsk;
    const end = bids ? this.mid * (1 - REACH) : this.mid * (1 + REACH);
    let price = best;
    let width = this.stride * tickAt(grid, best);
    // The best price counts as a level even beyond the book's reach (when the price grid is coarser than the book).
    while (price === best || (bids ? price >= end : price <= end)) {
      const size = this.size(side, price, Math.abs(price - best), width);
      const available = Math.max(0, size - this.missing(holes, price));
      if (!visit(price, available)) return;
      const next = bids ? this.below(price) : this.above(price);
      if (next <= 0) return;
      width = Math.abs(next - price);
      price = next;
    }
  }

  private above(price: number): number {
    const step = this.stride * tickAt(this.shape.grid, price);
    return roundUp(this.shape.grid, Math.floor(price / step + 1) * step);
  }

  private below(price: number): number {
    const step = this.stride * tickAt(this.shape.grid, price - 1);
    return Math.ceil(price / step - 1) * step;
  }

  /** Quantity offered at a price when nothing has been taken. */
  private size(side: Side, price: number, distance: number, width: number): number {
    const { grid, quantityDecimals } = this.shape;
    const percents = (100 * distance) / this.mid;
    const density = TOUCH_DENSITY + 2 * (1 - TOUCH_DENSITY) * Math.min(1, percents);
    const identity = hash32(this.salt, price, side === 'BUY' ? 1 : 2);
    const epoch = Math.floor((this.at + (identity % SHIMMER_MS)) / SHIMMER_MS);
    const uniform = hash32(identity, epoch) / 4294967296;
    // Random factor with mean 1: many small levels, some large ones.
    const noise = 0.3 + 2.1 * uniform * uniform;
    const usd = (this.depthUsd * density * 100 * width * noise) / this.mid;
    return Math.floor((usd / price) * 10 ** (grid.decimals + quantityDecimals));
  }

  private missing(holes: ReadonlyMap<number, Hole>, price: number): number {
    const hole = holes.get(price);
    if (hole === undefined) return 0;
    return Math.round(hole.quantity * 2 ** (-(this.at - hole.at) / REFILL_HALF_LIFE_MS));
  }

  private forgetRefilled(holes: Map<number, Hole>): void {
    for (const price of [...holes.keys()]) if (this.missing(holes, price) === 0) holes.delete(price);
  }
}
