/** Conditions of triggers and rungs as measures on the legs of their baskets. */
import { type Condition, measureOf } from './condition-table.ts';
import type { Measure, PriceSource } from './measure.ts';
import type { Side } from './model.ts';
import type { WeightedLeg } from './power-measures.ts';
import { fail, ok, type Result } from './result.ts';

export type ConditionProblem =
  /** A PRICE condition names an instrument that is not a leg. */
  | { readonly kind: 'symbol_not_a_leg'; readonly symbol: string }
  /** A PRICE_RATIO condition on legs other than one long and one short. */
  | { readonly kind: 'needs_one_long_one_short' };

/** Legs combined with their weights, which are stored in a separate list in the same order. */
export function weightedLegs(
  legs: readonly { readonly symbol: string; readonly side: Side }[],
  weights: readonly string[],
): readonly WeightedLeg[] {
  return legs.map(({ symbol, side }, index) => ({ symbol, side, weight: weights[index] ?? '0' }));
}

export function conditionMeasure(
  condition: Condition,
  legs: readonly WeightedLeg[],
  source: PriceSource,
): Result<Measure, ConditionProblem> {
  const measure = measureOf(condition, legs, source);
  if (measure !== null) return ok(measure);
  return fail(
    'symbol' in condition
      ? { kind: 'symbol_not_a_leg', symbol: condition.symbol }
      : { kind: 'needs_one_long_one_short' },
  );
}
