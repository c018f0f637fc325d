/**
 * Measures that resting orders watch, of three kinds, and the exact decision whether a measure is beyond a level.
 *
 *   power   Π price^exponent: one price, a price ratio, a weighted ratio
 *   linear  (Σ quantity × price + constant) ÷ divisor: PnL in USD or percent, the value of a position
 *   figure  a percentage that a connector publishes: Bitcoin dominance, an outcome of a prediction market
 *
 * The log of a power is linear in log prices and a linear measure in prices, so an index can bound both with floats
 * and needs the exact decision for candidates only. Decisions are strict and exact: a quotient and a linear measure
 * are compared by multiplying out, without dividing. A product of fractional powers is irrational; its value is the 12
 * figures that the service shows (`ratio.ts`), and these figures are compared.
 */
import { type Decimal, dec, sum, text, ZERO } from './decimal.ts';
import type { DIRECTIONS, PRICE_SOURCES } from './enumerations.ts';
import { powerProduct } from './ratio.ts';

export type Direction = (typeof DIRECTIONS)[number];
/** Which of an instrument's prices is compared: `LAST` is the price of the latest trade. */
export type PriceSource = (typeof PRICE_SOURCES)[number];

export interface PowerTerm {
  readonly symbol: string;
  /** Signed exponent: + raises the measure when the price rises. Never 0. */
  readonly exponent: string;
}

export interface LinearTerm {
  readonly symbol: string;
  /** Signed quantity in base units; times 100 when the measure is a percentage. */
  readonly quantity: string;
}

export type Measure =
  | { readonly kind: 'power'; readonly source: PriceSource; readonly terms: readonly PowerTerm[] }
  | {
      readonly kind: 'linear';
      readonly source: PriceSource;
      readonly terms: readonly LinearTerm[];
      readonly constant: string;
      /** Divisor, > 0. */
      readonly divisor: string;
    }
  /** `name` is a feed's name, see feed.ts. */
  | { readonly kind: 'figure'; readonly name: string };

/** Prices and figures of one moment; undefined: the number is not known or is stale. */
export interface MarketFacts {
  price(symbol: string, source: PriceSource): string | undefined;
  /** Value of the feed `name`, in percent. */
  figure(name: string): string | undefined;
}

const VALUE_FIGURES = 18;
/** Error bound for a logarithm: far above float errors and rounding to 12 digits, far below a tick. */
const FLOAT_DOUBT = 1e-9;

/**
 * Present value of the measure, as shown: exact for a price, a feed or an undivided measure, else 18 (weighted: 12)
 * figures. Null: a price or figure is not known.
 */
export function measureValue(measure: Measure, facts: MarketFacts): string | null {
  const parts = fractionOf(measure, facts);
  if (parts === null) return null;
  const value = parts.numerator.div(parts.denominator);
  return text(parts.denominator.eq(1) ? parts.numerator : value.toSignificantDigits(VALUE_FIGURES));
}

/** True when the measure is strictly beyond `level` now; null while a number that it needs is not known. */
export function isBeyond(
  measure: Measure,
  direction: Direction,
  level: string,
  facts: MarketFacts,
): boolean | null {
  const parts = fractionOf(measure, facts);
  if (parts === null) return null;
  const bound = parts.denominator.mul(level);
  return direction === 'MORE_THAN' ? parts.numerator.gt(bound) : parts.numerator.lt(bound);
}

/**
 * False only where `isBeyond` cannot be true: a product of powers is so far from the level that floats are certain, at
 * a thousandth of the cost of decimals. True leaves the decision to decimals.
 */
export function mayBeBeyond(
  measure: Measure,
  direction: Direction,
  level: string,
  facts: MarketFacts,
): boolean {
  if (measure.kind !== 'power') return true;
  let log = 0;
  let gross = 1;
  for (const { symbol, exponent } of measure.terms) {
    const price = facts.price(symbol, measure.source);
    if (price === undefined) return false;
    const power = Number(exponent);
    log += power * Math.log(Number(price));
    gross += Math.abs(power);
  }
  const distance = log - Math.log(Number(level));
  const doubt = FLOAT_DOUBT * gross;
  // For a price or level of 0 or less the logarithm is not finite, and neither is the distance: nothing is certain
  // then.
  if (!Number.isFinite(distance)) return true;
  return direction === 'MORE_THAN' ? distance > -doubt : distance < doubt;
}

/** Strict comparison of a known value with a level. */
export function isPast(value: string, direction: Direction, level: string): boolean {
  return direction === 'MORE_THAN' ? dec(value).gt(level) : dec(value).lt(level);
}

export function opposite(direction: Direction): Direction {
  return direction === 'MORE_THAN' ? 'LESS_THAN' : 'MORE_THAN';
}

interface Fraction {
  readonly numerator: Decimal;
  readonly denominator: Decimal;
}

/** The measure as numerator and denominator (> 0), not divided, so that it stays exact. */
function fractionOf(measure: Measure, facts: MarketFacts): Fraction | null {
  switch (measure.kind) {
    case 'power':
      return powerFraction(measure.terms, (symbol) => facts.price(symbol, measure.source));
    case 'linear': {
      const parts: Decimal[] = [dec(measure.constant)];
      for (const term of measure.terms) {
        const price = facts.price(term.symbol, measure.source);
        if (price === undefined) return null;
        parts.push(dec(price).mul(term.quantity));
      }
      return { numerator: sum(parts), denominator: dec(measure.divisor) };
    }
    case 'figure':
      return whole(facts.figure(measure.name));
  }
}

function powerFraction(
  terms: readonly PowerTerm[],
  priceOf: (symbol: string) => string | undefined,
): Fraction | null {
  const priced: { price: string; exponent: string }[] = [];
  for (const { symbol, exponent } of terms) {
    const price = priceOf(symbol);
    // A price of 0 has no logarithm, and no market: it counts as not known.
    if (price === undefined || dec(price).lte(ZERO)) return null;
    priced.push({ price, exponent });
  }
  if (!priced.every(({ exponent }) => exponent === '1' || exponent === '-1')) {
    return whole(powerProduct(priced));
  }
  const product = (exponent: string) =>
    priced.reduce((all, term) => (term.exponent === exponent ? all.mul(term.price) : all), dec(1));
  return { numerator: product('1'), denominator: product('-1') };
}

function whole(value: string | undefined): Fraction | null {
  return value === undefined ? null : { numerator: dec(value), denominator: dec(1) };
}
