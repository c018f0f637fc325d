/** Cost of closing several positions together. */
import Big from 'big.js';
import type { ExpectedCost } from '../../features/expected-cost/expected-cost.tsx';
import { sumOf } from './position-sums.ts';

export interface TogetherCost extends ExpectedCost {
  /** USD, positive: paid. */
  readonly totalFee: string;
}

type CostOfClose = Omit<TogetherCost, 'legs'> & {
  readonly legs: readonly (TogetherCost['legs'][number] & { readonly markPrice: string | null })[];
};

/** Costs of all closes; null: one is unknown. The expected cost is null if a book is unknown. */
export function togetherCost(plans: readonly (CostOfClose | null)[]): TogetherCost | null {
  const known = plans.filter((plan) => plan !== null);
  if (known.length < plans.length || known.length === 0) return null;
  const legs = known.flatMap((plan) => plan.legs);
  const costs = known.map(({ expectedCost }) => expectedCost).filter((cost) => cost !== null);
  const expectedCost = costs.length < known.length ? null : sumOf(costs, (cost) => cost);
  const filled = legs.reduce((sum, { markPrice, quantity, expected }) => {
    const fillable = new Big(expected?.fillable ?? 0);
    return sum.plus(new Big(markPrice ?? 0).times(fillable.lt(quantity) ? fillable : quantity));
  }, new Big(0));
  return {
    legs,
    expectedCost,
    expectedSlippage:
      expectedCost === null || filled.eq(0) ? null : new Big(expectedCost).div(filled).toFixed(),
    totalFee: sumOf(known, ({ totalFee }) => totalFee),
  };
}
