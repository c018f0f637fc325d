/** Script for tests of the emulated venue. */
import { type Decimal, dec, sum, text } from '../../../../gateway/domain/decimal.ts';
import { type AccountName, type CommonState, VenueScript } from '../shared/venue-script.ts';
import type { Desk } from './desk.ts';
import type { Fault } from './faults.ts';
import { changeTier } from './http/money-routes.ts';
import {
  type Account,
  type AccountTemplate,
  type ApiKey,
  type Deposit,
  setKey,
  type Tier,
} from './state/accounts.ts';
import { moveMoney, transferMoney } from './state/acts.ts';
import { type Market, type MarketTemplate, makeMarket, steps } from './state/markets.ts';
import type { Order } from './state/orders.ts';
import type { SequencerRefusal } from './state/sequencer.ts';
import type { World } from './state/world.ts';
import { byMarket, tradeForm } from './wire/forms.ts';
import type { Hub, StreamFaults } from './ws/hub.ts';

export interface TrueState extends CommonState<number | null> {
  readonly deposits: string;
  readonly withdrawals: string;
  readonly trades: readonly ReturnType<typeof tradeForm>[];
  readonly keys: readonly Pick<ApiKey, 'index' | 'publicKey' | 'nextNonce'>[];
  readonly tier: Tier;
  readonly integrators: readonly number[];
}

export interface Approval {
  readonly perpsTaker?: number;
  readonly perpsMaker?: number;
  /** Epoch ms. Default: in a year. */
  readonly until?: number;
}

const YEAR_MS = 365 * 86_400_000;
const MILLION = 1_000_000;

/** Accounts are named by their index. */
export class Script extends VenueScript<Market, Account, Order, Fault, StreamFaults> {
  declare protected readonly world: World;
  declare protected readonly desk: Desk;
  declare protected readonly hub: Hub;

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

  // Between the API's answer and the execution.

  /** Milliseconds between the API's 200 and the execution. */
  setExecutionDelay(delayMs: number): void {
    this.desk.venue.sequencer.delayMs = delayMs;
  }

  /** The API takes a transaction, and the sequencer refuses it. */
  refuseInSequencer(refusal: SequencerRefusal = {}): void {
    this.desk.venue.sequencer.refuse(refusal);
  }

  /** Sets the fate of a reduce-only order that would open. By default it leaves no trace. */
  setReduceOnly(how: World['reduceOnly']): void {
    this.world.reduceOnly = how;
  }

  /** Sets who refuses orders for margin, price and client index: the API by HTTP 400, or the sequencer after a 200. */
  setJudge(judge: World['judge']): void {
    this.world.judge = judge;
  }

  // Time, limits and faults.

  /** null: nobody is sent away. A standard account has 60. */
  setRequestsPerMinute(most: number | null): void {
    this.desk.requests.most = most;
  }

  /** null: nobody is sent away. A standard account has 60. */
  setSendTxPerMinute(most: number | null): void {
    this.desk.txs.most = most;
  }

  /** Limits the messages of a client that connects later. null: none is left unheard. The venue takes 200. */
  setMessagesPerMinute(most: number | null): void {
    this.hub.limitMessages(most);
  }

  override clearFaults(): void {
    super.clearFaults();
    this.desk.venue.sequencer.clear();
  }

  /** The next `times` lookups of orders find none, whatever is true. */
  forgetOrders(times: number, account?: number): void {
    const json = { code: 200, orders: [] };
    this.fault({
      do: 'answer',
      json,
      on: 'accountOrders',
      times,
      ...(account === undefined ? {} : { account }),
    });
  }

  /** Most subscriptions that were not acknowledged at a time. */
  mostInFlight(): number {
    return this.hub.mostInFlight;
  }

  /** A message of a stream, word for word. @param channel with colons: `account_all_trades:7` */
  say(channel: string, fields: object): void {
    this.hub.push(channel, fields);
  }

  /** The last trades come again as if they were new. */
  repeatTrades(account: number, count: number): void {
    const trades = byMarket(this.world.account(account).trades.slice(-count), tradeForm);
    this.hub.push(`account_all_trades:${account}`, { trades });
  }

  // State and traffic.

  state(account: AccountName): TrueState {
    const found = this.world.account(account);
    const total = (list: readonly Deposit[]) => text(sum(list.map(({ amount }) => amount)));
    return {
      ...this.stateOf(found),
      ...{ deposits: total(found.deposits), withdrawals: total(found.withdrawals) },
      trades: found.trades.map(tradeForm),
      keys: [...found.keys.values()].map(({ index, publicKey, nextNonce }) => ({
        ...{ index, publicKey, nextNonce },
      })),
      ...{ tier: found.tier, integrators: [...found.integrators.keys()] },
    };
  }
}
