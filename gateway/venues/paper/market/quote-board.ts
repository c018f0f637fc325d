/**
 * Prices, book and quote of each instrument: prices taken over from the processes at the last renewal, the book around
 * these prices, and the quote made of both. Prices are worked out, and become text, only when they are read.
 */
import { canonical, type DecimalString } from '../../../domain/decimal.ts';
import type { BookPreview } from '../../../domain/expected-fill.ts';
import type { Instrument, Quote, Side } from '../../../domain/model.ts';
import type { BookState } from './book.ts';
import { Book } from './book.ts';
import type { DayHistory } from './day-history.ts';
import { depthUsd, halfSpread } from './liquidity.ts';
import type { BookLevel, PaperProfile } from './market-types.ts';
import type { PriceGrid } from './price-grid.ts';
import { priceGridOf, roundNearest, toUnits, unitsAbove, unitsBelow, unitsText } from './price-grid.ts';
import { hash32 } from './random.ts';
import type { Underlying } from './underlyings.ts';

export interface BoardState {
  /** Float prices in units of each grid. */
  readonly mid: readonly number[];
  readonly mark: readonly number[];
  readonly index: readonly number[];
  /** Price units of the latest trade; null: a snapshot of an earlier version, without trades. */
  readonly last: readonly number[] | null;
  readonly stress: readonly number[];
  readonly renewedAt: readonly number[];
  /** Books by instrument number; only books from which a quantity is missing. */
  readonly books: readonly { readonly i: number; readonly book: BookState }[];
  readonly changed: readonly number[];
}

/** Bounds of a book's stress, so that the book stays plausible in calm and in wild minutes. */
const MIN_STRESS = 0.6;
const MAX_STRESS = 3;

export class QuoteBoard {
  readonly instruments: readonly Instrument[];
  private readonly grids: readonly PriceGrid[];
  /** Price units of one USD. */
  private readonly unitsPerUsd: Float64Array;
  private readonly quantityDecimals: readonly number[];
  private readonly books: readonly Book[];
  private readonly history: DayHistory;
  private readonly mid: Float64Array;
  private readonly mark: Float64Array;
  private readonly index: Float64Array;
  /**
   * Natural logarithms of the latest prices in USD. `isUnread`: `mid`, `mark` and `index` have not been computed from
   * them yet.
   */
  private readonly logs: {
    readonly mid: Float64Array;
    readonly mark: Float64Array;
    readonly index: Float64Array;
  };
  private readonly isUnread: Uint8Array;
  private readonly last: Float64Array;
  /** Side that traded at the latest renewal while the price is not written into `last` yet. */
  private readonly traded: (Side | null)[];
  private readonly stress: Float64Array;
  private readonly renewedAt: Float64Array;
  private readonly changed: Uint8Array;
  private readonly quotes: (Quote | undefined)[];

  constructor(
    instruments: readonly Instrument[],
    underlyings: readonly Underlying[],
    profile: PaperProfile,
    seed: number,
    history: DayHistory,
  ) {
    const count = instruments.length;
    this.instruments = instruments;
    this.grids = instruments.map(priceGridOf);
    this.unitsPerUsd = Float64Array.from(this.grids, ({ decimals }) => toUnits(1, decimals));
    this.quantityDecimals = instruments.map(({ stepSize }) => stepSize.split('.')[1]?.length ?? 0);
    this.books = underlyings.map(
      (underlying, i) =>
        new Book({
          grid: this.grid(i),
          quantityDecimals: this.quantityDecimals[i] ?? 0,
          depthUsd: depthUsd(underlying, profile),
          halfSpread: halfSpread(underlying, profile),
          salt: hash32(seed, i),
        }),
    );
    this.history = history;
    this.mid = new Float64Array(count);
    this.mark = new Float64Array(count);
    this.index = new Float64Array(count);
    this.logs = {
      mid: new Float64Array(count),
      mark: new Float64Array(count),
      index: new Float64Array(count),
    };
    this.isUnread = new Uint8Array(count);
    this.last = new Float64Array(count);
    this.traded = new Array<Side | null>(count).fill(null);
    this.stress = new Float64Array(count).fill(1);
    this.renewedAt = new Float64Array(count);
    this.changed = new Uint8Array(count);
    this.quotes = new Array<Quote | undefined>(count).fill(undefined);
  }

  /**
   * Stores prices as of `at`; text and book are computed only when read.
   * @param logs natural logarithms of prices in USD
   * @param taker side that traded at these prices; null: no trade
   */
  renew(
    i: number,
    at: number,
    logs: { mid: number; mark: number; index: number; stress: number },
    taker: Side | null,
  ): void {
    if (taker === null) this.writeLast(i);
    this.traded[i] = taker;
    this.logs.mid[i] = logs.mid;
    this.logs.mark[i] = logs.mark;
    this.logs.index[i] = logs.index;
    this.isUnread[i] = 1;
    this.stress[i] = Math.max(MIN_STRESS, Math.min(MAX_STRESS, logs.stress));
    this.renewedAt[i] = at;
    this.touch(i);
  }

  renewedAtOf(i: number): number {
    return this.renewedAt[i] ?? 0;
  }

  /** True while taken depth is still refilling. */
  refilling(i: number): boolean {
    const book = this.books[i];
    if (book === undefined || !book.refilling()) return false;
    // The book is updated only when it is read, so it is brought up to date first.
    this.settle(i);
    return book.refilling();
  }

  /** Ids of the quotes that changed since the last call. */
  collectChanged(): readonly string[] {
    const ids: string[] = [];
    for (const [i, instrument] of this.instruments.entries()) {
      if (this.changed[i] === 1) ids.push(instrument.id);
    }
    this.changed.fill(0);
    return ids;
  }

  quote(i: number): Quote | undefined {
    const known = this.quotes[i];
    if (known !== undefined) return known;
    const instrument = this.instruments[i];
    const book = this.books[i];
    if (instrument === undefined || book === undefined) return undefined;
    this.settle(i);
    const at = this.renewedAtOf(i);
    const quote: Quote = {
      id: instrument.id,
      symbol: instrument.symbol,
      mark: this.text(i, this.markUnits(i)),
      index: this.text(i, roundNearest(this.grid(i), this.index[i] ?? 0)),
      mid: this.text(i, book.middle()),
      bid: this.text(i, book.best('BUY')),
      ask: this.text(i, book.best('SELL')),
      last: this.text(i, this.writeLast(i)),
      price24hAgo: this.text(i, roundNearest(this.grid(i), this.history.dayAgo(i, at))),
      updatedAt: at,
    };
    this.quotes[i] = quote;
    return quote;
  }

  /** Mark price on the grid, in units. */
  markUnits(i: number): number {
    this.settle(i);
    return roundNearest(this.grid(i), this.mark[i] ?? 0);
  }

  markText(i: number): DecimalString {
    return this.text(i, this.markUnits(i));
  }

  levels(i: number, side: Side, count: number): readonly BookLevel[] {
    this.settle(i);
    return this.written(i, this.books[i]?.levels(side, count) ?? []);
  }

  take(i: number, side: Side, quantity: DecimalString, limit: DecimalString): readonly BookLevel[] {
    const { decimals } = this.grid(i);
    const most = unitsBelow(quantity, this.quantityDecimals[i] ?? 0);
    const worst = side === 'BUY' ? unitsBelow(limit, decimals) : unitsAbove(limit, decimals);
    this.settle(i);
    const trades = this.books[i]?.take(side, most, worst) ?? [];
    const latest = trades.at(-1);
    if (latest !== undefined) {
      this.traded[i] = null;
      this.last[i] = latest.price;
      this.touch(i);
    }
    return this.written(i, trades);
  }

  /** Fills of an order if it came now; nothing is taken. `depthUsd`: offered as far as its limit. */
  preview(i: number, side: Side, quantity: DecimalString, limit: DecimalString): BookPreview {
    const { decimals } = this.grid(i);
    const quantityDecimals = this.quantityDecimals[i] ?? 0;
    const worst = side === 'BUY' ? unitsBelow(limit, decimals) : unitsAbove(limit, decimals);
    this.settle(i);
    const found = this.books[i]?.preview(side, unitsBelow(quantity, quantityDecimals), worst);
    if (found === undefined) return { trades: [], depthUsd: '0' };
    const depth = found.depth / 10 ** (decimals + quantityDecimals);
    return { trades: this.written(i, found.trades), depthUsd: canonical(depth.toFixed(2)) };
  }

  grid(i: number): PriceGrid {
    return this.grids[i] ?? { decimals: 0, tickUnits: 1, significantFigures: null };
  }

  state(): BoardState {
    for (let i = 0; i < this.last.length; i += 1) {
      this.settle(i);
      this.writeLast(i);
    }
    return {
      mid: [...this.mid],
      mark: [...this.mark],
      index: [...this.index],
      last: [...this.last],
      stress: [...this.stress],
      renewedAt: [...this.renewedAt],
      books: this.books.flatMap((book, i) => {
        const state = book.state();
        return state.bids.length + state.asks.length === 0 ? [] : [{ i, book: state }];
      }),
      changed: [...this.changed.keys()].filter((i) => this.changed[i] === 1),
    };
  }

  /** `seed` is the seed with which the gateway that took the snapshot made its books. */
  restore(state: BoardState, seed: number): void {
    this.mid.set(state.mid);
    this.mark.set(state.mark);
    this.index.set(state.index);
    this.stress.set(state.stress);
    this.renewedAt.set(state.renewedAt);
    this.isUnread.fill(0);
    const untouched: BookState = { bids: [], asks: [], refilledAt: 0 };
    const taken = new Map(state.books.map(({ i, book }) => [i, book]));
    for (const [i, book] of this.books.entries()) {
      book.restore(taken.get(i) ?? untouched, hash32(seed, i));
      this.place(i);
    }
    this.traded.fill(state.last === null ? 'BUY' : null);
    if (state.last !== null) this.last.set(state.last);
    this.quotes.fill(undefined);
    this.changed.fill(0);
    for (const i of state.changed) this.changed[i] = 1;
  }

  /** Works out the prices of the latest renewal, and centres the book on them. */
  private settle(i: number): void {
    if (this.isUnread[i] === 0) return;
    this.isUnread[i] = 0;
    const unitsPerUsd = this.unitsPerUsd[i] ?? 1;
    this.mid[i] = Math.exp(this.logs.mid[i] ?? 0) * unitsPerUsd;
    this.mark[i] = Math.exp(this.logs.mark[i] ?? 0) * unitsPerUsd;
    this.index[i] = Math.exp(this.logs.index[i] ?? 0) * unitsPerUsd;
    this.place(i);
  }

  private place(i: number): void {
    this.books[i]?.place(this.mid[i] ?? 0, this.renewedAtOf(i), this.stress[i] ?? 1);
  }

  /** Price of the latest trade, in units: a buyer pays the ask of that moment, a seller gets the bid. */
  private writeLast(i: number): number {
    const taker = this.traded[i] ?? null;
    if (taker !== null) {
      this.settle(i);
      this.traded[i] = null;
      this.last[i] = this.books[i]?.touch(taker === 'BUY' ? 'SELL' : 'BUY') ?? 0;
    }
    return this.last[i] ?? 0;
  }

  private touch(i: number): void {
    this.quotes[i] = undefined;
    this.changed[i] = 1;
  }

  private text(i: number, units: number): DecimalString {
    return unitsText(units, this.grid(i).decimals);
  }

  private written(
    i: number,
    levels: readonly { readonly price: number; readonly quantity: number }[],
  ): readonly BookLevel[] {
    const decimals = this.quantityDecimals[i] ?? 0;
    return levels.map(({ price, quantity }) => ({
      price: this.text(i, price),
      quantity: unitsText(quantity, decimals),
    }));
  }
}
