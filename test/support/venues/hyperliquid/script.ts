/** Script for tests of the emulated venue. */
import { type Decimal, dec, text, ZERO } from '../../../../gateway/domain/decimal.ts';
import { type AccountName, type CommonState, VenueScript } from '../shared/venue-script.ts';
import { accountValue } from '../shared/world/margin.ts';
import type { Desk } from './desk.ts';
import type { Fault } from './faults.ts';
import {
  type Abstraction,
  type Account,
  type AccountTemplate,
  type Agent,
  isUnified,
} from './state/accounts.ts';
import { delist, fillElsewhere, tickAt } from './state/acts.ts';
import type { Asset, AssetTemplate } from './state/universe.ts';
import type { Order, World } from './state/world.ts';
import { fillForm } from './wire/forms.ts';
import type { Hub, StreamFaults } from './ws/hub.ts';

export interface TrueState extends CommonState<string | null> {
  readonly deposits: string;
  readonly fills: readonly ReturnType<typeof fillForm>[];
  readonly agents: readonly Agent[];
  readonly requestsUsed: number;
}

const AGENT_MS = 90 * 86_400_000;

/** Accounts are named by their address. */
export class Script extends VenueScript<Asset, Account, Order, Fault, StreamFaults> {
  declare protected readonly world: World;
  declare protected readonly desk: Desk;
  declare protected readonly hub: Hub;

  protected override tickAt(asset: Asset, price: Decimal): Decimal {
    return tickAt(asset, price);
  }

  protected override sizeWorth({ mark, szDecimals }: Asset, usd: number): Decimal {
    return dec(usd).div(mark).toDecimalPlaces(szDecimals).plus(1);
  }

  // The market.

  setOracle(coin: string, price: string): void {
    const market = this.world.market(coin);
    market.oracle = dec(price);
    this.world.emit({ kind: 'market', market });
  }

  /** Orders are refused until it ends. */
  halt(coin: string, isHalted: boolean): void {
    this.world.market(coin).halted = isHalted;
  }

  /** A new instrument, with a book. */
  list(template: AssetTemplate): void {
    this.world.list(template);
    this.setMark(template.name, template.mark);
  }

  /** Other rules of an instrument, without news of it on any stream. */
  setRules(coin: string, rules: { readonly szDecimals?: number; readonly maxLeverage?: number }): void {
    const asset = this.world.market(coin);
    asset.szDecimals = rules.szDecimals ?? asset.szDecimals;
    asset.maxLeverage = rules.maxLeverage ?? asset.maxLeverage;
    asset.marginTableId = asset.maxLeverage;
  }

  /** @param settles false: what accounts hold stays */
  delist(coin: string, settles = true): void {
    const asset = this.world.market(coin);
    if (settles) delist(this.world, asset);
    else asset.isDelisted = true;
  }

  // Accounts.

  addAccount(template: AccountTemplate): void {
    this.world.addAccount(template);
  }

  /** Positive: a deposit; negative: a withdrawal. */
  deposit(user: string, amount: string): void {
    const account = this.world.account(user);
    account.cash = account.cash.plus(amount);
    account.deposits = account.deposits.plus(amount);
    this.world.emit({ kind: 'account', account });
  }

  /** Approves an agent without a signature. */
  addAgent(user: string, address: string, name = 'tandem', validUntil?: number): void {
    const account = this.world.account(user);
    const until = validUntil ?? this.world.now() + AGENT_MS;
    account.agents.push({ address: address.toLowerCase(), name, validUntil: until });
  }

  revokeAgent(user: string, address: string): void {
    const account = this.world.account(user);
    account.agents = account.agents.filter((agent) => agent.address !== address.toLowerCase());
  }

  /** @param at epoch ms; missing: it has just ended */
  expireAgent(user: string, address: string, at?: number): void {
    for (const agent of this.world.account(user).agents) {
      if (agent.address === address.toLowerCase()) agent.validUntil = at ?? this.world.now() - 1;
    }
  }

  /**
   * Changes the mode, at any time and in both directions. `unifiedAccount` and `portfolioMargin` keep the money in the spot
   * wallet. In the middle of a request: `fault({do: 'change_mode', …})`.
   */
  setAbstraction(user: string, abstraction: Abstraction): void {
    const account = this.world.account(user);
    account.abstraction = abstraction;
    this.world.emit({ kind: 'account', account });
  }

  /** Content of the perpetuals' summary of unified accounts: nothing, or the part of their open positions. */
  setUnifiedSummary(says: 'zero' | 'positions'): void {
    this.world.unifiedSummary = says;
  }

  /** A coin of the spot wallet; its USDC is margin only in the unified modes. */
  setSpot(user: string, coin: string, total: string): void {
    this.world.account(user).spot.set(coin, dec(total));
  }

  setFees(user: string, taker: string, maker: string): void {
    const account = this.world.account(user);
    account.takerRate = dec(taker);
    account.makerRate = dec(maker);
  }

  /** Sets the account's number of requests, and its allowance besides one per USDC traded. */
  setRequests(user: string, used: number, buffer?: number): void {
    const account = this.world.account(user);
    account.requestsUsed = used;
    if (buffer !== undefined) account.requestBuffer = buffer;
  }

  /** A fill on a market that the gateway does not know, as `@107` (spot) or `flx:CRCL`. */
  tradeUnknown(user: string, coin: string, side: 'buy' | 'sell', size: string, price: string): void {
    fillElsewhere(this.world, this.world.account(user), {
      ...{ coin, isBuy: side === 'buy', px: dec(price), sz: dec(size), feeToken: 'USDC' },
    });
  }

  // Time, limits and faults.

  /** False: fills carry only the venue's number of their order. */
  setFillsNameClientIds(named: boolean): void {
    this.world.fillsNameClientIds = named;
  }

  /** Sets the answer to an action that arrives after its `expiresAfter`. */
  setLateExpiry(how: 'error' | 'silence'): void {
    this.world.lateExpiry = how;
  }

  /** null: nobody is sent away. The real venue has 1,200. */
  setWeightPerMinute(weight: number | null): void {
    this.desk.weightPerMinute = weight;
  }

  /** The next `times` lookups of orders say `unknownOid`, whatever is true. */
  forgetOrders(times: number, user?: string): void {
    const json = { status: 'unknownOid' };
    this.fault({ do: 'answer', json, on: 'orderStatus', times, ...(user === undefined ? {} : { user }) });
  }

  /** A message of one of the account's streams, word for word. */
  say(user: string, channel: string, data: unknown): void {
    this.hub.push(user.toLowerCase(), channel, data);
  }

  /** The last fills come again as if they were new. */
  repeatFills(user: string, count: number): void {
    const { address, fills } = this.world.account(user);
    this.hub.push(address, 'userFills', { user: address, fills: fills.slice(-count).map(fillForm) });
  }

  // State and traffic.

  /** Names of the universe, in its order. */
  coins(): readonly string[] {
    return this.world.markets.map(({ name }) => name);
  }

  state(user: AccountName): TrueState {
    const account = this.world.account(user);
    const { deposits, spot, agents, fills, requestsUsed } = account;
    const inSpot = isUnified(account) ? (spot.get('USDC') ?? ZERO) : ZERO;
    return {
      ...this.stateOf(account),
      ...{ value: text(accountValue(account).plus(inSpot)), deposits: text(deposits), requestsUsed },
      ...{ fills: fills.map(fillForm), agents: agents.map((agent) => ({ ...agent })) },
    };
  }

  /** Highest weight of any minute since the last `clearTraffic`. */
  mostInAMinute(): number {
    return this.desk.tap.mostWeight();
  }
}
