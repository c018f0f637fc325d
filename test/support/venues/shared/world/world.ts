/** Everything that an emulated venue knows, and the news of it that streams carry on. */
import type { Clock } from '../../../../../gateway/engine/ports/system.ts';
import { Book } from './book.ts';
import { Orders } from './orders.ts';
import type { Account, FundingPayment, Market, Order } from './parts.ts';
import { payFunding } from './positions.ts';

/** Numbers that rise by `step`. @param last the number before the first one */
export function rising(last: number, step = 1): () => number {
  let now = last;
  return () => {
    now += step;
    return now;
  };
}

export type Network = 'mainnet' | 'testnet';

export type CommonEvent<M extends Market, A extends Account, O extends Order> =
  | { readonly kind: 'order'; readonly order: O; readonly status: string }
  | { readonly kind: 'funding'; readonly account: A; readonly payments: readonly FundingPayment<M>[] }
  /** Money or settings of the account changed otherwise than by what is named above. */
  | { readonly kind: 'account'; readonly account: A }
  | { readonly kind: 'market'; readonly market: M };

export abstract class World<
  M extends Market,
  A extends Account<M>,
  O extends Order<M, A>,
  Event extends { readonly kind: string },
> {
  /** Clock of the test or the machine. The venue's own may be ahead of it. */
  readonly clock: Clock;
  readonly network: Network;
  readonly markets: M[];
  readonly orders = new Orders<O>();
  /** Milliseconds that the venue's clock is ahead of `clock`. */
  clockOffsetMs = 0;
  readonly #accounts = new Map<string, A>();
  readonly #books = new Map<number, Book<O>>();
  readonly #listeners = new Set<(event: Event | CommonEvent<M, A, O>) => void>();

  constructor(network: Network, markets: readonly M[], clock: Clock) {
    this.network = network;
    this.markets = [...markets];
    this.clock = clock;
  }

  abstract readonly nextTradeId: () => number;
  protected abstract fundingPrice(market: M): M['mark'];

  now(): number {
    return this.clock.now() + this.clockOffsetMs;
  }

  /** @throws for a name that no market has */
  market(name: string): M {
    const found = this.markets.find((market) => market.name === name);
    if (found === undefined) throw new Error(`no market is called ${name}`);
    return found;
  }

  at(index: number): M | undefined {
    return this.markets.find((market) => market.index === index);
  }

  book(market: M): Book<O> {
    const known = this.#books.get(market.index) ?? new Book<O>();
    this.#books.set(market.index, known);
    return known;
  }

  protected add(id: string | number, account: A): A {
    this.#accounts.set(`${id}`.toLowerCase(), account);
    return account;
  }

  find(id: string | number): A | undefined {
    return this.#accounts.get(`${id}`.toLowerCase());
  }

  /** @throws for a name that no account has */
  account(id: string | number): A {
    const found = this.find(id);
    if (found === undefined) throw new Error(`no account is called ${id}`);
    return found;
  }

  accounts(): A[] {
    return [...this.#accounts.values()];
  }

  /** Every position pays or receives one hour's funding. */
  settleFunding(at: number): void {
    for (const account of this.accounts()) {
      const payments = payFunding(account, at, this.fundingPrice, this.nextTradeId);
      if (payments.length > 0) this.emit({ kind: 'funding', account, payments });
    }
  }

  emit(event: Event | CommonEvent<M, A, O>): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  onEvent(listener: (event: Event | CommonEvent<M, A, O>) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
