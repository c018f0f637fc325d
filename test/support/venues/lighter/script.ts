/** Script for tests of the emulated venue. */
import { text } from '../../../../gateway/domain/decimal.ts';
import { accountValue, freeMargin, open } from '../shared/world/margin.ts';
import { AccountScript } from './script-accounts.ts';
import type { SequencerRefusal } from './state/sequencer.ts';
import type { World } from './state/world.ts';
import { byMarket, tradeForm } from './wire/forms.ts';

/** The account as the venue knows it, whatever faults tell a client. */
export interface TrueState {
  /** Money outside isolated positions. */
  readonly collateral: string;
  readonly deposits: string;
  readonly withdrawals: string;
  readonly value: string;
  readonly free: string;
  readonly positions: readonly {
    readonly symbol: string;
    readonly size: string;
    readonly entry: string;
    readonly isCross: boolean;
    readonly fraction: number;
    readonly allocated: string;
  }[];
  /** By the client's index; 0: none. */
  readonly open: readonly { readonly order: number; readonly client: number; readonly left: string }[];
  readonly orders: readonly {
    readonly order: number;
    readonly client: number;
    readonly symbol: string;
    readonly status: string;
    readonly filled: string;
  }[];
  readonly trades: readonly ReturnType<typeof tradeForm>[];
  readonly funding: string;
  readonly keys: readonly {
    readonly index: number;
    readonly publicKey: string;
    readonly nextNonce: number;
  }[];
  readonly tier: string;
  readonly integrators: readonly number[];
}

export class Script extends AccountScript {
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

  state(account: number): TrueState {
    const { orders } = this.world;
    const found = this.world.account(account);
    const resting = orders.open(found);
    const total = (list: readonly { readonly amount: TrueMoney }[]) =>
      list.reduce((sum, { amount }) => sum.plus(amount), found.cash.minus(found.cash));
    const funding = found.funding.map(({ change }) => ({ amount: change }));
    return {
      ...{ collateral: text(found.cash), deposits: text(total(found.deposits)) },
      withdrawals: text(total(found.withdrawals)),
      ...{ value: text(accountValue(found)), free: text(freeMargin(found, resting)) },
      positions: open(found).map(({ market, size, cost, margin, allocated }) => ({
        ...{ symbol: market.name, size: text(size), entry: text(cost.div(size).toDecimalPlaces(18)) },
        ...{ isCross: margin.isCross, fraction: margin.initial[0], allocated: text(allocated) },
      })),
      open: resting.map(({ oid, clientIndex, sz }) => ({ order: oid, client: clientIndex, left: text(sz) })),
      orders: orders.of(found).map(({ oid, clientIndex, market, status, filledBase }) => ({
        ...{ order: oid, client: clientIndex, symbol: market.name, status, filled: text(filledBase) },
      })),
      trades: found.trades.map(tradeForm),
      funding: text(total(funding)),
      keys: [...found.keys.values()].map(({ index, publicKey, nextNonce }) => ({
        index,
        publicKey,
        nextNonce,
      })),
      ...{ tier: found.tier, integrators: [...found.integrators.keys()] },
    };
  }
}

type TrueMoney = Parameters<typeof text>[0];
