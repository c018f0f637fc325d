/**
 * Market figures of a basket, from its legs' figures, at the canonical weights of basket.ts. With w = a leg's share of
 * gross notional:
 *   price        = geometric mean of the longs ÷ that of the shorts (a missing side counts 1): for a pair, the price ratio
 *   weightRatio  = Π price^(+w) over longs × Π price^(−w) over shorts: since each side weighs a half, √price; where there
 *                  is one side only, price
 *   change24h    = value ÷ value at the prices of 24 hours ago − 1
 *   netFunding   = Σ ±w × hourly rate (+ long, − short): positive means the holder pays
 *   volume24h, openInterest = the smallest leg's
 * Ratios are statistics: computed with 22 digits, returned with 12 significant figures.
 */
import { Decimal as Base } from 'decimal.js';
import { type Decimal, type DecimalString, dec, ONE, text } from './decimal.ts';
import type { FundingRate, MarketStats, Quote, Side, Tradeability, TradeabilityStatus } from './model.ts';

const Ratio = Base.clone({ precision: 22 });
/** Price of a side without legs: 1. */
const NO_PRICE = new Ratio(1);
const NO_FUNDING = new Ratio(0);
const FIGURES = 12;
const CHANGE_PLACES = 8;
const FUNDING_PLACES = 18;

/** Market data of one leg; undefined: the market has none yet, or none any more. */
export interface LegFigures {
  readonly side: Side;
  readonly quote: Quote | undefined;
  readonly funding: FundingRate | undefined;
  readonly stats: MarketStats | undefined;
}

/** Market figures of a basket; a figure is null where the venue's data for it are missing for a leg. */
export interface BasketFigures {
  readonly price: DecimalString | null;
  readonly priceChange24h: DecimalString | null;
  readonly weightRatio: DecimalString | null;
  readonly weightRatioChange24h: DecimalString | null;
  /** Net funding rate per hour. */
  readonly netFunding: DecimalString | null;
  /** Smallest 24-hour volume of a leg, USD. */
  readonly volume24h: DecimalString | null;
  /** Smallest open interest of a leg, USD. */
  readonly openInterest: DecimalString | null;
}

/**
 * Memoises `read` per object. A page has the same legs in many rows, and market data objects are replaced, never
 * changed.
 */
function once<Source extends object, Value>(read: (source: Source) => Value): (source: Source) => Value {
  const known = new WeakMap<Source, { readonly value: Value }>();
  return (source) => {
    const found = known.get(source);
    if (found !== undefined) return found.value;
    const value = read(source);
    known.set(source, { value });
    return value;
  };
}

const markOf = once((quote: Quote) => new Ratio(quote.mark));
const markBeforeOf = once((quote: Quote) => new Ratio(quote.price24hAgo));
const hourlyOf = once((funding: FundingRate) => new Ratio(funding.rate).div(funding.intervalHours));
const volumeOf = once((stats: MarketStats) => dec(stats.volume24h));
const interestOf = once((stats: MarketStats) => dec(stats.openInterest));

export function basketFigures(legs: readonly LegFigures[]): BasketFigures {
  const price = priceOf(legs, markOf);
  const before = priceOf(legs, markBeforeOf);
  const moved = price === null || before === null ? null : price.div(before);
  const isOneSided = legs.every(({ side }) => side === legs[0]?.side);
  const weighted = (value: Decimal | null) => (value === null || isOneSided ? value : root(value, 2));
  return {
    price: figures(price),
    priceChange24h: change(moved),
    weightRatio: figures(weighted(price)),
    weightRatioChange24h: change(weighted(moved)),
    netFunding: netFunding(legs),
    volume24h: smallest(legs, volumeOf),
    openInterest: smallest(legs, interestOf),
  };
}

/** Price of the basket; null: a leg's price is missing or 0. */
function priceOf(legs: readonly LegFigures[], of: (quote: Quote) => Decimal): Decimal | null {
  let [longs, shorts] = [0, 0];
  let [ofLongs, ofShorts] = [NO_PRICE, NO_PRICE];
  for (const { side, quote } of legs) {
    if (quote === undefined) return null;
    const price = of(quote);
    if (price.isZero()) return null;
    if (side === 'BUY') {
      longs += 1;
      ofLongs = longs === 1 ? price : ofLongs.mul(price);
    } else {
      shorts += 1;
      ofShorts = shorts === 1 ? price : ofShorts.mul(price);
    }
  }
  return root(ofLongs, longs).div(root(ofShorts, shorts));
}

/**
 * The nth root by one step of Newton's method from the floating-point root: the step doubles the root's 15 digits at a
 * thirtieth of the work of a logarithm and an exponential. A page needs hundreds of roots.
 * @param value > 0 and within the range of a double
 */
function root(value: Decimal, n: number): Decimal {
  if (n <= 1) return value;
  const guess = new Ratio(value.toNumber() ** (1 / n));
  const power = n === 2 ? guess : guess.pow(n - 1);
  return value
    .div(power)
    .plus(guess.mul(n - 1))
    .div(n);
}

function figures(value: Decimal | null): DecimalString | null {
  return value === null ? null : value.toSignificantDigits(FIGURES).toFixed();
}

/**
 * Change as a fraction.
 * @param moved value ÷ earlier value
 */
function change(moved: Decimal | null): DecimalString | null {
  if (moved === null) return null;
  return text(moved.minus(ONE).toDecimalPlaces(CHANGE_PLACES, Base.ROUND_HALF_EVEN));
}

/** Net funding rate per hour; null where a leg's rate is not known. */
function netFunding(legs: readonly LegFigures[]): DecimalString | null {
  let [longs, shorts] = [0, 0];
  let [ofLongs, ofShorts] = [NO_FUNDING, NO_FUNDING];
  for (const { side, funding } of legs) {
    if (funding === undefined) return null;
    if (side === 'BUY') {
      longs += 1;
      ofLongs = ofLongs.plus(hourlyOf(funding));
    } else {
      shorts += 1;
      ofShorts = ofShorts.plus(hourlyOf(funding));
    }
  }
  // Mean rate of each side × the side's weight: a half each, or 1 where there is one side only.
  const [perLong, perShort] = longs === 0 || shorts === 0 ? [longs, shorts] : [2 * longs, 2 * shorts];
  const paid = ofLongs.div(Math.max(1, perLong)).minus(ofShorts.div(Math.max(1, perShort)));
  return text(paid.toDecimalPlaces(FUNDING_PLACES, Base.ROUND_HALF_EVEN));
}

function smallest(legs: readonly LegFigures[], of: (stats: MarketStats) => Decimal): DecimalString | null {
  let least: Decimal | null = null;
  for (const { stats } of legs) {
    if (stats === undefined) return null;
    const value = of(stats);
    if (least === null || value.lt(least)) least = value;
  }
  return least === null ? null : text(least);
}

const RANK: Readonly<Record<TradeabilityStatus, number>> = { tradable: 0, reduce_only: 1, not_tradable: 2 };

/**
 * Tradeability of the basket's least tradable leg.
 * @param legs in order; `tradeability` null: the connector does not list the instrument (any more)
 */
export function basketTradeability(
  legs: readonly { readonly symbol: string; readonly tradeability: Tradeability | null }[],
): Tradeability {
  let worst: Tradeability = { status: 'tradable', reason: null };
  for (const { symbol, tradeability } of legs) {
    const own: Tradeability = tradeability ?? { status: 'not_tradable', reason: 'not listed' };
    if (RANK[own.status] <= RANK[worst.status]) continue;
    worst = { status: own.status, reason: own.reason === null ? symbol : `${symbol}: ${own.reason}` };
  }
  return worst;
}
