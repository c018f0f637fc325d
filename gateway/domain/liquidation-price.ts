/**
 * Price of one instrument at which a venue of perpetuals liquidates a position, all other marks unchanged.
 *
 * Long: (q·m − (E − M')) / (q·(1 − r)); short: (|q|·m + (E − M')) / (|q|·(1 + r)), with E the value that backs the
 * position, M' the maintenance of the other positions on that value and r the maintenance rate of the position's tier.
 */
import { type Decimal, dec } from './decimal.ts';

/**
 * @param held signed base units, not zero; `backing` is E − M', USD; `rate` a decimal fraction
 * @returns null: no such price is above 0
 */
export function liquidationPrice(held: {
  readonly quantity: Decimal;
  readonly mark: Decimal;
  readonly rate: Decimal;
  readonly backing: Decimal;
}): Decimal | null {
  const { quantity, mark, rate, backing } = held;
  const size = quantity.abs();
  const notional = size.mul(mark);
  const price = quantity.isPositive()
    ? notional.minus(backing).div(size.mul(dec(1).minus(rate)))
    : notional.plus(backing).div(size.mul(dec(1).plus(rate)));
  return price.gt(0) ? price : null;
}
