/** Script for tests: accounts of the emulated venue. */
import { dec } from '../../../../gateway/domain/decimal.ts';
import { changeTier } from './http/money-routes.ts';
import { MarketScript } from './script-market.ts';
import { type AccountTemplate, setKey, type Tier } from './state/accounts.ts';
import { closeByVenue, forceTrade, moveMoney, transferMoney } from './state/acts.ts';
import { cancelOrder } from './state/matching.ts';

export interface Approval {
  readonly perpsTaker?: number;
  readonly perpsMaker?: number;
  /** Epoch ms. Default: in a year. */
  readonly until?: number;
}

const YEAR_MS = 365 * 86_400_000;
const MILLION = 1_000_000;

/** Accounts are named by their index, orders by their client's. */
export class AccountScript extends MarketScript {
  addAccount(template: AccountTemplate): void {
    this.world().addAccount(template);
  }

  /** A key without the owner's signature. @param publicKey 80 hexadecimal digits */
  addApiKey(account: number, apiKeyIndex: number, publicKey: string): void {
    setKey(this.world().account(account), apiKeyIndex, publicKey, this.world().now());
  }

  revokeApiKey(account: number, apiKeyIndex: number): void {
    this.world().account(account).keys.delete(apiKeyIndex);
  }

  /** The number of the next transaction, as if others had been sent before. */
  setNonce(account: number, apiKeyIndex: number, nonce: number): void {
    const key = this.world().account(account).keys.get(apiKeyIndex);
    if (key === undefined) throw new Error(`account ${account} has no key ${apiKeyIndex}`);
    key.nextNonce = nonce;
    key.committed = nonce;
  }

  /** Another program has the next number of the key, unless transactions of ours wait for theirs. */
  takeNonce(account: number, apiKeyIndex: number): void {
    const key = this.world().account(account).keys.get(apiKeyIndex);
    if (key === undefined || key.nextNonce !== key.committed) return;
    this.setNonce(account, apiKeyIndex, key.nextNonce + 1);
  }

  deposit(account: number, amount: string): void {
    moveMoney(this.world(), this.world().account(account), dec(amount));
  }

  withdraw(account: number, amount: string): void {
    moveMoney(this.world(), this.world().account(account), dec(amount).neg());
  }

  /** To the pool, which pays the owner's wallet; the fee comes on top. */
  withdrawFast(account: number, amount: string, fee: string): void {
    const how = { amount: dec(amount), fee: dec(fee) };
    transferMoney(this.world(), this.world().account(account), undefined, how);
  }

  /** @param changedAt epoch ms of the last change; missing: now */
  setTier(account: number, tier: Tier, changedAt?: number): void {
    changeTier(this.world().account(account), tier, changedAt ?? this.world().now());
  }

  /** Fractions of the notional. */
  setFees(account: number, taker: string, maker: string): void {
    const found = this.world().account(account);
    found.takerFee = dec(taker).mul(MILLION).toNumber();
    found.makerFee = dec(maker).mul(MILLION).toNumber();
  }

  setTradingMode(account: number, mode: 0 | 1): void {
    this.world().account(account).tradingMode = mode;
    this.world().emit({ kind: 'account', account });
  }

  approveIntegrator(account: number, integrator: number, approval: Approval = {}): void {
    const { perpsTaker = 0, perpsMaker = 0, until = this.world().now() + YEAR_MS } = approval;
    this.world()
      .account(account)
      .integrators.set(integrator, {
        ...{ account: integrator, perpsTaker, perpsMaker, spotTaker: 0, spotMaker: 0, until },
      });
  }

  /** Another program of the same owner trades: an order of no client's index. */
  tradeElsewhere(account: number, symbol: string, side: 'buy' | 'sell', size: string, price: string): void {
    forceTrade(this.world(), this.world().account(account), this.world().market(symbol), {
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
    const order = this.world().orders.byClient(account, clientOrderIndex);
    if (order === undefined) throw new Error(`account ${account} has no order ${clientOrderIndex}`);
    cancelOrder(this.world(), order, status);
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
    closeByVenue(this.world(), this.world().account(account), this.world().market(symbol), {
      ...{ price: dec(price), size: size === undefined ? null : dec(size), type },
    });
  }
}
