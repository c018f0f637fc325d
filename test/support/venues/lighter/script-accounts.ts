/** Script for tests: markets and accounts of the emulated venue. */
import { type Decimal, dec } from '../../../../gateway/domain/decimal.ts';
import type { Listening } from '../shared/listen.ts';
import { VenueScript } from '../shared/venue-script.ts';
import type { Desk } from './desk.ts';
import type { Fault } from './faults.ts';
import { changeTier } from './http/money-routes.ts';
import { type AccountTemplate, setKey, type Tier } from './state/accounts.ts';
import { closeByVenue, forceTrade, moveMoney, transferMoney } from './state/acts.ts';
import { type Market, type MarketTemplate, makeMarket, steps } from './state/markets.ts';
import type { World } from './state/world.ts';
import type { Hub, StreamFaults } from './ws/hub.ts';

export interface Approval {
  readonly perpsTaker?: number;
  readonly perpsMaker?: number;
  /** Epoch ms. Default: in a year. */
  readonly until?: number;
}

const YEAR_MS = 365 * 86_400_000;
const MILLION = 1_000_000;

/** Accounts are named by their index, orders by their client's. */
export class AccountScript extends VenueScript<Market, Fault, StreamFaults> {
  protected override readonly world: World;
  protected override readonly desk: Desk;
  protected override readonly hub: Hub;
  protected override readonly http: Listening;

  constructor(desk: Desk, hub: Hub, http: Listening) {
    super();
    this.world = desk.venue.world;
    this.desk = desk;
    this.hub = hub;
    this.http = http;
  }

  protected override tickAt(market: Market): Decimal {
    return steps(market).price;
  }

  protected override sizeWorth(market: Market, usd: number): Decimal {
    const { size } = steps(market);
    return dec(usd).div(market.mark).div(size).ceil().mul(size);
  }

  addMarket(template: MarketTemplate): void {
    this.world.markets.push(makeMarket(template));
    this.setMark(template.symbol, template.mark);
  }

  /** Orders are refused until it ends. */
  halt(symbol: string, isHalted: boolean): void {
    this.world.market(symbol).status = isHalted ? 'inactive' : 'active';
  }

  setForceReduceOnly(symbol: string, isForced: boolean): void {
    this.world.market(symbol).forceReduceOnly = isForced;
  }

  /** The next change of the book is lost: the numbers of the changes around it do not fit. */
  bookGap(symbol: string): void {
    this.hub.bookGap(this.world.market(symbol));
  }

  addAccount(template: AccountTemplate): void {
    this.world.addAccount(template);
  }

  /** A key without the owner's signature. @param publicKey 80 hexadecimal digits */
  addApiKey(account: number, apiKeyIndex: number, publicKey: string): void {
    setKey(this.world.account(account), apiKeyIndex, publicKey, this.world.now());
  }

  revokeApiKey(account: number, apiKeyIndex: number): void {
    this.world.account(account).keys.delete(apiKeyIndex);
  }

  /** The number of the next transaction, as if others had been sent before. */
  setNonce(account: number, apiKeyIndex: number, nonce: number): void {
    const key = this.world.account(account).keys.get(apiKeyIndex);
    if (key === undefined) throw new Error(`account ${account} has no key ${apiKeyIndex}`);
    key.nextNonce = nonce;
    key.committed = nonce;
  }

  /** Another program has the next number of the key, unless transactions of ours wait for theirs. */
  takeNonce(account: number, apiKeyIndex: number): void {
    const key = this.world.account(account).keys.get(apiKeyIndex);
    if (key === undefined || key.nextNonce !== key.committed) return;
    this.setNonce(account, apiKeyIndex, key.nextNonce + 1);
  }

  deposit(account: number, amount: string): void {
    moveMoney(this.world, this.world.account(account), dec(amount));
  }

  withdraw(account: number, amount: string): void {
    moveMoney(this.world, this.world.account(account), dec(amount).neg());
  }

  /** To the pool, which pays the owner's wallet; the fee comes on top. */
  withdrawFast(account: number, amount: string, fee: string): void {
    const how = { amount: dec(amount), fee: dec(fee) };
    transferMoney(this.world, this.world.account(account), undefined, how);
  }

  /** @param changedAt epoch ms of the last change; missing: now */
  setTier(account: number, tier: Tier, changedAt?: number): void {
    changeTier(this.world.account(account), tier, changedAt ?? this.world.now());
  }

  /** Fractions of the notional. */
  setFees(account: number, taker: string, maker: string): void {
    const found = this.world.account(account);
    found.takerFee = dec(taker).mul(MILLION).toNumber();
    found.makerFee = dec(maker).mul(MILLION).toNumber();
  }

  setTradingMode(account: number, mode: 0 | 1): void {
    const found = this.world.account(account);
    found.tradingMode = mode;
    this.world.emit({ kind: 'account', account: found });
  }

  approveIntegrator(account: number, integrator: number, approval: Approval = {}): void {
    const { perpsTaker = 0, perpsMaker = 0, until = this.world.now() + YEAR_MS } = approval;
    this.world.account(account).integrators.set(integrator, {
      ...{ account: integrator, perpsTaker, perpsMaker, spotTaker: 0, spotMaker: 0, until },
    });
  }

  /** Another program of the same owner trades: an order of no client's index. */
  tradeElsewhere(account: number, symbol: string, side: 'buy' | 'sell', size: string, price: string): void {
    forceTrade(this.world, this.world.account(account), this.world.market(symbol), {
      ...{ isBuy: side === 'buy', price: dec(price), size: dec(size) },
    });
  }

  /** @param size missing: the whole position */
  liquidate(account: number, symbol: string, price: string, size?: string): void {
    this.#close(account, symbol, { price, size, type: 'liquidation' });
  }

  /** @param size missing: the whole position */
  deleverage(account: number, symbol: string, price: string, size?: string): void {
    this.#close(account, symbol, { price, size, type: 'deleverage' });
  }

  /** The venue settles a position at a price, as where a market ends. */
  settlePosition(account: number, symbol: string, price: string): void {
    this.#close(account, symbol, { price, size: undefined, type: 'market-settlement' });
  }

  /** The venue cancels a resting order, with one of its words. */
  cancelByVenue(account: number, clientOrderIndex: number, status: string): void {
    const order = this.world.orders.byClient(this.world.account(account), clientOrderIndex);
    if (order === undefined) throw new Error(`account ${account} has no order ${clientOrderIndex}`);
    this.world.cancel(order, status);
  }

  #close(
    account: number,
    symbol: string,
    how: {
      readonly price: string;
      readonly size: string | undefined;
      readonly type: 'liquidation' | 'deleverage' | 'market-settlement';
    },
  ): void {
    const { price, size, type } = how;
    closeByVenue(this.world, this.world.account(account), this.world.market(symbol), {
      ...{ price: dec(price), size: size === undefined ? null : dec(size), type },
    });
  }
}
