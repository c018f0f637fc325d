/**
 * Sizes the legs asked for into orders that can be sent: quantity, limit price, margin, fee and problems of each leg.
 *
 * Nothing is ever enlarged: quantities are rounded down to the step, so quantity × mark never exceeds what was
 * requested; a leg that cannot be sent as asked is a problem, and one problem stops the whole basket before anything is
 * sent.
 */
import { type Decimal, dec, floorTo, rounded, sum, text, textRounded, ZERO } from './decimal.ts';
import { dollars } from './dollars.ts';
import { legName } from './execution.ts';
import { type LegProblem, problemOf } from './leg-problems.ts';
import { defaultLeverage, effectiveLeverage, marginForOrder } from './margin.ts';
import type { FundingRate, Instrument, LeverageSetting, MarginMode, Quote, TradeLeg } from './model.ts';
import { isOutsideBand, limitPrice } from './price-rules.ts';

export interface LegFacts {
  readonly instrument: Instrument;
  /** Quote of the instrument; undefined: no price is known. */
  readonly quote: Quote | undefined;
  readonly stale: boolean;
  readonly funding: FundingRate | undefined;
  /** Venue's leverage of the position, else the setting; undefined: the instrument's default. */
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

export type { LegProblem } from './leg-problems.ts';

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
  const terms = {
    totalUsd: request.totalUsd,
    slippage: dec(request.slippage),
    takerRate: dec(account.takerRate),
  };
  const reckoned: Reckoned[] = [];
  for (const [legIndex, leg] of request.legs.entries()) {
    const legFacts = facts[legIndex];
    if (legFacts !== undefined) reckoned.push(sizeLeg(terms, leg, legIndex, legFacts));
  }
  const legs = reckoned.map(({ sized }) => sized);
  const marginRequired = sum(reckoned.map(({ margin }) => margin));
  const totalFee = sum(reckoned.map(({ fee }) => fee));
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
  const signed = ({ sized, notional }: Reckoned) => (sized.leg.side === 'BUY' ? notional : notional.neg());
  return {
    legs,
    grossNotional: text(sum(reckoned.map(({ notional }) => notional))),
    netNotional: text(sum(reckoned.map(signed))),
    totalFee: text(totalFee),
    marginRequired: text(marginRequired),
    freeMargin: account.freeMargin,
    netFundingHourly: textRounded(
      sum(
        reckoned.map((leg) => {
          const funding = facts[leg.sized.legIndex]?.funding;
          return funding === undefined ? ZERO : signed(leg).mul(funding.rate).div(funding.intervalHours);
        }),
      ),
      12,
    ),
    problems,
  };
}

/** Terms common to all legs. */
interface Terms {
  readonly totalUsd: string | null;
  /** Decimal fractions. */
  readonly slippage: Decimal;
  readonly takerRate: Decimal;
}

/** A leg, and of its texts those that the basket's sums are made of, USD. */
interface Reckoned {
  readonly sized: SizedLeg;
  readonly notional: Decimal;
  readonly margin: Decimal;
  readonly fee: Decimal;
}

function sizeLeg(terms: Terms, leg: TradeLeg, legIndex: number, facts: LegFacts): Reckoned {
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
    const sized: SizedLeg = {
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
    return { sized, notional: ZERO, margin: ZERO, fee: ZERO };
  }
  const mark = dec(quote.mark);
  const quantity = askedQuantity(leg, mark, terms.totalUsd, dec(instrument.stepSize));
  const limit = limitPrice(mark, leg.side, terms.slippage, instrument, quote.index);
  const notional = quantity.mul(mark);
  const net = dec(facts.venueNet);
  const delta = leg.side === 'BUY' ? quantity : quantity.neg();
  const shrinks = net.mul(delta).lt(0) && net.abs().gte(quantity);
  const reduceOnly = facts.reduces && shrinks;
  const resulting = net.plus(delta).abs().mul(mark);
  const leverage = shrinks ? base.leverage : effectiveLeverage(instrument, base.leverage, resulting);
  // Fee and margin are computed at the worse of mark and limit: margin that was found enough must be enough.
  const worst = limit.gt(mark) ? limit : mark;
  const margin = rounded(marginForOrder(net, delta, worst, leverage ?? base.leverage), 12);
  const fee = quantity.mul(worst).mul(terms.takerRate);
  const sized: SizedLeg = {
    ...base,
    leverage: leverage ?? base.leverage,
    quantity: text(quantity),
    price: quote.mark,
    limitPrice: text(limit),
    notional: text(notional),
    margin: text(margin),
    fee: text(fee),
    reduceOnly,
    problem: problemOf(name, instrument, {
      ...{ quantity, limit, mark, shrinks, reduceOnly, leverage, resulting },
      isOutsideBand: isOutsideBand(limit, quote, instrument),
    }),
  };
  return { sized, notional, margin, fee };
}

/** Quantity of the leg at this mark, in whole steps. */
function askedQuantity(leg: TradeLeg, mark: Decimal, totalUsd: string | null, step: Decimal): Decimal {
  const amount = dec(leg.amount);
  if (leg.mode === 'BASE') return floorTo(amount, step);
  const usd = leg.mode === 'USD' ? amount : amount.mul(totalUsd ?? 0);
  // Steps are counted at once: a quotient in base units would be of a hundred digits.
  return usd.divToInt(mark.mul(step)).mul(step);
}
