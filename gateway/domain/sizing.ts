/**
 * Sizes the legs asked for into orders that can be sent: quantity, limit price, margin, fee and problems of each leg.
 *
 * Nothing is ever enlarged: quantities are rounded down to the step, so quantity × mark never exceeds what was
 * requested; a leg that cannot be sent as asked is a problem, and one problem stops the whole basket before anything is
 * sent.
 */
import { Decimal, dec, floorTo, sum, text, textRounded, ZERO } from './decimal.ts';
import { dollars } from './dollars.ts';
import { legName } from './execution.ts';
import { defaultLeverage, effectiveLeverage, marginForOrder } from './margin.ts';
import type {
  FundingRate,
  Instrument,
  LeverageSetting,
  MarginMode,
  OrderErrorCode,
  Quote,
  TradeLeg,
} from './model.ts';
import { isOutsideBand, limitPrice } from './price-rules.ts';

/** Slippage of closing orders that name none, a decimal fraction around the mark. */
export const CLOSE_SLIPPAGE = '0.01';

export interface LegFacts {
  readonly instrument: Instrument;
  /** Quote of the instrument; undefined: no price is known. */
  readonly quote: Quote | undefined;
  readonly stale: boolean;
  readonly funding: FundingRate | undefined;
  /** The venue's of what is held, else the setting; undefined: the instrument's default. */
  readonly leverage: Pick<LeverageSetting, 'leverage' | 'marginMode'> | undefined;
  /** Signed base units that the venue holds in the instrument. */
  readonly venueNet: string;
  /**
   * True: the leg closes or reduces a basket's own quantity, reduce-only when the venue's net position allows it.
   */
  readonly reduces: boolean;
}

export interface AccountFacts {
  /** Free margin, USD. */
  readonly freeMargin: string;
  /** Taker fee, decimal fraction. */
  readonly takerRate: string;
}

export interface LegProblem {
  readonly code: OrderErrorCode;
  readonly message: string;
}

export interface SizedLeg {
  readonly legIndex: number;
  readonly leg: TradeLeg;
  readonly ticker: string;
  readonly quantity: string;
  /** Mark price that the leg was sized at. */
  readonly price: string;
  readonly limitPrice: string;
  /** Notional: quantity × mark. */
  readonly notional: string;
  readonly leverage: number;
  readonly marginMode: MarginMode;
  readonly margin: string;
  readonly fee: string;
  readonly reduceOnly: boolean;
  readonly problem: LegProblem | null;
}

export interface BasketPlan {
  readonly legs: readonly SizedLeg[];
  readonly grossNotional: string;
  /** Long minus short notional. */
  readonly netNotional: string;
  readonly totalFee: string;
  readonly marginRequired: string;
  readonly freeMargin: string;
  /** Net funding in USD an hour at current rates; positive: the holder pays. */
  readonly netFundingHourly: string;
  readonly problems: readonly (LegProblem & {
    readonly legIndex: number | null;
    readonly symbol: string | null;
  })[];
}

export interface BasketRequest {
  readonly legs: readonly TradeLeg[];
  /** Total in USD, needed by WEIGHT legs. */
  readonly totalUsd: string | null;
  readonly slippage: string;
}

export function planBasket(
  request: BasketRequest,
  facts: readonly LegFacts[],
  account: AccountFacts,
): BasketPlan {
  const legs: SizedLeg[] = [];
  for (const [legIndex, leg] of request.legs.entries()) {
    const legFacts = facts[legIndex];
    if (legFacts !== undefined) legs.push(sizeLeg(request, leg, legIndex, legFacts, account));
  }
  const marginRequired = sum(legs.map((leg) => dec(leg.margin)));
  const totalFee = sum(legs.map((leg) => dec(leg.fee)));
  const needed = marginRequired.plus(totalFee);
  const problems: BasketPlan['problems'][number][] = legs.flatMap((leg) =>
    leg.problem === null ? [] : [{ ...leg.problem, legIndex: leg.legIndex, symbol: leg.leg.symbol }],
  );
  // A basket that only reduces needs no margin, so it must stay possible when none is free.
  if (marginRequired.gt(0) && needed.gt(account.freeMargin)) {
    problems.push({
      code: 'INSUFFICIENT_MARGIN',
      message: `The basket needs ${dollars(needed)} of margin and fees; ${dollars(dec(account.freeMargin))} is free`,
      legIndex: null,
      symbol: null,
    });
  }
  const signed = (leg: SizedLeg) => (leg.leg.side === 'BUY' ? dec(leg.notional) : dec(leg.notional).neg());
  return {
    legs,
    grossNotional: text(sum(legs.map((leg) => dec(leg.notional)))),
    netNotional: text(sum(legs.map(signed))),
    totalFee: text(totalFee),
    marginRequired: text(marginRequired),
    freeMargin: account.freeMargin,
    netFundingHourly: textRounded(
      sum(
        legs.map((leg) => {
          const funding = facts[leg.legIndex]?.funding;
          return funding === undefined ? ZERO : signed(leg).mul(funding.rate).div(funding.intervalHours);
        }),
      ),
      12,
    ),
    problems,
  };
}

function sizeLeg(
  request: BasketRequest,
  leg: TradeLeg,
  legIndex: number,
  facts: LegFacts,
  account: AccountFacts,
): SizedLeg {
  const { instrument, quote } = facts;
  const name = legName({ legIndex, ...leg });
  const base = {
    legIndex,
    leg,
    ticker: instrument.symbol,
    marginMode: facts.leverage?.marginMode ?? 'cross',
    leverage: facts.leverage?.leverage ?? defaultLeverage(instrument),
  } as const;
  if (quote === undefined || facts.stale) {
    return {
      ...base,
      quantity: '0',
      price: quote?.mark ?? '0',
      limitPrice: '0',
      notional: '0',
      margin: '0',
      fee: '0',
      reduceOnly: false,
      problem: { code: 'PRICE_STALE', message: `${name}: no current price` },
    };
  }
  const mark = dec(quote.mark);
  const quantity = floorTo(askedQuantity(leg, mark, request.totalUsd), dec(instrument.stepSize));
  const limit = limitPrice(mark, leg.side, dec(request.slippage), instrument, quote.index);
  const notional = quantity.mul(mark);
  const net = dec(facts.venueNet);
  const delta = leg.side === 'BUY' ? quantity : quantity.neg();
  const shrinks = net.mul(delta).lt(0) && net.abs().gte(quantity);
  const reduceOnly = facts.reduces && shrinks;
  const resulting = net.plus(delta).abs().mul(mark);
  const leverage = shrinks ? base.leverage : effectiveLeverage(instrument, base.leverage, resulting);
  // Fee and margin are computed at the worse of mark and limit: margin that was found enough must be enough.
  const worst = limit.gt(mark) ? limit : mark;
  return {
    ...base,
    leverage: leverage ?? base.leverage,
    quantity: text(quantity),
    price: quote.mark,
    limitPrice: text(limit),
    notional: text(notional),
    margin: textRounded(marginForOrder(net, delta, worst, leverage ?? base.leverage), 12),
    fee: text(quantity.mul(worst).mul(account.takerRate)),
    reduceOnly,
    problem: problemOf(name, instrument, {
      ...{ quantity, limit, mark, shrinks, reduceOnly, leverage, resulting },
      isOutsideBand: isOutsideBand(limit, quote, instrument),
    }),
  };
}

function askedQuantity(leg: TradeLeg, mark: Decimal, totalUsd: string | null): Decimal {
  switch (leg.mode) {
    case 'BASE':
      return dec(leg.amount);
    case 'USD':
      return dec(leg.amount).div(mark);
    case 'WEIGHT':
      return dec(leg.amount)
        .mul(totalUsd ?? 0)
        .div(mark);
  }
}

function problemOf(
  name: string,
  instrument: Instrument,
  sized: {
    readonly quantity: Decimal;
    readonly limit: Decimal;
    readonly mark: Decimal;
    readonly shrinks: boolean;
    readonly reduceOnly: boolean;
    readonly leverage: number | undefined;
    readonly resulting: Decimal;
    readonly isOutsideBand: boolean;
  },
): LegProblem | null {
  const { status, reason } = instrument.tradeability;
  if (status === 'not_tradable') {
    return { code: 'NOT_TRADABLE', message: `${name}: not tradable${reason === null ? '' : ` (${reason})`}` };
  }
  if (status === 'reduce_only' && !sized.shrinks) {
    return { code: 'REDUCE_ONLY', message: `${name}: the venue accepts only orders that reduce a position` };
  }
  if (sized.quantity.isZero()) {
    return {
      code: 'ZERO_QUANTITY',
      message: `${name}: the amount is below one quantity step of ${instrument.stepSize}`,
    };
  }
  const size = sizeProblem(name, instrument, sized.quantity);
  if (size !== null) return size;
  if (sized.isOutsideBand) {
    return {
      code: 'PRICE_BAND',
      message: `${name}: mark and index are too far apart, its limit would be more than ${instrument.priceBand} times one of them away, which the venue refuses`,
    };
  }
  if (sized.limit.lte(0)) {
    return { code: 'RISK_LIMIT', message: `${name}: the slippage bound leaves no valid price` };
  }
  const lowest = sized.limit.lt(sized.mark) ? sized.limit : sized.mark;
  // Venues waive their minimum for reduce-only orders, so that a small remainder can always be closed.
  if (!sized.reduceOnly && sized.quantity.mul(lowest).lt(instrument.minNotional)) {
    return {
      code: 'MIN_NOTIONAL',
      message: `${name}: ${belowMinimum(sized.quantity, sized, instrument)}`,
    };
  }
  if (sized.leverage === undefined) {
    return {
      code: 'RISK_LIMIT',
      message: `${name}: a position of ${dollars(sized.resulting)} is larger than the venue allows`,
    };
  }
  return null;
}

/** The order is counted at the lower price, which may be its limit's; rounded up it might read as the minimum itself. */
export function belowMinimum(
  quantity: Decimal,
  { mark, limit }: { readonly mark: Decimal; readonly limit: Decimal },
  { minNotional }: Pick<Instrument, 'minNotional'>,
): string {
  const at = limit.lt(mark) ? ' at its price limit' : '';
  const worth = dollars(quantity.mul(Decimal.min(limit, mark)).toDecimalPlaces(2, Decimal.ROUND_DOWN));
  return `${worth}${at} is below the venue's minimum of ${dollars(dec(minNotional))}`;
}

/** Why the venue takes no order of this quantity (base units), which is not zero; null: it does. */
export function sizeProblem(
  name: string,
  { minQuantity, maxQuantity, stepSize }: Pick<Instrument, 'minQuantity' | 'maxQuantity' | 'stepSize'>,
  quantity: Decimal,
): LegProblem | null {
  // Quantities are whole steps, so that one which is not zero is at least a step.
  if (minQuantity !== stepSize && quantity.lt(minQuantity)) {
    return {
      code: 'MIN_QUANTITY',
      message: `${name}: ${text(quantity)} is below the venue's smallest quantity of ${minQuantity}`,
    };
  }
  if (maxQuantity !== null && quantity.gt(maxQuantity)) {
    return {
      code: 'MAX_QUANTITY',
      message: `${name}: ${text(quantity)} is above the venue's largest quantity of one order, ${maxQuantity}`,
    };
  }
  return null;
}
