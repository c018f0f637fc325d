/**
 * Script for tests of the emulated venue. Every method takes and answers plain JSON, so that it can be called from
 * another process too (`control-server.ts`, `remote.ts`). Prices and amounts are decimal texts.
 */
import { dec, text } from '../../../../gateway/domain/decimal.ts';
import type { Listening } from '../shared/listen.ts';
import type { Desk } from './desk.ts';
import type { Fault } from './faults.ts';
import { type Abstraction, type AccountTemplate, isUnified } from './state/accounts.ts';
import {
  deleverage,
  delist,
  fillElsewhere,
  forceFill,
  levelsAround,
  liquidate,
  settleFunding,
} from './state/acts.ts';
import { accountValue, freeMargin } from './state/margin.ts';
import { cancelOrder, fillResting } from './state/matching.ts';
import type { AssetTemplate } from './state/universe.ts';
import { fillForm } from './wire/forms.ts';
import type { Hub, StreamFaults } from './ws/hub.ts';

/** Price and size. */
export type LevelText = readonly [string, string];

export interface MarkOptions {
  /** Levels on each side. Default 10. */
  readonly depth?: number;
  /** Base units at each level. Default: 100,000 USD of them. */
  readonly size?: string;
  /** Between the best two, a fraction of the mark. Default 0.0002. */
  readonly spread?: string;
  /** Default: the mark. */
  readonly oracle?: string;
  /** False: what is taken stays taken. Default true. */
  readonly refill?: boolean;
}

/** The account as the venue knows it, whatever faults tell a client. */
export interface TrueState {
  readonly cash: string;
  readonly deposits: string;
  readonly value: string;
  readonly free: string;
  readonly positions: readonly { readonly coin: string; readonly size: string; readonly entry: string }[];
  readonly open: readonly { readonly oid: number; readonly cloid: string | null; readonly left: string }[];
  readonly orders: readonly {
    readonly oid: number;
    readonly cloid: string | null;
    readonly coin: string;
    readonly status: string;
    readonly filled: string;
  }[];
  readonly fills: readonly ReturnType<typeof fillForm>[];
  readonly funding: string;
  readonly agents: readonly {
    readonly address: string;
    readonly name: string;
    readonly validUntil: number;
  }[];
  readonly requestsUsed: number;
}

const DEFAULT_DEPTH_USD = 100_000;
const AGENT_MS = 90 * 86_400_000;

export class Script {
  readonly #desk: Desk;
  readonly #hub: Hub;
  readonly #http: Listening;

  constructor(desk: Desk, hub: Hub, http: Listening) {
    this.#desk = desk;
    this.#hub = hub;
    this.#http = http;
  }

  // The market.

  /** Sets mark and oracle, and builds a book around them. */
  setMark(coin: string, price: string, options: MarkOptions = {}): void {
    const { asset, book } = this.#market(coin);
    const mark = dec(price);
    asset.mark = mark;
    asset.oracle = dec(options.oracle ?? price);
    const size =
      options.size === undefined
        ? dec(DEFAULT_DEPTH_USD).div(mark).toDecimalPlaces(asset.szDecimals).plus(1)
        : dec(options.size);
    const spread = dec(options.spread ?? '0.0002');
    const { bids, asks } = levelsAround(asset, mark, { depth: options.depth ?? 10, size, spread });
    book.state(bids, asks, options.refill ?? true);
    fillResting(this.#desk.world, asset);
    this.#desk.world.emit({ kind: 'market', asset });
  }

  /** The mark price as it is. */
  markOf(coin: string): string {
    return this.#market(coin).asset.mark.toFixed();
  }

  /** States the book; the mark stays. What is taken stays taken, unless `refill`. */
  setBook(coin: string, bids: readonly LevelText[], asks: readonly LevelText[], refill = false): void {
    const { asset, book } = this.#market(coin);
    const level = ([px, sz]: LevelText) => ({ px: dec(px), sz: dec(sz) });
    book.state(bids.map(level), asks.map(level), refill);
    fillResting(this.#desk.world, asset);
    this.#desk.world.emit({ kind: 'market', asset });
  }

  setOracle(coin: string, price: string): void {
    const { asset } = this.#market(coin);
    asset.oracle = dec(price);
    this.#desk.world.emit({ kind: 'market', asset });
  }

  setFundingRate(coin: string, rate: string): void {
    const { asset } = this.#market(coin);
    asset.fundingRate = dec(rate);
    this.#desk.world.emit({ kind: 'market', asset });
  }

  /** @param at epoch ms of the interval's end; missing: now */
  settleFunding(at?: number): void {
    settleFunding(this.#desk.world, at ?? this.#desk.world.now());
  }

  /** Orders are refused until it ends. */
  halt(coin: string, isHalted: boolean): void {
    this.#market(coin).asset.halted = isHalted;
  }

  /** A new instrument, with a book. */
  list(template: AssetTemplate): void {
    this.#desk.world.list(template);
    this.setMark(template.name, template.mark);
  }

  /** Other rules of an instrument, without news of it on any stream. */
  setRules(coin: string, rules: { readonly szDecimals?: number; readonly maxLeverage?: number }): void {
    const { asset } = this.#market(coin);
    asset.szDecimals = rules.szDecimals ?? asset.szDecimals;
    asset.maxLeverage = rules.maxLeverage ?? asset.maxLeverage;
    asset.marginTableId = asset.maxLeverage;
  }

  /** @param settles false: what accounts hold stays */
  delist(coin: string, settles = true): void {
    const { asset } = this.#market(coin);
    if (settles) delist(this.#desk.world, asset);
    else asset.isDelisted = true;
  }

  // Accounts.

  addAccount(template: AccountTemplate): void {
    this.#desk.world.addAccount(template);
  }

  /** Positive: a deposit; negative: a withdrawal. */
  deposit(user: string, amount: string): void {
    const account = this.#desk.world.account(user);
    account.cash = account.cash.plus(amount);
    account.deposits = account.deposits.plus(amount);
    this.#desk.world.emit({ kind: 'account', user: account.address });
  }

  /** Approves an agent without a signature. */
  addAgent(user: string, address: string, name = 'tandem', validUntil?: number): void {
    const account = this.#desk.world.account(user);
    const until = validUntil ?? this.#desk.world.now() + AGENT_MS;
    account.agents.push({ address: address.toLowerCase(), name, validUntil: until });
  }

  revokeAgent(user: string, address: string): void {
    const account = this.#desk.world.account(user);
    account.agents = account.agents.filter((agent) => agent.address !== address.toLowerCase());
  }

  /** @param at epoch ms; missing: it has just ended */
  expireAgent(user: string, address: string, at?: number): void {
    for (const agent of this.#desk.world.account(user).agents) {
      if (agent.address === address.toLowerCase()) agent.validUntil = at ?? this.#desk.world.now() - 1;
    }
  }

  /**
   * Changes the mode, at any time and in both directions. `unifiedAccount` and `portfolioMargin` keep the money in the spot
   * wallet. In the middle of a request: `fault({do: 'change_mode', …})`.
   */
  setAbstraction(user: string, abstraction: Abstraction): void {
    const account = this.#desk.world.account(user);
    account.abstraction = abstraction;
    this.#desk.world.emit({ kind: 'account', user: account.address });
  }

  /** Content of the perpetuals' summary of unified accounts: nothing, or the part of their open positions. */
  setUnifiedSummary(says: 'zero' | 'positions'): void {
    this.#desk.world.unifiedSummary = says;
  }

  /** A coin of the spot wallet; its USDC is margin only in the unified modes. */
  setSpot(user: string, coin: string, total: string): void {
    this.#desk.world.account(user).spot.set(coin, dec(total));
  }

  setFees(user: string, taker: string, maker: string): void {
    const account = this.#desk.world.account(user);
    account.takerRate = dec(taker);
    account.makerRate = dec(maker);
  }

  /** Sets the account's number of requests, and its allowance besides one per USDC traded. */
  setRequests(user: string, used: number, buffer?: number): void {
    const account = this.#desk.world.account(user);
    account.requestsUsed = used;
    if (buffer !== undefined) account.requestBuffer = buffer;
  }

  /** Another program of the same owner trades: a fill with no client id. */
  tradeElsewhere(user: string, coin: string, side: 'buy' | 'sell', size: string, price: string): void {
    const { asset } = this.#market(coin);
    forceFill(this.#desk.world, this.#desk.world.account(user), asset, {
      ...{ isBuy: side === 'buy', px: dec(price), sz: dec(size) },
    });
  }

  /** A fill on a market that the gateway does not know, as `@107` (spot) or `flx:CRCL`. */
  tradeUnknown(user: string, coin: string, side: 'buy' | 'sell', size: string, price: string): void {
    fillElsewhere(this.#desk.world, this.#desk.world.account(user), {
      ...{ coin, isBuy: side === 'buy', px: dec(price), sz: dec(size), feeToken: 'USDC' },
    });
  }

  /** @param size missing: the whole position */
  liquidate(user: string, coin: string, price: string, size?: string): void {
    const sz = size === undefined ? null : dec(size);
    const { asset } = this.#market(coin);
    liquidate(this.#desk.world, this.#desk.world.account(user), asset, { px: dec(price), sz });
  }

  /** @param size missing: the whole position */
  deleverage(user: string, coin: string, price: string, size?: string): void {
    const sz = size === undefined ? null : dec(size);
    const { asset } = this.#market(coin);
    deleverage(this.#desk.world, this.#desk.world.account(user), asset, { px: dec(price), sz });
  }

  /** The venue cancels a resting order, with one of its words. */
  cancelByVenue(user: string, cloid: string, status: string): void {
    const order = this.#desk.world.orders.byCloid(user.toLowerCase(), cloid);
    if (order === undefined) throw new Error(`${user} has no order ${cloid}`);
    cancelOrder(this.#desk.world, order, status);
  }

  // Time, limits and faults.

  setClockOffset(offsetMs: number): void {
    this.#desk.world.clockOffsetMs = offsetMs;
  }

  /** False: fills carry only the venue's number of their order. */
  setFillsNameClientIds(named: boolean): void {
    this.#desk.world.fillsNameClientIds = named;
  }

  /** Sets the answer to an action that arrives after its `expiresAfter`. */
  setLateExpiry(how: 'error' | 'silence'): void {
    this.#desk.world.lateExpiry = how;
  }

  /** null: nobody is sent away. The real venue has 1,200. */
  setWeightPerMinute(weight: number | null): void {
    this.#desk.weightPerMinute = weight;
  }

  fault(fault: Fault): void {
    this.#desk.faults.arm(fault);
  }

  clearFaults(): void {
    this.#desk.faults.clear();
    this.#hub.setFaults({});
    this.#http.offline(false);
  }

  /** The next `times` lookups of orders say `unknownOid`, whatever is true. */
  forgetOrders(times: number, user?: string): void {
    const json = { status: 'unknownOid' };
    this.fault({ do: 'answer', json, on: 'orderStatus', times, ...(user === undefined ? {} : { user }) });
  }

  /** Replaces what ails the streams; `{}`: nothing. */
  streamFaults(faults: StreamFaults): void {
    this.#hub.setFaults(faults);
  }

  /** Ends all streams. @param code a close code; missing: the connections break */
  cutStreams(code?: number): void {
    this.#hub.cut(code ?? null);
  }

  /** A message of one of the account's streams, word for word. */
  say(user: string, channel: string, data: unknown): void {
    this.#hub.push(user.toLowerCase(), channel, data);
  }

  /** The last fills come again as if they were new. */
  repeatFills(user: string, count: number): void {
    const { address, fills } = this.#desk.world.account(user);
    this.#hub.push(address, 'userFills', { user: address, fills: fills.slice(-count).map(fillForm) });
  }

  /** Nobody can connect, and all connections are gone. */
  offline(isOffline: boolean): void {
    this.#http.offline(isOffline);
  }

  // State and traffic.

  /** Names of the universe, in its order. */
  coins(): readonly string[] {
    return this.#desk.world.assets.map(({ name }) => name);
  }

  state(user: string): TrueState {
    const { world } = this.#desk;
    const account = world.account(user);
    const orders = world.orders.of(account.address);
    const open = world.orders.open(account.address);
    const funding = account.funding.reduce((total, { usdc }) => total.plus(usdc), dec(0));
    return {
      ...{ cash: text(account.cash), deposits: text(account.deposits) },
      ...{
        value: text(accountValue(account).plus(isUnified(account) ? (account.spot.get('USDC') ?? 0) : 0)),
        free: text(freeMargin(account, open)),
      },
      positions: [...account.positions.values()].map(({ asset, szi, entryNtl }) => ({
        ...{ coin: asset.name, size: text(szi), entry: text(entryNtl.div(szi).toDecimalPlaces(18)) },
      })),
      open: open.map(({ oid, cloid, sz }) => ({ oid, cloid, left: text(sz) })),
      orders: orders.map(({ oid, cloid, asset, status, origSz, sz }) => ({
        ...{ oid, cloid, coin: asset.name, status, filled: text(origSz.minus(sz)) },
      })),
      fills: account.fills.map(fillForm),
      funding: text(funding),
      agents: account.agents.map((agent) => ({ ...agent })),
      requestsUsed: account.requestsUsed,
    };
  }

  /** Requests by kind since the last `clearTraffic`, and their weight. */
  traffic(): { readonly counts: Record<string, number>; readonly weight: number; readonly streams: number } {
    const { tap } = this.#desk;
    return { counts: tap.counts(), weight: tap.totalWeight(), streams: this.#hub.count };
  }

  /** Highest weight of any minute since the last `clearTraffic`. */
  mostInAMinute(): number {
    return this.#desk.tap.mostWeight();
  }

  clearTraffic(): void {
    this.#desk.tap.clear();
  }

  /** Messages of clients that contain `part`, in any case. */
  sentContaining(part: string): readonly string[] {
    return this.#desk.tap.containing(part);
  }

  /** All that clients sent, oldest first. */
  sent(): readonly string[] {
    return this.#desk.tap.seen.map(({ text: sent }) => sent);
  }

  #market(coin: string) {
    const asset = this.#desk.world.asset(coin);
    return { asset, book: this.#desk.world.book(asset) };
  }
}
