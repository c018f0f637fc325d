/**
 * What the limit of an opening TWAP is typed as. The gateway takes a weighted ratio; head and chart of a pair speak of its
 * price ratio. Of a pair with the same dollars on both sides the one is the root of the other, whatever the prices do:
 *
 *   weighted ratio = long ^ ½ ÷ short ^ ½ = (long ÷ short) ^ ½
 *
 * At other weights a price ratio stands for no one weighted ratio: which it is depends on which leg moves.
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
/** Figures of a root that goes on for ever, and as many places as the contract takes. */
const FIGURES = 15;
const PLACES = 18;
/** Less than those: the square is what was typed, not a billionth beside it. */
const READ_FIGURES = 12;

/** The weighted ratio to send, a decimal. Text that is no number stays as it is, for the contract to refuse. */
export function sentLimit(typed: string, measure: LimitMeasure): string {
  const limit = typed.trim();
  if (measure === 'WEIGHTED_RATIO' || !TYPED.test(limit)) return limit;
  return new Big(limit).sqrt().prec(FIGURES).round(PLACES).toFixed();
}

/** The limit that was sent in the measure that it was typed in, a decimal. */
export function readLimit(sent: string, measure: LimitMeasure): string {
  return measure === 'WEIGHTED_RATIO' ? sent : new Big(sent).pow(2).prec(READ_FIGURES).toFixed();
}
