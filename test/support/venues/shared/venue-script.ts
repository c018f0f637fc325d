/**
 * Script for tests of an emulated venue: its market, time, faults and traffic. Every method takes and answers plain JSON,
 * so that it can be called from another process too (`control-server.ts`, `remote.ts`). Prices and amounts are decimal texts.
 */
import { type Decimal, dec, sum, text } from '../../../../gateway/domain/decimal.ts';
import type { Aim, CommonAct, Faults } from './faults.ts';
import type { Listening } from './listen.ts';
import type { SharedStreamFaults } from './stream-hub.ts';
import type { Tap } from './tap.ts';
import type { Level } from './world/book.ts';
import type { Exchange, TradeKind } from './world/exchange.ts';
import { accountValue, freeMargin, open } from './world/margin.ts';
import type { Account, Market, Order } from './world/parts.ts';

/** Price and size. */
type LevelText = readonly [string, string];

interface MarkOptions {
  /** Levels on each side. Default 10. */
  readonly depth?: number;
  /** Base units at each level. Default: 100,000 USD of them. */
  readonly size?: string;
  /** Between the best two, a fraction of the mark. Default 0.0002. */
  readonly spread?: string;
  /** Default: the mark. */
  readonly oracle?: string;
  /** False: what is taken stays taken. Default true. */
  readonly refill?: boolean;
}

/** An account as the venue knows it, whatever faults tell a client. */
export interface CommonState<Client> {
  /** Money outside isolated positions. */
  readonly collateral: string;
  readonly value: string;
  readonly free: string;
  readonly positions: readonly PositionState[];
  readonly open: readonly { readonly order: number; readonly client: Client; readonly left: string }[];
  readonly orders: readonly {
    readonly order: number;
    readonly client: Client;
    readonly symbol: string;
    readonly status: string;
    readonly filled: string;
  }[];
  readonly funding: string;
}

interface PositionState {
  readonly symbol: string;
  readonly size: string;
  readonly entry: string;
  readonly isCross: boolean;
  readonly leverage: number;
  readonly allocated: string;
}

/** The venue's name of an account. */
export type AccountName = string | number;

type ScriptedWorld<M extends Market, A extends Account<M>, O extends Order<M, A>> = Omit<
  Exchange<M, A, O, never>,
  'onEvent'
>;

interface ScriptedHub<StreamFaults> {
  readonly count: number;
  setFaults(faults: StreamFaults): void;
  cut(code: number | null): void;
}

interface ScriptedDesk<World, Fault extends Aim> {
  readonly world: World;
  readonly faults: Faults<Fault>;
  readonly tap: Tap;
}

const DEFAULT_DEPTH_USD = 100_000;

/** Markets and accounts are named as on the venue, orders by their client's id. */
export abstract class VenueScript<
  M extends Market,
  A extends Account<M>,
  O extends Order<M, A>,
  Fault extends Aim,
  StreamFaults extends SharedStreamFaults,
> {
  protected readonly world: ScriptedWorld<M, A, O>;
  protected readonly desk: ScriptedDesk<ScriptedWorld<M, A, O>, Fault>;
  protected readonly hub: ScriptedHub<StreamFaults>;
  readonly #http: Listening;

  constructor(
    desk: ScriptedDesk<ScriptedWorld<M, A, O>, Fault>,
    hub: ScriptedHub<StreamFaults>,
    http: Listening,
  ) {
    this.world = desk.world;
    this.desk = desk;
    this.hub = hub;
    this.#http = http;
  }

  /** Smallest step of a price near `price`. */
  protected abstract tickAt(market: M, price: Decimal): Decimal;
  /** A size of about `usd`, on the market's step. */
  protected abstract sizeWorth(market: M, usd: number): Decimal;

  // The market.

  /** Sets mark and oracle, and builds a book around them. */
  setMark(name: string, price: string, options: MarkOptions = {}): void {
    const market = this.world.market(name);
    const { depth = 10, spread = '0.0002', refill = true } = options;
    market.mark = dec(price);
    market.oracle = dec(options.oracle ?? price);
    const sz = options.size === undefined ? this.sizeWorth(market, DEFAULT_DEPTH_USD) : dec(options.size);
    const priceAt = this.#pricesAround(market, dec(spread));
    const steps = Array.from({ length: depth }, (_, level) => level + 1);
    const bids = steps.map((n) => ({ px: priceAt(-n), sz })).filter(({ px }) => px.gt(0));
    const asks = steps.map((n) => ({ px: priceAt(n), sz }));
    this.#state(market, bids, asks, refill);
  }

  markOf(name: string): string {
    return this.world.market(name).mark.toFixed();
  }

  /** States the book; the mark stays. What is taken stays taken, unless `refill`. */
  setBook(name: string, bids: readonly LevelText[], asks: readonly LevelText[], refill = false): void {
    const level = ([px, sz]: LevelText) => ({ px: dec(px), sz: dec(sz) });
    this.#state(this.world.market(name), bids.map(level), asks.map(level), refill);
  }

  /** @param rate of one hour, a fraction; positive: longs pay */
  setFundingRate(name: string, rate: string): void {
    const market = this.world.market(name);
    market.fundingRate = dec(rate);
    this.world.emit({ kind: 'market', market });
  }

  /** @param at epoch ms of the interval's end; missing: now */
  settleFunding(at?: number): void {
    this.world.settleFunding(at ?? this.world.now());
  }

  // Accounts.

  /** Another program of the same owner trades: an order without a client's id. */
  tradeElsewhere(
    account: AccountName,
    name: string,
    side: 'buy' | 'sell',
    size: string,
    price: string,
  ): void {
    this.world.force(this.world.account(account), this.world.market(name), {
      ...{ kind: 'trade', isBuy: side === 'buy', price: dec(price), size: dec(size) },
    });
  }

  /** @param size missing: the whole position */
  liquidate(account: AccountName, name: string, price: string, size?: string): void {
    this.#close('liquidation', account, name, price, size);
  }

  /** @param size missing: the whole position */
  deleverage(account: AccountName, name: string, price: string, size?: string): void {
    this.#close('deleverage', account, name, price, size);
  }

  /** The venue settles a position at a price, as where a market ends. */
  settlePosition(account: AccountName, name: string, price: string): void {
    this.#close('market-settlement', account, name, price);
  }

  /** The venue cancels a resting order, with one of its words. */
  cancelByVenue(account: AccountName, client: NonNullable<O['client']>, status: string): void {
    const order = this.world.orders.byClient(this.world.account(account), client);
    if (order === undefined) throw new Error(`account ${account} has no order ${client}`);
    this.world.cancel(order, status);
  }

  protected stateOf(account: A): CommonState<O['client']> {
    const { orders } = this.world;
    const resting = orders.open(account);
    return {
      ...{ collateral: text(account.cash), value: text(accountValue(account)) },
      free: text(freeMargin(account, resting)),
      positions: open(account).map(({ market, size, cost, margin, allocated }) => ({
        ...{ symbol: market.name, size: text(size), entry: text(cost.div(size).toDecimalPlaces(18)) },
        ...{ isCross: margin.isCross, leverage: margin.initial[1] / margin.initial[0] },
        allocated: text(allocated),
      })),
      open: resting.map(({ oid, client, sz }) => ({ order: oid, client, left: text(sz) })),
      orders: orders.of(account).map(({ oid, client, market, status, filledBase }) => ({
        ...{ order: oid, client, symbol: market.name, status, filled: text(filledBase) },
      })),
      funding: text(sum(account.funding.map(({ change }) => change))),
    };
  }

  // Time and faults.

  setClockOffset(offsetMs: number): void {
    this.world.clockOffsetMs = offsetMs;
  }

  fault(fault: Fault): void {
    this.desk.faults.arm(fault);
  }

  clearFaults(): void {
    this.desk.faults.clear();
    this.hub.setFaults({} as StreamFaults);
    this.#http.offline(false);
  }

  /** Replaces what ails the streams; `{}`: nothing. */
  streamFaults(faults: StreamFaults): void {
    this.hub.setFaults(faults);
  }

  /** Ends all streams. @param code a close code; missing: the connections break */
  cutStreams(code?: number): void {
    this.hub.cut(code ?? null);
  }

  /** Nobody can connect, and all connections are gone. */
  offline(isOffline: boolean): void {
    this.#http.offline(isOffline);
  }

  // Traffic.

  /** Requests by kind since the last `clearTraffic`, and their weight. */
  traffic(): { readonly counts: Record<string, number>; readonly weight: number; readonly streams: number } {
    const { tap } = this.desk;
    return { counts: tap.counts(), weight: tap.totalWeight(), streams: this.hub.count };
  }

  clearTraffic(): void {
    this.desk.tap.clear();
  }

  /** Messages of clients that contain `part`, in any case. */
  sentContaining(part: string): readonly string[] {
    return this.desk.tap.containing(part);
  }

  /** All that clients sent, oldest first. */
  sent(): readonly string[] {
    return this.desk.tap.seen.map(({ text }) => text);
  }

  /** Prices that are `n` steps away from the mark: a tick at least each, half the spread at best. */
  #pricesAround(market: M, spread: Decimal): (n: number) => Decimal {
    const { mark } = market;
    const tick = this.tickAt(market, mark);
    const half = mark.mul(spread).div(2);
    const step = half.lt(tick) ? tick : half.div(tick).ceil().mul(tick);
    const centre = mark.div(tick).round().mul(tick);
    // Near a power of ten the two sides may have different ticks.
    return (n) => {
      const price = centre.plus(step.mul(n));
      const own = this.tickAt(market, price);
      const ticks = price.div(own);
      return (n < 0 ? ticks.floor() : ticks.ceil()).mul(own);
    };
  }

  #close(kind: TradeKind, account: AccountName, name: string, price: string, size?: string): void {
    this.world.closePosition(this.world.account(account), this.world.market(name), {
      ...{ kind, price: dec(price), size: size === undefined ? null : dec(size) },
    });
  }

  #state(market: M, bids: readonly Level[], asks: readonly Level[], refill: boolean): void {
    this.world.book(market).state(bids, asks, refill);
    this.world.fillResting(market);
    this.world.emit({ kind: 'market', market });
  }
}

type SharedScript = VenueScript<Market, Account, Order, CommonAct & Aim, SharedStreamFaults>;

/** The part that is the same in the script of every venue. */
export type AnyScript = Pick<SharedScript, keyof SharedScript> & {
  state(account: AccountName): CommonState<unknown>;
};
