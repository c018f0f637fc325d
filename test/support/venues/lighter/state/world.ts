/** Everything that the emulated venue knows, and the news of it that streams carry on. */
import type { Clock } from '../../../../../gateway/engine/ports/system.ts';
import { Book } from '../../shared/book.ts';
import type { Network } from '../wire/tx.ts';
import {
  type Account,
  type AccountTemplate,
  type FundingPayment,
  makeAccount,
  type Trade,
} from './accounts.ts';
import { type Market, type MarketTemplate, makeMarket } from './markets.ts';
import { type Order, Orders } from './orders.ts';
import type { TxRecord } from './sequencer.ts';

export type WorldEvent =
  /** `accounts`: those that it concerns. */
  | { readonly kind: 'trade'; readonly trade: Trade; readonly accounts: readonly number[] }
  | { readonly kind: 'order'; readonly order: Order }
  | { readonly kind: 'funding'; readonly account: number; readonly payments: readonly FundingPayment[] }
  | { readonly kind: 'tx'; readonly record: TxRecord }
  /** Money or settings of the account changed otherwise than by what is named above. */
  | { readonly kind: 'account'; readonly account: number }
  | { readonly kind: 'market'; readonly market: Market };

const FIRST_ASK = 281_476_900_000_000;
const FIRST_BID = 562_947_900_000_000;

export class World {
  /** Clock of the test or the machine. The venue's own may be ahead of it. */
  readonly clock: Clock;
  readonly network: Network;
  readonly markets: Market[];
  readonly orders = new Orders();
  readonly trades: Trade[] = [];
  /** Milliseconds that the venue's clock is ahead of `clock`. */
  clockOffsetMs = 0;
  /** Fate of a reduce-only order that would open. */
  reduceOnly: 'vanishes' | 'is cancelled' | 'is refused' = 'vanishes';
  /** First to check margin, prices and duplicates. The sequencer checks them in any case. */
  judge: 'api' | 'sequencer' = 'api';
  /** Largest distance of a price beyond the best of the other side, and from the mark; fractions. */
  bands = { accidental: 0.1, mark: 0.5 };
  readonly #accounts = new Map<number, Account>();
  readonly #books = new Map<number, Book<Order>>();
  readonly #listeners = new Set<(event: WorldEvent) => void>();
  #orders = 0;
  #tradeId = 19_211_490_282;
  #block = 227_535_532;
  #nonce = 9_182_390_020;
  #hashes = 0;

  constructor(network: Network, markets: readonly MarketTemplate[], clock: Clock) {
    this.clock = clock;
    this.network = network;
    this.markets = markets.map(makeMarket);
  }

  now(): number {
    return this.clock.now() + this.clockOffsetMs;
  }

  /** Numbers of asks and of bids begin at different powers of two, as on the venue. */
  nextOrderIndex(isBuy: boolean): number {
    this.#orders += 1;
    return (isBuy ? FIRST_BID : FIRST_ASK) + this.#orders;
  }

  nextTradeId(): number {
    this.#tradeId += 1;
    return this.#tradeId;
  }

  nextBlock(): number {
    this.#block += 1;
    return this.#block;
  }

  get height(): number {
    return this.#block;
  }

  /** Number of the venue's state: every change of an order or a book has its own. */
  nextNonce(): number {
    this.#nonce += 1;
    return this.#nonce;
  }

  /** 80 hexadecimal digits that never repeat. */
  nextHash(): string {
    this.#hashes += 1;
    return this.#hashes.toString(16).padStart(80, 'e');
  }

  /** @throws for a name that no market has */
  market(symbol: string): Market {
    const found = this.markets.find((market) => market.symbol === symbol);
    if (found === undefined) throw new Error(`no market is called ${symbol}`);
    return found;
  }

  at(index: number): Market | undefined {
    return this.markets.find((market) => market.index === index);
  }

  book(market: Market): Book<Order> {
    const known = this.#books.get(market.index) ?? new Book<Order>();
    this.#books.set(market.index, known);
    return known;
  }

  addAccount(template: AccountTemplate): Account {
    const account = makeAccount(template, this.now(), this.nextHash());
    this.#accounts.set(account.index, account);
    return account;
  }

  find(index: number): Account | undefined {
    return this.#accounts.get(index);
  }

  /** @throws for a number that no account has */
  account(index: number): Account {
    const found = this.find(index);
    if (found === undefined) throw new Error(`no account has the index ${index}`);
    return found;
  }

  accounts(): Account[] {
    return [...this.#accounts.values()];
  }

  /** Sets the order's state and tells it. */
  settle(order: Order, status: string): void {
    this.orders.mark(order, status, { now: this.now(), nonce: this.nextNonce(), block: this.nextBlock() });
    this.emit({ kind: 'order', order });
  }

  emit(event: WorldEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  onEvent(listener: (event: WorldEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
