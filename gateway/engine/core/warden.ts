/**
 * Pre-trade risk check against the mandate of an order's authority, for everything that opens, is pending, or makes a
 * change. It runs at acceptance, on firing, on becoming ACTIVE, and before each sending and further attempt.
 *
 * Judging and reserving are one synchronous step on the only thread, so that two orders never share the rest of a
 * limit. An authority without a mandate costs one lookup.
 */
import { type Placed, placedBy } from '../../domain/authority.ts';
import type { DecimalString } from '../../domain/decimal.ts';
import { DAY_MS } from '../../domain/history-range.ts';
import type { Judgement, Mandate } from '../../domain/mandate.ts';
import { hasLost, judge, type MandateAsk, type MandateUsage } from '../../domain/mandate-judgement.ts';
import { defaultLeverage, MOST_BY_DEFAULT } from '../../domain/margin.ts';
import type { Principal, TradeAccount } from '../../domain/model.ts';
import type { Owned } from '../../domain/ownership.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { OrderPrint } from '../../domain/same-order.ts';
import { isAbove, NOTHING, plus, type Scaled, scaled } from '../../domain/scaled.ts';
import { worstOfTrade } from '../../domain/worst-price.ts';
import type { ApprovalDesk, AskedFor, AskedRequest, DeskAnswer } from '../ports/approval-desk.ts';
import type { BoundMandate, MandateBook } from '../ports/mandate-book.ts';
import type { MarketData } from '../ports/market.ts';
import type { Store } from '../ports/store.ts';
import type { Clock, Ids } from '../ports/system.ts';
import type { Venues } from '../ports/venue.ts';
import type { Asked, AskedTrade } from './asked.ts';
import { askedPlan, highestSlippage } from './asked-plan.ts';
import { busy, type EngineError } from './errors.ts';
import { HolderUsage, inTexts, isHis, keysOf, partsInTexts, type UsageParts } from './holder-usage.ts';
import { Holdings } from './holdings.ts';
import type { LiveState } from './live-state.ts';
import { agentLimit, tooOften } from './mandate-answers.ts';
import { holderKey, type Without } from './mandate-usage.ts';
import { printedFor } from './recent-orders.ts';
import { type Admission, Reservations } from './reservations.ts';
import { Shares } from './shares.ts';

/** Start of the suspension reason after a loss stop. */
export const LOSS_STOPPED = 'It has lost';

export interface WardenDeps {
  readonly store: Pick<Store, 'reservations' | 'holdings' | 'tradedByAgents' | 'agentResults'>;
  readonly clock: Pick<Clock, 'now' | 'uptime'>;
  readonly ids: Pick<Ids, 'next'>;
  readonly venues: Pick<Venues, 'get'>;
  readonly market: Pick<MarketData, 'quote' | 'instrument'>;
  readonly state: Pick<LiveState, 'positions' | 'leverage' | 'unassigned' | 'underWay'>;
  readonly book: MandateBook;
  readonly desk: ApprovalDesk;
}

const NONE: Without = {};
const NO_FIRSTS: readonly never[] = [];

export class Warden {
  readonly holdings: Holdings;
  readonly shares: Shares;
  readonly reservations: Reservations;
  readonly #deps: WardenDeps;
  /** Sources of the usage figures. */
  readonly #used: ConstructorParameters<typeof HolderUsage>[0];
  /** Refusals whose approval request is being written to disk. */
  readonly #questions = new WeakMap<EngineError, Promise<DeskAnswer>>();
  readonly #refusalListeners: ((bound: BoundMandate) => void)[] = [];
  /** Wall clock minus uptime at the start, ms. */
  #began: number;

  constructor(deps: WardenDeps) {
    this.#deps = deps;
    this.#began = deps.clock.now() - deps.clock.uptime();
    this.reservations = new Reservations(deps.clock);
    this.holdings = new Holdings({ ...deps, positions: deps.state.positions });
    this.shares = new Shares({ book: deps.book, state: deps.state, holdings: this.holdings });
    const { book, desk, state, market } = deps;
    this.#used = { book, desk, state, market, usage: this.reservations.usage, holdings: this.holdings };
  }

  /** Loads stored reservations. To be called before executions of the previous process continue. */
  async load(): Promise<void> {
    const { store, clock } = this.#deps;
    this.#began = clock.now() - clock.uptime();
    this.reservations.load(await store.reservations(clock.now() - DAY_MS));
    await this.holdings.load(store);
  }

  /** Mandate that binds an authority; null: none. */
  of(placed: Placed): BoundMandate | null {
    return this.#deps.book.of(placed);
  }

  /** All holders that have a mandate. */
  bound(): readonly BoundMandate[] {
    return this.#deps.book.all();
  }

  ofPrincipal(principal: Principal): BoundMandate | null {
    return principal.kind === 'session' ? null : this.#deps.book.of(placedBy(principal));
  }

  /** True: an agent, or a program with a mandate. A key without a mandate acts as the user. */
  isAgent(placed: Placed): boolean {
    return placed.authorityKind === 'oauth_grant' || this.of(placed) !== null;
  }

  keysOf(bound: BoundMandate): readonly string[] {
    return keysOf(bound);
  }

  isHis(bound: BoundMandate, placed: Placed): boolean {
    return isHis(bound, placed);
  }

  /** User's answer to the same earlier approval request; null: there was none, or no mandate applies. */
  known(placed: Placed, account: TradeAccount, request: AskedRequest | null): DeskAnswer | null {
    const bound = request === null ? null : this.of(placed);
    return bound === null || request === null ? null : this.#deps.desk.known(bound.holder, account, request);
  }

  /**
   * Judges a request. Errors: AGENT_LIMIT with every broken limit; RESOURCE_BUSY with the reason AGENT_RATE, or
   * APPROVAL if a person has to approve it (`told` turns this error into the caller's answer).
   */
  admit(bound: BoundMandate, given: Asked): Result<Admission, EngineError> {
    const { desk } = this.#deps;
    const asked = this.shares.withMarginLosses(bound, given);
    const { request, account, isRequest } = asked;
    const approved = request?.approved ?? null;
    if (request !== null && approved === null) {
      const known = desk.known(bound.holder, account, request);
      if (known !== null) return { ok: false, error: known };
    }
    const at = this.#deps.clock.uptime();
    const print = printedFor(bound, asked);
    // Before any limit: an approver first learns that the order is no longer the one shown.
    if (approved?.fits(this.#askedFor(asked)) === false)
      return busy('It is not what was shown', { reason: 'PLAN_CHANGED' });
    const judged = this.#judged(bound, asked, at);
    switch (judged.verdict) {
      case 'refused':
        // An approved request was made earlier; its refusal goes to the approver and is not counted.
        return this.#refused(bound, judged, isRequest && approved === null);
      case 'needs_approval':
        return this.#question(bound, judged, asked);
      case 'allowed':
        return ok({
          bound,
          reserveUsd: judged.reserveUsd,
          worst: scaled(judged.reserveUsd),
          at,
          isRequest,
          approved,
          print,
        });
    }
  }

  /**
   * Judges like `admit`, but asks nobody for approval and counts no refusal.
   * @param uptime now, ms
   */
  judge(bound: BoundMandate, given: Asked, uptime = this.#deps.clock.uptime()): Judgement {
    return this.#judged(bound, this.shares.withMarginLosses(bound, given), uptime);
  }

  /** Computes every figure, every limit that would be broken, and the reasons for an approval. */
  #judged(bound: BoundMandate, asked: Asked, uptime: number): Judgement {
    const { clock, book } = this.#deps;
    const { account, request } = asked;
    const { mandate, suspended } = bound;
    const approved = request?.approved ?? null;
    const usage = new HolderUsage(this.#used, bound, asked.without ?? NONE, approved?.approvalId, uptime);
    const owned = this.shares.askedOf(bound, asked);
    let isSuspended = suspended !== null;
    if (!isSuspended && mandate.lossStop !== null && hasLost(mandate, usage.own.lossUsd24h)) {
      this.stopLoss(bound);
      isSuspended = bound.suspended !== null;
    }
    const isLive = account.mode === 'LIVE';
    const { firsts } = mandate.approval;
    return judge(mandate, book.house(bound.userId), usage, this.#askOf(mandate, asked, owned), {
      // Setting the clock back does not extend a mandate.
      now: Math.max(clock.now(), this.#began + uptime),
      isSuspended,
      isLive,
      firsts: firsts === 'all' || (firsts === 'live' && isLive) ? this.#firstsOf(bound, asked) : NO_FIRSTS,
      isDuplicate: this.#isDuplicate(bound, asked),
      isApproved: approved !== null,
    });
  }

  /** True: the holder's loss has reached its mandate's loss stop. */
  hasLost(bound: BoundMandate): boolean {
    return hasLost(bound.mandate, this.#lostBy(bound, this.#deps.clock.uptime()));
  }

  /** Suspends a holder that reached its loss stop. */
  stopLoss(bound: BoundMandate): void {
    const { holder, mandate } = bound;
    const usd = mandate.lossStop?.usd ?? '0';
    this.#deps.book.suspend(holder, `${LOSS_STOPPED} the ${usd} USD that it may lose within 24 hours`);
  }

  /** Holder's loss within 24 hours, USD; negative: a profit. @param uptime now, ms */
  #lostBy(bound: BoundMandate, uptime: number): Scaled {
    return new HolderUsage(this.#used, bound, NONE, undefined, uptime).own.lossUsd24h;
  }

  suspend({ holder }: BoundMandate, reason: string): void {
    this.#deps.book.suspend(holder, reason);
  }

  /** Registers a listener for each request that a mandate refuses. Refusals for the rate alone are left out. */
  onRefused(listener: (bound: BoundMandate) => void): void {
    this.#refusalListeners.push(listener);
  }

  /** Reports a request of the holder that was refused before the risk check. */
  wasRefused(bound: BoundMandate): void {
    for (const listener of this.#refusalListeners) listener(bound);
  }

  /** Usage of the holder, and of all holders of its user together. @param approvalId an approval that does not count */
  usageOf(bound: BoundMandate, without: Without = {}, approvalId?: string): MandateUsage {
    return inTexts(new HolderUsage(this.#used, bound, without, approvalId));
  }

  /** Parts of the figures of `usageOf`. */
  usagePartsOf(bound: BoundMandate): UsageParts {
    return partsInTexts(new HolderUsage(this.#used, bound, NONE, undefined).madeOf);
  }

  /** Answer to the caller: that of the approval queue if a person has to approve, else the error itself. */
  async told(error: EngineError): Promise<EngineError> {
    return (await this.#questions.get(error)) ?? error;
  }

  /** Notional of a trade at the worst prices that its slippage allows. */
  worstOf(
    { connector }: Pick<TradeAccount, 'connector'>,
    { legs, totalUsd, slippage }: AskedTrade,
    most = scaled(slippage),
  ): Scaled {
    return worstOfTrade(legs, totalUsd, most, (symbol) => this.markOf(connector, symbol));
  }

  markOf(connector: string, symbol: string): DecimalString | null {
    return this.#deps.market.quote(connector, symbol)?.mark ?? null;
  }

  #askOf({ maxLeverage }: Mandate, asked: Asked, owned: Owned): MandateAsk {
    const { account, kind, effect, trades, isOwn, opensPosition, rests, isRequest } = asked;
    const { brings = [], takesMargin = false, closingSlippage, laterSlippage, closesHedge = false } = asked;
    const [first] = trades;
    const slippage = highestSlippage(trades);
    const later = scaled(laterSlippage ?? '0');
    const isOne = first !== undefined && trades.length === 1;
    const legs = isOne ? first.legs : trades.flatMap((trade) => trade.legs);
    let worstUsd = isOne ? this.worstOf(account, first, slippage) : NOTHING;
    if (!isOne) for (const trade of trades) worstUsd = plus(worstUsd, this.worstOf(account, trade));
    return {
      kind,
      brings,
      effect,
      loosens: asked.loosens !== undefined,
      tradeAccountId: account.id,
      isOwn,
      owned,
      takesMargin,
      legs,
      worstUsd,
      slippage: isAbove(later, slippage) ? later : slippage,
      closingSlippage,
      closesHedge,
      leverage: maxLeverage === null ? 0 : this.#highestLeverage(asked, legs, maxLeverage),
      opensPosition,
      rests,
      isRequest,
    };
  }

  /** The account's own rate, or the venue's lowest tier while it is not known. */
  #takerRate({ id: tradeAccountId, connector, exchangeIdentifier }: TradeAccount): DecimalString {
    const venue = this.#deps.venues.get(connector);
    return venue?.feeRates?.({ tradeAccountId, exchangeIdentifier })?.taker ?? venue?.info.takerRate ?? '0';
  }

  #highestLeverage(
    { account, leverage = 0 }: Asked,
    legs: readonly { readonly symbol: string }[],
    allowed: number,
  ): number {
    const { id, connector } = account;
    const { state, market } = this.#deps;
    let highest = Math.max(leverage, this.#keptLeverage(account, legs));
    // Without any setting on the account, no instrument needs a lookup.
    if (allowed >= MOST_BY_DEFAULT && !state.leverage.isSetOn(id)) return Math.max(MOST_BY_DEFAULT, highest);
    for (const { symbol } of legs) {
      const instrument = market.instrument(connector, symbol);
      const byDefault = instrument === undefined ? 1 : defaultLeverage(instrument);
      highest = Math.max(highest, state.leverage.get(id, symbol)?.leverage ?? byDefault);
    }
    return highest;
  }

  /** Highest leverage of the account's positions in these instruments, from its stream; 0: unknown. */
  #keptLeverage(
    { id: tradeAccountId, connector, exchangeIdentifier }: TradeAccount,
    legs: readonly { readonly symbol: string }[],
  ): number {
    const venue = this.#deps.venues.get(connector);
    if (venue?.accountState === undefined || legs.length === 0) return 0;
    let highest = 0;
    for (const { symbol, leverage } of venue.accountState({ tradeAccountId, exchangeIdentifier })
      ?.positions ?? []) {
      if (leverage > highest && legs.some((leg) => leg.symbol === symbol)) highest = leverage;
    }
    return highest;
  }

  #firstsOf(bound: BoundMandate, { account, trades }: Asked) {
    const keys = this.keysOf(bound);
    const isNew = !this.holdings.hasTraded(keys, account.id);
    const symbols = trades.flatMap(({ legs }) => legs.map(({ symbol }) => symbol));
    const isNewInstrument = symbols.some((symbol) => !this.holdings.hasTraded(keys, account.id, symbol));
    return [
      ...(isNew ? (['ACCOUNT'] as const) : []),
      ...(isNewInstrument ? (['INSTRUMENT'] as const) : []),
      ...(isNew && account.mode === 'LIVE' ? (['LIVE'] as const) : []),
    ];
  }

  #isDuplicate(bound: BoundMandate, asked: Asked): boolean {
    const print = printedFor(bound, asked);
    if (print === null) return false;
    return this.#wasAsked(bound, print, asked.account);
  }

  /** True: the holder made the same request within the last minute. */
  #wasAsked(bound: BoundMandate, print: OrderPrint, { connector }: TradeAccount): boolean {
    return this.reservations.recent.has(this.keysOf(bound), print, (symbol) =>
      this.markOf(connector, symbol),
    );
  }

  #refused(
    bound: BoundMandate,
    { broken }: Extract<Judgement, { readonly verdict: 'refused' }>,
    isRequest: boolean,
  ) {
    const { rate } = bound.mandate;
    if (broken.every(({ limit }) => limit === 'rate')) {
      const waitMs = this.reservations.usage.waitMs(this.keysOf(bound), rate.perMinute, rate.perDay);
      return tooOften(this.#deps.clock.now() + waitMs);
    }
    if (isRequest) {
      this.reservations.usage.refused(bound.holder, bound.userId, rate.coolDownSeconds);
      this.wasRefused(bound);
    }
    return agentLimit(broken);
  }

  #question(
    bound: BoundMandate,
    { reserveUsd, reasons }: Extract<Judgement, { readonly verdict: 'needs_approval' }>,
    askedFor: Asked,
  ) {
    const { account, kind, effect, opensPosition, rests, request } = askedFor;
    const refusal = busy('A person has to approve it first', { reason: 'APPROVAL' });
    if (request === null) return refusal;
    const { holder, userId, version, mandate } = bound;
    const { lifeSeconds, driftBps, passwordAboveUsd } = mandate.approval;
    // The request counts as pending from this call on: nothing is judged in between.
    const asked = this.#deps.desk.ask({
      ...{ holder, userId, account, request, reasons, reserveUsd, opensPosition },
      kind: effect === 'LOOSENS' ? 'protect' : kind,
      mandateVersion: version,
      asked: this.#askedFor(askedFor),
      rests: rests > 0,
      ...{ lifeSeconds, driftBps, passwordAboveUsd },
    });
    const print = printedFor(bound, askedFor);
    // No order exists yet, but an equal request that follows must count as a duplicate.
    if (print !== null) this.reservations.recent.note(holderKey(holder), request.route, print);
    this.#questions.set(refusal.error, asked);
    return refusal;
  }

  #askedFor({ account, trades, takesOut, loosens = [], changes = null }: Asked): AskedFor {
    const rate = this.#takerRate(account);
    const { market } = this.#deps;
    const opening = trades.flatMap((trade) => askedPlan(market, account, trade, rate));
    const legs =
      takesOut === undefined ? opening : [...opening, ...askedPlan(market, account, takesOut, rate, true)];
    return { legs, loosens: loosens.map(({ words }) => words), changes };
  }
}
