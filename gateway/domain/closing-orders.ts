/**
 * Sizes the orders of a closing round: each leg's quantity that may be sent, its limit, and why the rest is not sent.
 */

import {
  type ClosingAccount,
  type ClosingInstrument,
  type ClosingLeg,
  type Draft,
  isMinimumWaived,
} from './closing-terms.ts';
import { Decimal, dec, floorTo, sum, text, ZERO } from './decimal.ts';
import { dollars } from './dollars.ts';
import { legName } from './execution.ts';
import { belowMinimum, type LegProblem } from './leg-problems.ts';
import { defaultLeverage, effectiveLeverage, marginForOrder } from './margin.ts';
import type { Instrument, Quote } from './model.ts';
import { insideBand, limitPrice, onTick } from './price-rules.ts';
import { netOfLots } from './unassigned.ts';

/**
 * Signed base units at the venue that baskets, lots and orders in flight do not explain: positive is too much,
 * negative too little.
 */
export function unexplained(
  facts: Pick<ClosingInstrument, 'venue' | 'baskets' | 'lots' | 'flights'>,
): Decimal {
  const gap = dec(facts.venue).minus(facts.baskets).minus(netOfLots(facts.lots));
  if (gap.gt(facts.flights.high)) return gap.minus(facts.flights.high);
  if (gap.lt(facts.flights.low)) return gap.minus(facts.flights.low);
  return ZERO;
}

export interface Sending {
  readonly draft: Draft;
  /** Quantity by which the order enlarges the net position, base units; negative if it reduces the net position. */
  readonly growth: Decimal;
  readonly margin: Decimal;
  readonly fee: Decimal;
  /** Positions that hold the opposite side of the instrument. */
  readonly against: readonly string[];
}

/**
 * Orders for the quantities that could not be matched between legs, the largest first. All are on one side, because
 * matching has used up the other.
 */
export function sizeOrders(
  drafts: readonly Draft[],
  facts: ClosingInstrument,
  account: ClosingAccount,
): readonly Sending[] {
  const open = drafts.filter(({ left }) => left.gt(0)).sort((a, b) => b.left.comparedTo(a.left));
  const gap = unexplained(facts);
  // Quantity missing at the venue: it was closed elsewhere, so an order for that much may not close anything.
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
  // Minimum net position that the orders in flight may leave before this order arrives.
  const certain = leg.side === 'SELL' ? net.plus(facts.flights.low) : net.plus(facts.flights.high).neg();
  // Net position by the venue's latest report; orders in flight may have changed it since.
  const told = leg.side === 'SELL' ? net : net.neg();
  const lowest = Decimal.min(limit, mark);
  /** @param reducible the net position that the order may rely on */
  const asOrder = (quantity: Decimal, reducible: Decimal = certain) => {
    const reduceOnly = quantity.gt(0) && reducible.gte(quantity);
    const isWaived = isMinimumWaived(account.minimumWaiver, {
      reduceOnly,
      closesAll: reducible.eq(quantity),
    });
    const isTooSmall =
      quantity.lt(instrument.minQuantity) || (!isWaived && quantity.mul(lowest).lt(instrument.minNotional));
    return { quantity, reduceOnly, isTooSmall };
  };
  // The part above the venue's maximum per order follows in the next rounds.
  const atOnce = instrument.maxQuantity === null ? wanted : Decimal.min(wanted, instrument.maxQuantity);
  let sized = asOrder(floorTo(atOnce, step));
  let reliesOnTold = false;
  if (sized.isTooSmall && leg.isWhole && certain.lt(sized.quantity)) {
    // The order is larger than the net position, because another basket or lot holds the opposite side. The part that
    // only closes the net position is sent anyway.
    const less = asOrder(floorTo(certain, step));
    if (!less.isTooSmall) sized = less;
  }
  if (sized.isTooSmall && leg.isWhole && !account.onlyReduces) {
    // Only an order in flight with an unknown outcome makes it too small. Left over as dust it would stay at the venue
    // if that order never arrived. Sent reduce-only it opens nothing: if that order did arrive, the venue refuses it.
    const sure = asOrder(sized.quantity, told);
    if (!sure.isTooSmall) {
      sized = sure;
      reliesOnTold = true;
    }
  }
  const isKept = account.onlyReduces && !sized.reduceOnly;
  if (isKept) {
    const less = asOrder(floorTo(Decimal.max(certain, ZERO), step));
    const kept = less.isTooSmall ? wanted : wanted.minus(less.quantity);
    draft.problem ??= {
      code: 'UNDER_REVIEW',
      message: `${name}: the venue does not say what it holds, and ${text(kept)} could open something there: it stays until it does`,
    };
    if (less.isTooSmall) return null;
    sized = less;
  }
  const { quantity, reduceOnly, isTooSmall } = sized;
  const rest = isTooSmall ? wanted : wanted.minus(quantity);
  if (!isTooSmall && atOnce.lt(wanted)) {
    const message = `${name}: the venue takes ${instrument.maxQuantity} in one order at most, ${text(rest)} are left`;
    draft.problem ??= { code: 'MAX_QUANTITY', message };
  } else if (rest.gt(0) && leg.isWhole && !isKept) draft.dust = { quantity: text(rest), price: quote.mark };
  if (isTooSmall) {
    if (leg.isWhole) return null;
    if (quantity.lte(0)) {
      draft.problem ??= belowOneStep(leg, facts);
      return null;
    }
    if (quantity.lt(instrument.minQuantity))
      return refuse(
        'MIN_QUANTITY',
        `${text(quantity)} is below the venue's smallest quantity of ${instrument.minQuantity}`,
      );
    return refuse('MIN_NOTIONAL', belowMinimum(quantity, { mark, limit }, instrument));
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
    return refuse('RISK_LIMIT', `a position of ${dollars(resulting)} is larger than the venue allows`);
  }
  const worst = Decimal.max(limit, mark);
  draft.order = {
    quantity: text(quantity),
    limitPrice: text(limit),
    price: quote.mark,
    reduceOnly,
    reliesOnTold,
  };
  return {
    draft,
    growth,
    margin: marginForOrder(net, delta, worst, leverage),
    against: facts.holders.flatMap(({ positionId, side }) => (side === leg.side ? [positionId] : [])),
    fee: growth.gt(0) ? quantity.mul(worst).mul(account.takerRate) : ZERO,
  };
}

/**
 * Limit price: fresh mark ± slippage, never worse than an agreed bound; the bound itself where the fresh limit misses
 * the book. Inside the venue's band in any case.
 */
function agreedLimit(leg: ClosingLeg, mark: Decimal, quote: Quote, instrument: Instrument): Decimal {
  const fresh = limitPrice(mark, leg.side, dec(leg.slippage), instrument, quote.index);
  if (leg.bound === null) return fresh;
  const bound = onTick(dec(leg.bound), leg.side, instrument);
  const isBetter = leg.side === 'BUY' ? fresh.lt(bound) : fresh.gt(bound);
  const reaches = leg.side === 'BUY' ? fresh.gte(quote.ask) : fresh.lte(quote.bid);
  if (isBetter && reaches) return fresh;
  return insideBand(bound, leg.side, mark, quote.index, instrument);
}

/**
 * Refuses orders that enlarge the net position (another basket holds the opposite of the leg) if free margin does not
 * cover them.
 */
export function refuseWithoutMargin(sending: readonly Sending[], account: ClosingAccount): void {
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

export function belowOneStep(leg: ClosingLeg, { instrument }: ClosingInstrument): LegProblem {
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

export function currentMark({ quote, stale }: ClosingInstrument): string | null {
  return quote === undefined || stale ? null : quote.mark;
}
