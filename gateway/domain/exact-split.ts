/**
 * Splitting an amount so that the parts add up to it, to the last digit. Parts are multiples of `step` except the
 * last one, which also takes a rest smaller than a step.
 */
import { type Decimal, dec, floorTo, sum, ZERO } from './decimal.ts';

/** Parts are planned in whole cents. */
export const USD_STEP = dec('0.01');

/**
 * `total` in proportion to `weights` (> 0). Part i is floor(total × W_i ÷ W) minus the sum of the parts before it,
 * where W_i is the sum of the first i weights: what rounding cuts off goes into the next part, so errors do not
 * accumulate.
 */
export function splitByWeights(
  total: Decimal,
  weights: readonly Decimal[],
  step: Decimal,
): readonly Decimal[] {
  const whole = sum(weights);
  let weight = ZERO;
  let given = ZERO;
  return weights.map((own, index) => {
    weight = weight.plus(own);
    const reached = index === weights.length - 1 ? total : floorTo(total.mul(weight).div(whole), step);
    const part = reached.minus(given);
    given = reached;
    return part;
  });
}
