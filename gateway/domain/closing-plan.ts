/**
 * What takes baskets down, decided for one moment and one account: how much of each leg is given to lots that were traded
 * against it outside, how much two closing baskets give each other, what becomes dust, and what is sent to the venue.
 *
 * Invariants, per instrument, with V the venue's net position, B the sum of the baskets, Z that of the lots in no basket:
 * - an order moves V towards B′ + Z′ (as they are after the plan) and never past it: nothing here opens or enlarges a
 *   position that no basket and no lot explains;
 * - what is transferred sums to zero; what is sent, transferred, left over and left alone sums to what was wanted;
 * - where V is not explained by B + Z and the orders on their way, only the certain part is sent.
 *
 * A leg that cannot go does not keep the others from going: all or nothing is a rule of opening.
 */
import { Decimal, dec, floorTo, sum, text, ZERO } from './decimal.ts';
import { legName } from './execution.ts';
import { defaultLeverage, effectiveLeverage, marginForOrder } from './margin.ts';
import type { Instrument, LeverageSetting, Quote, Side } from './model.ts';
import { limitPrice } from './price-rules.ts';
import type { LegProblem } from './sizing.ts';
import { netOfLots, type UnassignedLot } from './unassigned.ts';

/** Which orders below the venue's minimum value it takes all the same. */
export type MinimumWaiver =
  /** Every reduce-only order. */
  | 'reduce_only'
  /** A reduce-only order that closes the whole net position. */
  | 'full_close'
  | 'none';

/** One order of a closing execution. */
export interface ClosingLeg {
  /** Unique among the legs of the plan. */
  readonly key: string;
  readonly legIndex: number;
  readonly symbol: string;
  /** Of the order: SELL takes out of a long leg. */
  readonly side: Side;
  /** What the basket holds of the leg, base units. */
  readonly held: string;
  /** What is still to be taken out, base units. */
  readonly wanted: string;
  /**
   * The leg is to go altogether: too small a remainder is left over as dust. False for a part of a position, which is a share
   * of what is left once lots have been taken in, and a problem where it is too small.
   */
  readonly isWhole: boolean;
  /** Since when the basket has been there: only lots that are younger were traded against it. */
  readonly heldSince: number;
  readonly slippage: string;
  /** The worst price that was agreed to before; null: none yet, or nothing was ever executed at it. */
  readonly bound: string | null;
}

export interface ClosingInstrument {
  /** undefined: the venue does not list it any more. */
  readonly instrument: Instrument | undefined;
  readonly quote: Quote | undefined;
  readonly stale: boolean;
  readonly leverage: Pick<LeverageSetting, 'leverage' | 'marginMode'> | undefined;
  /** Signed base units that the venue holds. */
  readonly venue: string;
  /** Signed base units of all of the account's baskets, those that close included. */
  readonly baskets: string;
  /** The baskets that hold it. */
  readonly holders: readonly { readonly positionId: string; readonly side: Side }[];
  readonly lots: readonly UnassignedLot[];
  /** The difference that nothing explains has stood still for long enough to be believed. */
  readonly isGapSettled: boolean;
  /** What orders on their way may still add to `venue` or may have added already; signed base units. */
  readonly flights: { readonly low: Decimal; readonly high: Decimal };
}

export interface ClosingAccount {
  readonly freeMargin: string;
  readonly takerRate: string;
  readonly minimumWaiver: MinimumWaiver;
}

/** A part of a lot that goes into the basket, at the lot's price. */
export interface LotTaken {
  readonly lot: UnassignedLot;
  readonly quantity: string;
}

/** Two closing legs of one instrument meet: the one sells what the other buys. */
export interface LegsMatched {
  readonly sell: string;
  readonly buy: string;
  readonly symbol: string;
  readonly quantity: string;
  /** The mark. */
  readonly price: string;
}

export interface ClosingOrder {
  readonly quantity: string;
  readonly limitPrice: string;
  readonly reduceOnly: boolean;
}

export interface ClosingLegPlan {
  readonly leg: ClosingLeg;
  readonly taken: readonly LotTaken[];
  /** Base units that other closing legs take over. */
  readonly matched: string;
  /** Base units too small for an order, left to the account; and their price, the mark. */
  readonly dust: { readonly quantity: string; readonly price: string } | null;
  /** Base units that the venue does not hold any more and its history does not explain; and the price, the mark. */
  readonly adjusted: { readonly quantity: string; readonly price: string } | null;
  readonly order: ClosingOrder | null;
  /** Why something of the leg stays: null when nothing does. */
  readonly problem: LegProblem | null;
}

export interface ClosingPlan {
  readonly legs: readonly ClosingLegPlan[];
  readonly matches: readonly LegsMatched[];
  /** Keys in the order of sending: what frees margin first. */
  readonly sending: readonly string[];
}

/** Signed base units at the venue that neither baskets, lots nor flights explain: + too much, − too little. */
export function unexplained(
  facts: Pick<ClosingInstrument, 'venue' | 'baskets' | 'lots' | 'flights'>,
): Decimal {
  const gap = dec(facts.venue).minus(facts.baskets).minus(netOfLots(facts.lots));
  if (gap.gt(facts.flights.high)) return gap.minus(facts.flights.high);
  if (gap.lt(facts.flights.low)) return gap.minus(facts.flights.low);
  return ZERO;
}

interface Draft {
  readonly leg: ClosingLeg;
  readonly taken: LotTaken[];
  matched: Decimal;
  dust: ClosingLegPlan['dust'];
  adjusted: ClosingLegPlan['adjusted'];
  /** What is left to be sent. */
  left: Decimal;
  order: ClosingOrder | null;
  problem: LegProblem | null;
}

/** @param instruments by symbol, one for each leg's */
export function planClosing(
  legs: readonly ClosingLeg[],
  instruments: ReadonlyMap<string, ClosingInstrument>,
  account: ClosingAccount,
): ClosingPlan {
  const drafts = legs.map(
    (leg): Draft => ({
      leg,
      taken: [],
      matched: ZERO,
      dust: null,
      adjusted: null,
      left: ZERO,
      order: null,
      problem: null,
    }),
  );
  const matches: LegsMatched[] = [];
  const sending: Sending[] = [];
  for (const [symbol, facts] of instruments) {
    const own = drafts.filter(({ leg }) => leg.symbol === symbol);
    if (own.length === 0) continue;
    takeLots(own, facts);
    for (const draft of own) {
      draft.left = wantedOf(draft.leg, sum(draft.taken.map(({ quantity }) => dec(quantity))));
      if (!draft.leg.isWhole && dec(draft.leg.wanted).lte(0)) draft.problem = belowOneStep(draft.leg, facts);
    }
    matches.push(...match(own, facts));
    sending.push(...sizeOrders(own, facts, account));
  }
  refuseWithoutMargin(sending, account);
  return {
    legs: drafts.map(({ leg, taken, matched, dust, adjusted, order, problem }) => ({
      leg,
      taken,
      matched: text(matched),
      dust,
      adjusted,
      order,
      problem,
    })),
    matches,
    sending: sending
      .filter(({ draft }) => draft.order !== null)
      .sort((a, b) => a.growth.comparedTo(b.growth))
      .map(({ draft }) => draft.leg.key),
  };
}

/**
 * Base units that are still to go once `taken` of the leg went to lots. A part is a share of the leg: half of what somebody
 * has sold a half of is a quarter.
 */
export function wantedOf(leg: Pick<ClosingLeg, 'held' | 'wanted' | 'isWhole'>, taken: Decimal): Decimal {
  const stays = dec(leg.held).minus(taken);
  if (leg.isWhole) return Decimal.min(stays, leg.wanted);
  return dec(leg.wanted).mul(stays).div(leg.held);
}

/**
 * Lots on the other side than the leg, younger than its basket, oldest first, at most what the lots add up to. Dust of the
 * other side first and whatever its age: it is the gateway's own.
 */
function takeLots(drafts: readonly Draft[], { lots }: ClosingInstrument): void {
  for (const source of ['DUST', 'OUTSIDE'] as const) {
    const own = lots.filter((lot) => lot.source === source);
    let net = netOfLots(own);
    const left = new Map(own.map((lot) => [lot.id, dec(lot.quantity)]));
    for (const { leg, taken } of drafts) {
      const isAgainst = (quantity: Decimal) => (leg.side === 'SELL' ? quantity.lt(0) : quantity.gt(0));
      let open = dec(leg.held).minus(sum(taken.map(({ quantity }) => dec(quantity))));
      for (const lot of own) {
        const there = left.get(lot.id) ?? ZERO;
        if (!isAgainst(net) || !isAgainst(there)) continue;
        if (source === 'OUTSIDE' && lot.timestamp < leg.heldSince) continue;
        const quantity = Decimal.min(open, there.abs(), net.abs());
        if (quantity.lte(0)) continue;
        const signed = leg.side === 'SELL' ? quantity.neg() : quantity;
        taken.push({ lot, quantity: text(quantity) });
        left.set(lot.id, there.minus(signed));
        net = net.minus(signed);
        open = open.minus(quantity);
      }
    }
  }
}

/** What one basket sells and another buys need not go to the venue: min(longs, shorts), the largest first. */
function match(drafts: readonly Draft[], facts: ClosingInstrument): readonly LegsMatched[] {
  const mark = currentMark(facts);
  if (mark === null) return [];
  const of = (side: Side) =>
    drafts
      .filter(({ leg, left }) => leg.side === side && left.gt(0))
      .sort((a, b) => b.left.comparedTo(a.left));
  const found: LegsMatched[] = [];
  const buyers = of('BUY');
  for (const seller of of('SELL')) {
    for (const buyer of buyers) {
      const quantity = Decimal.min(seller.left, buyer.left);
      if (quantity.lte(0)) continue;
      for (const draft of [seller, buyer]) {
        draft.left = draft.left.minus(quantity);
        draft.matched = draft.matched.plus(quantity);
      }
      found.push({
        sell: seller.leg.key,
        buy: buyer.leg.key,
        symbol: seller.leg.symbol,
        quantity: text(quantity),
        price: mark,
      });
    }
  }
  return found;
}

interface Sending {
  readonly draft: Draft;
  /** By how much the order enlarges the net position, base units; negative where it shrinks it. */
  readonly growth: Decimal;
  readonly margin: Decimal;
  readonly fee: Decimal;
  /** Positions that hold the instrument on the other side. */
  readonly against: readonly string[];
}

/** Orders for what is left of one instrument's legs, the largest first. All of one side: matching has used up the other. */
function sizeOrders(
  drafts: readonly Draft[],
  facts: ClosingInstrument,
  account: ClosingAccount,
): readonly Sending[] {
  const open = drafts.filter(({ left }) => left.gt(0)).sort((a, b) => b.left.comparedTo(a.left));
  const gap = unexplained(facts);
  // What the venue has too little of has been taken out by somebody: that much of a sale is not certain to close anything.
  let doubtful = ZERO;
  let net = dec(facts.venue);
  const found: Sending[] = [];
  for (const draft of open) {
    const { leg } = draft;
    const isSale = leg.side === 'SELL';
    if (found.length === 0) doubtful = (isSale ? gap.lt(0) : gap.gt(0)) ? gap.abs() : ZERO;
    const kept = Decimal.min(draft.left, doubtful);
    doubtful = doubtful.minus(kept);
    const wanted = draft.left.minus(kept);
    const mark = currentMark(facts);
    if (kept.gt(0) && facts.isGapSettled && mark !== null) {
      draft.adjusted = { quantity: text(kept), price: mark };
    } else if (kept.gt(0)) draft.problem = underReview(leg, kept, facts);
    const sized = sizeOrder(draft, wanted, net, facts, account);
    if (sized === null) continue;
    found.push(sized);
    net = net.plus(isSale ? dec(sized.draft.order?.quantity ?? 0).neg() : (sized.draft.order?.quantity ?? 0));
  }
  return found;
}

function sizeOrder(
  draft: Draft,
  wanted: Decimal,
  net: Decimal,
  facts: ClosingInstrument,
  account: ClosingAccount,
): Sending | null {
  const { leg } = draft;
  const { instrument, quote } = facts;
  const name = legName(leg);
  const refuse = (code: LegProblem['code'], message: string): null => {
    draft.problem ??= { code, message: `${name}: ${message}` };
    return null;
  };
  if (wanted.lte(0)) return null;
  if (instrument === undefined) return refuse('NOT_TRADABLE', 'the venue does not list it any more');
  const { status, reason } = instrument.tradeability;
  if (status === 'not_tradable') {
    return refuse('NOT_TRADABLE', `not tradable${reason === null ? '' : ` (${reason})`}`);
  }
  if (quote === undefined || facts.stale) return refuse('PRICE_STALE', 'no current price');
  const mark = dec(quote.mark);
  const limit = agreedLimit(leg, mark, quote, instrument);
  if (limit.lte(0)) return refuse('RISK_LIMIT', 'the slippage bound leaves no valid price');
  const step = dec(instrument.stepSize);
  // The worst that orders on their way may leave of the net position until this one arrives.
  const certain = leg.side === 'SELL' ? net.plus(facts.flights.low) : net.plus(facts.flights.high).neg();
  const lowest = Decimal.min(limit, mark);
  const asOrder = (quantity: Decimal) => {
    const reduceOnly = quantity.gt(0) && certain.gte(quantity);
    const isWaived =
      reduceOnly &&
      (account.minimumWaiver === 'reduce_only' ||
        (account.minimumWaiver === 'full_close' && certain.eq(quantity)));
    const isTooSmall = quantity.lte(0) || (!isWaived && quantity.mul(lowest).lt(instrument.minNotional));
    return { quantity, reduceOnly, isTooSmall };
  };
  let sized = asOrder(floorTo(wanted, step));
  if (sized.isTooSmall && leg.isWhole && certain.lt(sized.quantity)) {
    // More than the net position, because something else holds against it: what closes that one goes all the same.
    const less = asOrder(floorTo(certain, step));
    if (!less.isTooSmall) sized = less;
  }
  const { quantity, reduceOnly, isTooSmall } = sized;
  const rest = isTooSmall ? wanted : wanted.minus(quantity);
  if (rest.gt(0) && leg.isWhole) draft.dust = { quantity: text(rest), price: quote.mark };
  if (isTooSmall) {
    if (leg.isWhole) return null;
    if (quantity.lte(0)) {
      draft.problem ??= belowOneStep(leg, facts);
      return null;
    }
    return refuse(
      'MIN_NOTIONAL',
      `notional ${quantity.mul(mark).toFixed(2)} USD is below the venue's minimum of ${instrument.minNotional} USD inside the slippage bound`,
    );
  }
  const delta = leg.side === 'SELL' ? quantity.neg() : quantity;
  const growth = net.plus(delta).abs().minus(net.abs());
  const setting = facts.leverage?.leverage ?? defaultLeverage(instrument);
  const resulting = net.plus(delta).abs().mul(mark);
  const leverage = growth.lte(0) ? setting : effectiveLeverage(instrument, setting, resulting);
  if (status === 'reduce_only' && growth.gt(quantity.neg())) {
    return refuse('REDUCE_ONLY', 'the venue accepts only orders that reduce a position');
  }
  if (leverage === undefined) {
    return refuse('RISK_LIMIT', `a position of ${resulting.toFixed(2)} USD is larger than the venue allows`);
  }
  const worst = Decimal.max(limit, mark);
  draft.order = { quantity: text(quantity), limitPrice: text(limit), reduceOnly };
  return {
    draft,
    growth,
    margin: marginForOrder(net, delta, worst, leverage),
    against: facts.holders.flatMap(({ positionId, side }) => (side === leg.side ? [positionId] : [])),
    fee: growth.gt(0) ? quantity.mul(worst).mul(account.takerRate) : ZERO,
  };
}

/** The mark ± slippage; where a bound was agreed to, never worse than that, and the bound itself where the fresh one misses the book. */
function agreedLimit(leg: ClosingLeg, mark: Decimal, quote: Quote, instrument: Instrument): Decimal {
  const fresh = limitPrice(mark, leg.side, dec(leg.slippage), instrument);
  if (leg.bound === null) return fresh;
  const isBetter = leg.side === 'BUY' ? fresh.lt(leg.bound) : fresh.gt(leg.bound);
  const reaches = leg.side === 'BUY' ? fresh.gte(quote.ask) : fresh.lte(quote.bid);
  return isBetter && reaches ? fresh : dec(leg.bound);
}

/** What closing enlarges because another basket holds against it needs margin; what it cannot have does not go. */
function refuseWithoutMargin(sending: readonly Sending[], account: ClosingAccount): void {
  const growing = sending.filter(({ growth }) => growth.gt(0));
  const needed = sum(growing.map(({ margin, fee }) => margin.plus(fee)));
  if (needed.lte(account.freeMargin)) return;
  for (const { draft, against } of growing) {
    draft.order = null;
    draft.problem = {
      code: 'INSUFFICIENT_MARGIN',
      message: `${legName(draft.leg)}: closing it alone needs ${needed.toFixed(2)} USD of margin and fees, and ${dec(account.freeMargin).toFixed(2)} USD is free, because ${against.length === 1 ? 'position' : 'positions'} ${against.join(', ')} hold${against.length === 1 ? 's' : ''} against it; closed together (close-all) both go without margin`,
    };
  }
}

function belowOneStep(leg: ClosingLeg, { instrument }: ClosingInstrument): LegProblem {
  const step = instrument?.stepSize ?? '?';
  return {
    code: 'ZERO_QUANTITY',
    message: `${legName(leg)}: the amount is below one quantity step of ${step}`,
  };
}

function underReview(leg: ClosingLeg, kept: Decimal, facts: ClosingInstrument): LegProblem {
  return {
    code: 'UNDER_REVIEW',
    message: `${legName(leg)}: the venue holds ${facts.venue} where the baskets and what is in none add up to ${text(dec(facts.baskets).plus(netOfLots(facts.lots)))}; ${text(kept)} stays until its history says what became of it`,
  };
}

function currentMark({ quote, stale }: ClosingInstrument): string | null {
  return quote === undefined || stale ? null : quote.mark;
}
