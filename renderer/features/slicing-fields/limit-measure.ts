/**
 * Measure in which the limit of an opening TWAP is typed. The gateway takes a weighted ratio; header and chart of a
 * pair show its price ratio. For a pair with the same dollars on both sides, one is the root of the other at any price:
 *
 *   weighted ratio = long ^ ½ ÷ short ^ ½ = (long ÷ short) ^ ½
 *
 * At other weights, one price ratio matches many weighted ratios, depending on which leg moves.
 */
import Big from 'big.js';
import { isPair } from '../../../gateway/domain/condition-table.ts';
import type { WeighedLeg } from '../ratio-chart/subject.ts';

export type LimitMeasure = 'PRICE_RATIO' | 'WEIGHTED_RATIO';

export const LIMIT_NAMES: Readonly<Record<LimitMeasure, string>> = {
  PRICE_RATIO: 'price ratio',
  WEIGHTED_RATIO: 'weighted ratio',
};

export function limitMeasure(legs: readonly WeighedLeg[]): LimitMeasure {
  const [one, other] = legs;
  return isPair(legs) && one?.weight === other?.weight ? 'PRICE_RATIO' : 'WEIGHTED_RATIO';
}

const TYPED = /^\d{1,20}(\.\d{1,18})?$/;
/** Significant figures of an endless root, and the most decimals that the contract accepts. */
const FIGURES = 15;
const PLACES = 18;
/** Fewer than those, so that the square is the typed number, not a billionth beside it. */
const READ_FIGURES = 12;

/** Weighted ratio to send, a decimal. Text that is not a number stays unchanged, for the contract to refuse. */
export function sentLimit(typed: string, measure: LimitMeasure): string {
  const limit = typed.trim();
  if (measure === 'WEIGHTED_RATIO' || !TYPED.test(limit)) return limit;
  return new Big(limit).sqrt().prec(FIGURES).round(PLACES).toFixed();
}

/** A sent limit in the measure in which it was typed, a decimal. */
export function readLimit(sent: string, measure: LimitMeasure): string {
  return measure === 'WEIGHTED_RATIO' ? sent : new Big(sent).pow(2).prec(READ_FIGURES).toFixed();
}
