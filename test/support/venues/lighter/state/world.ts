/** Everything that the emulated venue knows, and the news of it that streams carry on. */
import { ZERO } from '../../../../../gateway/domain/decimal.ts';
import type { Clock } from '../../../../../gateway/engine/ports/system.ts';
import { Exchange, type ForcedTrade, type Trade as Match } from '../../shared/world/exchange.ts';
import { type CommonEvent, rising } from '../../shared/world/world.ts';
import type { Network } from '../wire/tx.ts';
import { type Account, type AccountTemplate, makeAccount, type Trade } from './accounts.ts';
import { bookTrade, partyOf } from './fills.ts';
import { type Market, type MarketTemplate, makeMarket } from './markets.ts';
import { MARKET, POST_ONLY, type Wanted } from './order-checks.ts';
import type { Order } from './orders.ts';
import type { TxRecord } from './sequencer.ts';

type OwnEvent =
  /** `accounts`: numbers of those that it concerns. */
  | { readonly kind: 'trade'; readonly trade: Trade; readonly accounts: readonly number[] }
  | { readonly kind: 'tx'; readonly record: TxRecord };

export type WorldEvent = OwnEvent | CommonEvent<Market, Account, Order>;

const FIRST_ASK = 281_476_900_000_000;
const FIRST_BID = 562_947_900_000_000;

export class World extends Exchange<Market, Account, Order, OwnEvent> {
  readonly trades: Trade[] = [];
  /** Fate of a reduce-only order that would open. */
  reduceOnly: 'vanishes' | 'is cancelled' | 'is refused' = 'vanishes';
  /** First to check margin, prices and duplicates. The sequencer checks them in any case. */
  judge: 'api' | 'sequencer' = 'api';
  /** Largest distance of a price beyond the best of the other side, and from the mark; fractions. */
  bands = { accidental: 0.1, mark: 0.5 };
  protected override readonly words = {
    selfTrade: 'canceled-self-trade',
    reduceOnly: 'canceled-reduce-only',
    liquidation: 'canceled-liquidation',
  };
  override readonly nextTradeId = rising(19_211_490_282);
  /** Number of the venue's state: every change of an order or a book has its own. */
  readonly nextNonce = rising(9_182_390_020);
  readonly #nextOrder = rising(0);
  readonly #nextHash = rising(0);
  #block = 227_535_532;

  constructor(network: Network, markets: readonly MarketTemplate[], clock: Clock) {
    super(network, markets.map(makeMarket), clock);
  }

  /** Numbers of asks and of bids begin at different powers of two, as on the venue. */
  nextOrderIndex(isBuy: boolean): number {
    return (isBuy ? FIRST_BID : FIRST_ASK) + this.#nextOrder();
  }

  nextBlock(): number {
    this.#block += 1;
    return this.#block;
  }

  get height(): number {
    return this.#block;
  }

  /** 80 hexadecimal digits that never repeat. */
  nextHash(): string {
    return this.#nextHash().toString(16).padStart(80, 'e');
  }

  addAccount(template: AccountTemplate): Account {
    return this.add(template.index, makeAccount(template, this.now(), this.nextHash()));
  }

  /** Enters an order that was checked. @param refused a state that the script wants, whatever the order is like */
  place(wanted: Wanted, refused: string | null = null): void {
    const now = this.now();
    const order: Order = {
      ...{ ...wanted, oid: this.nextOrderIndex(wanted.isBuy), createdAt: now, updatedAt: now },
      ...{ filledBase: ZERO, filledQuote: ZERO, status: 'in-progress', nonce: 0, block: this.height },
    };
    this.orders.add(order);
    if (refused !== null) this.settle(order, refused);
    else if (order.timeInForce === POST_ONLY && this.wouldMatch(order))
      this.settle(order, 'canceled-post-only');
    else this.enter(order);
  }

  /** By either number: the client's end where the venue's begin. */
  orderOf(account: Account, index: number): Order | undefined {
    return this.orders.byClient(account, index) ?? this.orders.byOid(account, index);
  }

  override settle(order: Order, status: string): void {
    order.nonce = this.nextNonce();
    order.block = this.nextBlock();
    super.settle(order, status);
  }

  /** Cancels orders whose time is over. */
  dropExpired(): void {
    const now = this.now();
    for (const order of this.orders.open()) {
      if (order.expiry !== 0 && order.expiry <= now) this.cancel(order, 'canceled-expired');
    }
  }

  protected override fundingPrice({ mark }: Market): Market['mark'] {
    return mark;
  }

  protected override endAtOnce({ type }: Order, isCut: boolean, hadRoom: boolean): string {
    if (isCut) return this.words.reduceOnly;
    if (type !== MARKET) return 'canceled';
    return hadRoom ? 'canceled-too-much-slippage' : 'canceled-not-enough-liquidity';
  }

  protected override trade({ taker, maker, takerIsBuy, ...match }: Match<Market, Order>): void {
    bookTrade(this, {
      ...{ ...match, takerIsBuy, type: 'trade' },
      taker: partyOf(this, taker, takerIsBuy),
      maker: partyOf(this, maker, !takerIsBuy),
    });
  }

  protected override bookForced(account: Account, market: Market, forced: ForcedTrade): void {
    const { kind: type, isBuy, price, size } = forced;
    bookTrade(this, {
      ...{ market, price, size, takerIsBuy: isBuy, type },
      taker: partyOf(this, null, isBuy, account.index),
      maker: partyOf(this, null, !isBuy),
    });
  }
}
