/**
 * Ratios of a basket. With w = a leg's share of gross notional (all legs sum to 1):
 *   weightRatio = Π price^(+w) over longs × Π price^(−w) over shorts
 *   price       = weighted geometric mean of the longs ÷ that of the shorts, weights normalised per side
 *
 * Ratios are statistics, not money: powers are taken at 22 significant digits and the answer has 12.
 */
import { Decimal as Base } from 'decimal.js';
import { type Decimal, dec, sum, text } from './decimal.ts';
import type { Side } from './model.ts';

const Ratio = Base.clone({ precision: 22 });
const FIGURES = 12;

export interface RatioLeg {
  readonly side: Side;
  /** Price; > 0 for a leg that counts. */
  readonly price: string;
  /** Notional in USD, ≥ 0; legs at 0 do not count. */
  readonly notional: string;
}

/** Weighted ratio of the legs; null when no leg counts. */
export function weightedRatio(legs: readonly RatioLeg[]): string | null {
  const counted = legs.filter((leg) => !dec(leg.notional).isZero() && !dec(leg.price).isZero());
  const gross = sum(counted.map((leg) => dec(leg.notional)));
  if (gross.isZero()) return null;
  const [only] = counted;
  if (only !== undefined && counted.length === 1) {
    // The weight of a single leg is 1, so that no power has to be taken.
    const price = new Ratio(only.price);
    return figures(only.side === 'BUY' ? price : new Ratio(1).div(price));
  }
  return rounded(
    counted.reduce((log, leg) => {
      const term = logOf(leg.price).mul(share(leg, gross));
      return leg.side === 'BUY' ? log.plus(term) : log.minus(term);
    }, new Ratio(0)),
  );
}

/** Long side's weighted geometric mean price ÷ the short side's; a missing side counts 1. null when no leg counts. */
export function basketPrice(legs: readonly RatioLeg[]): string | null {
  const counted = legs.filter((leg) => !dec(leg.notional).isZero() && !dec(leg.price).isZero());
  if (counted.length === 0) return null;
  const sideLog = (side: Side) => {
    const ofSide = counted.filter((leg) => leg.side === side);
    const gross = sum(ofSide.map((leg) => dec(leg.notional)));
    return ofSide.reduce((log, leg) => log.plus(logOf(leg.price).mul(share(leg, gross))), new Ratio(0));
  };
  return rounded(sideLog('BUY').minus(sideLog('SELL')));
}

/**
 * Π price^exponent over the terms, with 12 significant figures. Prices > 0; exponents signed decimals.
 * weightRatio is this product with the exponents ±w.
 */
export function powerProduct(
  terms: readonly { readonly price: string; readonly exponent: string }[],
): string {
  return rounded(
    terms.reduce((log, { price, exponent }) => log.plus(logOf(price).mul(new Ratio(exponent))), new Ratio(0)),
  );
}

/**
 * Logarithms by price, the longest known first: taking one is most of a ratio's work, and a reading of positions asks for
 * those of a few marks and entries again and again.
 */
const logs = new Map<string, Decimal>();
const LOGS_KEPT = 1_024;

function logOf(price: string): Decimal {
  const known = logs.get(price);
  if (known !== undefined) return known;
  const log = new Ratio(price).ln();
  for (const oldest of logs.keys()) {
    if (logs.size < LOGS_KEPT) break;
    logs.delete(oldest);
  }
  logs.set(price, log);
  return log;
}

function share(leg: RatioLeg, gross: Decimal): Decimal {
  return new Ratio(leg.notional).div(new Ratio(gross));
}

function rounded(log: Decimal): string {
  return figures(new Ratio(log).exp());
}

function figures(value: Decimal): string {
  return text(dec(value.toSignificantDigits(FIGURES).toFixed()));
}
