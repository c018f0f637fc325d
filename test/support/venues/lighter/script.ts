/**
 * Script for tests of the emulated venue. Every method takes and answers plain JSON, so that it can be called from
 * another process too. Prices and amounts are decimal texts.
 */
import { text } from '../../../../gateway/domain/decimal.ts';
import type { Fault } from './faults.ts';
import { AccountScript } from './script-accounts.ts';
import { open } from './state/accounts.ts';
import { available, totalValue } from './state/margin.ts';
import type { SequencerRefusal } from './state/sequencer.ts';
import type { World } from './state/world.ts';
import { byMarket, tradeForm } from './wire/forms.ts';
import type { StreamFaults } from './ws/hub.ts';

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
    this.world().reduceOnly = how;
  }

  /** Sets who refuses orders for margin, price and client index: the API by HTTP 400, or the sequencer after a 200. */
  setJudge(judge: World['judge']): void {
    this.world().judge = judge;
  }

  // Time, limits and faults.

  setClockOffset(offsetMs: number): void {
    this.world().clockOffsetMs = offsetMs;
  }

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

  fault(fault: Fault): void {
    this.desk.faults.arm(fault);
  }

  clearFaults(): void {
    this.desk.faults.clear();
    this.desk.venue.sequencer.clear();
    this.hub.setFaults({});
    this.http.offline(false);
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

  /** Replaces what ails the streams; `{}`: nothing. */
  streamFaults(faults: StreamFaults): void {
    this.hub.setFaults(faults);
  }

  /** Ends all streams. @param code a close code; missing: the connections break */
  cutStreams(code?: number): void {
    this.hub.cut(code ?? null);
  }

  /** A message of a stream, word for word. @param channel with colons: `account_all_trades:7` */
  say(channel: string, fields: object): void {
    this.hub.push(channel, fields);
  }

  /** The last trades come again as if they were new. */
  repeatTrades(account: number, count: number): void {
    const trades = byMarket(this.world().account(account).trades.slice(-count), tradeForm);
    this.hub.push(`account_all_trades:${account}`, { trades });
  }

  /** Nobody can connect, and all connections are gone. */
  offline(isOffline: boolean): void {
    this.http.offline(isOffline);
  }

  // State and traffic.

  state(account: number): TrueState {
    const { orders } = this.world();
    const found = this.world().account(account);
    const resting = orders.open(account);
    const total = (list: readonly { readonly amount: TrueMoney }[]) =>
      list.reduce((sum, { amount }) => sum.plus(amount), found.collateral.minus(found.collateral));
    const funding = found.funding.map(({ change }) => ({ amount: change }));
    return {
      ...{ collateral: text(found.collateral), deposits: text(total(found.deposits)) },
      withdrawals: text(total(found.withdrawals)),
      ...{ value: text(totalValue(found)), free: text(available(found, resting)) },
      positions: open(found).map(({ market, size, cost, margin, allocated }) => ({
        ...{ symbol: market.symbol, size: text(size), entry: text(cost.div(size).toDecimalPlaces(18)) },
        ...{ isCross: margin.isCross, fraction: margin.fraction, allocated: text(allocated) },
      })),
      open: resting.map(({ oid, clientIndex, sz }) => ({ order: oid, client: clientIndex, left: text(sz) })),
      orders: orders.of(account).map(({ oid, clientIndex, market, status, filledBase }) => ({
        ...{ order: oid, client: clientIndex, symbol: market.symbol, status, filled: text(filledBase) },
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

  /** Requests by kind since the last `clearTraffic`, and what they would weigh for a paid account. */
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
    return this.desk.tap.seen.map(({ text: sent }) => sent);
  }
}

type TrueMoney = Parameters<typeof text>[0];
