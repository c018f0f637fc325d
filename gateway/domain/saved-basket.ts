/** A basket that a trader keeps as a template: its name rules and its weight rule. */

import type { BasketLeg } from './basket.ts';
import { Decimal, ONE, text } from './decimal.ts';

export interface SavedBasketLeg extends BasketLeg {
  /** Share of the basket's gross notional, (0–1]: a JSON number, read as its shortest decimal text. */
  readonly weight: number;
}

export interface SavedBasket {
  readonly id: string;
  readonly tradeAccountId: string;
  readonly name: string;
  /** `nameKey(name)`: unique per trade account. */
  readonly nameKey: string;
  readonly legs: readonly SavedBasketLeg[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

/**
 * Digits of exact sums: a double's shortest text ends at the 340th decimal at the latest (numbers near 5e-324 have at
 * most 17 figures).
 */
const Weight = Decimal.clone({ precision: 400 });

/**
 * Key under which two names count as the same. Unicode caseless matching (Core Specification, D145), by full case
 * mapping.
 */
export function nameKey(name: string): string {
  return name.normalize('NFD').toUpperCase().toLowerCase().normalize('NFC');
}

/**
 * The sum of the weights, exactly, as their shortest decimal texts (what a client wrote, as far as a JSON number holds
 * it): 0.1 + 0.2 + 0.7 is 1 here, though it is not in binary.
 */
export function weightSum(legs: readonly SavedBasketLeg[]): string {
  return text(legs.reduce((total, { weight }) => total.plus(weight), new Weight(0)));
}

export function weighsOne(legs: readonly SavedBasketLeg[]): boolean {
  return ONE.eq(weightSum(legs));
}
