/** Everything that the emulated venue knows, and the news of it that streams carry on. */
import type { Decimal } from '../../../../../gateway/domain/decimal.ts';
import type { Clock } from '../../../../../gateway/engine/ports/system.ts';
import { Book } from '../../shared/book.ts';
import {
  type Account,
  type AccountTemplate,
  type Fill,
  type FundingPayment,
  makeAccount,
} from './accounts.ts';
import { type Order, Orders } from './orders.ts';
import { type Asset, type AssetTemplate, makeAsset } from './universe.ts';

export type Network = 'mainnet' | 'testnet';

export type WorldEvent =
  | { readonly kind: 'fill'; readonly user: string; readonly fill: Fill }
  | { readonly kind: 'order'; readonly order: Order; readonly status: string }
  | { readonly kind: 'funding'; readonly user: string; readonly payments: readonly FundingPayment[] }
  | {
      readonly kind: 'liquidation';
      readonly id: number;
      readonly user: string;
      readonly ntl: Decimal;
      readonly value: Decimal;
    }
  /** Cancelled by the venue, not by its owner. */
  | { readonly kind: 'venueCancel'; readonly order: Order }
  /** Money or settings of the account changed otherwise than by what is named above. */
  | { readonly kind: 'account'; readonly user: string }
  | { readonly kind: 'market'; readonly asset: Asset };

export class World {
  /** Clock of the test or the machine. The venue's own may be ahead of it. */
  readonly clock: Clock;
  readonly network: Network;
  readonly assets: Asset[];
  readonly orders = new Orders();
  /** By `<coin> <interval>`, as the script stated them. */
  /** Milliseconds that the venue's clock is ahead of `clock`. */
  clockOffsetMs = 0;
  /** Fills name their order by its number only, as in old records. */
  fillsNameClientIds = true;
  /**
   * Perpetuals' summary of a unified account. `zero`: as most reports say. `positions`: the part of its open positions, as
   * in the payload `http_clearinghouse_state_unified_open_positions`.
   */
  unifiedSummary: 'zero' | 'positions' = 'zero';
  /** Answer to a late `expiresAfter`. The real venue's answer is not documented. */
  lateExpiry: 'error' | 'silence' = 'error';
  readonly #accounts = new Map<string, Account>();
  readonly #books = new Map<number, Book<Order>>();
  readonly #listeners = new Set<(event: WorldEvent) => void>();
  #lastOid = 77_738_307;
  #lastTid = 345_752_513_742_000;
  #lastBlock = 0;

  constructor(network: Network, universe: readonly AssetTemplate[], clock: Clock) {
    this.clock = clock;
    this.network = network;
    this.assets = universe.map(makeAsset);
  }

  now(): number {
    return this.clock.now() + this.clockOffsetMs;
  }

  nextOid(): number {
    this.#lastOid += 1;
    return this.#lastOid;
  }

  nextTid(): number {
    this.#lastTid += 3;
    return this.#lastTid;
  }

  /** Hash of a transaction: 32 bytes that never repeat. */
  nextHash(): string {
    this.#lastBlock += 1;
    return `0x${this.#lastBlock.toString(16).padStart(64, 'e')}`;
  }

  asset(name: string): Asset {
    const found = this.assets.find((asset) => asset.name === name);
    if (found === undefined) throw new Error(`no instrument is called ${name}`);
    return found;
  }

  /** A new instrument, behind all others. */
  list(template: AssetTemplate): void {
    this.assets.push(makeAsset(template, this.assets.length));
  }

  book(asset: Asset): Book<Order> {
    const known = this.#books.get(asset.index) ?? new Book<Order>();
    this.#books.set(asset.index, known);
    return known;
  }

  addAccount(template: AccountTemplate): Account {
    const account = makeAccount(template);
    this.#accounts.set(account.address, account);
    return account;
  }

  find(address: string): Account | undefined {
    return this.#accounts.get(address.toLowerCase());
  }

  account(address: string): Account {
    const found = this.find(address);
    if (found === undefined) throw new Error(`no account is called ${address}`);
    return found;
  }

  accounts(): Account[] {
    return [...this.#accounts.values()];
  }

  /** The account that this agent trades for, as long as it may. */
  masterOf(agent: string): Account | undefined {
    const now = this.now();
    return this.accounts().find(({ agents }) =>
      agents.some(({ address, validUntil }) => address === agent.toLowerCase() && validUntil > now),
    );
  }

  emit(event: WorldEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  onEvent(listener: (event: WorldEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
