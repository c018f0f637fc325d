/** Everything that the emulated venue knows, and the news of it that streams carry on. */
import type { Decimal } from '../../../../../gateway/domain/decimal.ts';
import type { Clock } from '../../../../../gateway/engine/ports/system.ts';
import { Exchange, type ForcedTrade, type Trade } from '../../shared/world/exchange.ts';
import type { Order as SharedOrder } from '../../shared/world/parts.ts';
import { type CommonEvent, type Network, rising } from '../../shared/world/world.ts';
import { type Account, type AccountTemplate, type Fill, makeAccount } from './accounts.ts';
import { bookFill } from './fills.ts';
import { type OrderLeg, REFUSALS } from './refusals.ts';
import { type Asset, type AssetTemplate, makeAsset } from './universe.ts';

export type TimeInForce = 'Gtc' | 'Ioc' | 'Alo';

export interface Order extends SharedOrder<Asset, Account> {
  readonly client: string | null;
  readonly tif: TimeInForce;
}

/** A state that an order had. */
export interface OrderState {
  readonly order: Order;
  readonly status: string;
  readonly at: number;
  readonly sz: Decimal;
}

interface OwnEvent {
  readonly kind: 'fill';
  readonly account: Account;
  readonly fill: Fill;
}

export type WorldEvent = OwnEvent | CommonEvent<Asset, Account, Order>;

export class World extends Exchange<Asset, Account, Order, OwnEvent> {
  /** Fills name their order by its number only, as in old records. */
  fillsNameClientIds = true;
  /**
   * Perpetuals' summary of a unified account. `zero`: as most reports say. `positions`: the part of its open positions, as
   * in the payload `http_clearinghouse_state_unified_open_positions`.
   */
  unifiedSummary: 'zero' | 'positions' = 'zero';
  /** Answer to a late `expiresAfter`. The real venue's answer is not documented. */
  lateExpiry: 'error' | 'silence' = 'error';
  protected override readonly words = {
    selfTrade: 'selfTradeCanceled',
    reduceOnly: 'reduceOnlyCanceled',
    liquidation: 'liquidatedCanceled',
  };
  readonly nextOid = rising(77_738_307);
  override readonly nextTradeId = rising(345_752_513_742_000, 3);
  readonly #nextBlock = rising(0);

  constructor(network: Network, universe: readonly AssetTemplate[], clock: Clock) {
    super(network, universe.map(makeAsset), clock);
  }

  /** Hash of a transaction: 32 bytes that never repeat. */
  nextHash(): string {
    return `0x${this.#nextBlock().toString(16).padStart(64, 'e')}`;
  }

  /** A new instrument, behind all others. */
  list(template: AssetTemplate): void {
    this.markets.push(makeAsset(template, this.markets.length));
  }

  addAccount(template: AccountTemplate): Account {
    const account = makeAccount(template);
    return this.add(account.address, account);
  }

  /** The account that this agent trades for, as long as it may. */
  masterOf(agent: string): Account | undefined {
    const now = this.now();
    return this.accounts().find(({ agents }) =>
      agents.some(({ address, validUntil }) => address === agent.toLowerCase() && validUntil > now),
    );
  }

  /** Gives an order its number. @param refused its status, where the venue does not take it */
  place(owner: Account, { asset: market, px, sz, ...leg }: OrderLeg, refused: string | null): Order {
    const now = this.now();
    const order: Order = {
      ...{ ...leg, oid: this.nextOid(), owner, market, limitPx: px, origSz: sz, sz },
      ...{ rests: leg.tif !== 'Ioc', createdAt: now, updatedAt: now, status: 'open' },
      ...{ filledBase: sz.minus(sz), filledQuote: sz.minus(sz) },
    };
    this.orders.add(order);
    if (refused === null) this.enter(order);
    else this.settle(order, refused);
    return order;
  }

  override settle(order: Order, status: string): void {
    super.settle(order, status);
    order.owner.states.push({ order, status, at: order.updatedAt, sz: order.sz });
  }

  protected override fundingPrice({ oracle }: Asset): Decimal {
    return oracle;
  }

  protected override endAtOnce({ filledBase, rests }: Order): string {
    if (filledBase.isZero()) return REFUSALS.iocEmpty.status;
    return rests ? this.words.reduceOnly : 'canceled';
  }

  protected override trade({ market, price, size, taker, maker }: Trade<Asset, Order>): void {
    for (const order of [taker, maker]) {
      if (order === null) continue;
      const { owner, isBuy, oid, client: cloid } = order;
      bookFill(this, owner, {
        ...{ kind: 'trade', asset: market, isBuy, px: price, sz: size, oid, cloid },
        crossed: order === taker,
      });
    }
  }

  protected override bookForced(
    account: Account,
    asset: Asset,
    { price: px, size: sz, ...forced }: ForcedTrade,
  ): void {
    bookFill(this, account, { ...forced, asset, px, sz, oid: this.nextOid(), cloid: null, crossed: true });
  }
}
