/**
 * Pure: divides a liquidation of a quantity that several baskets hold among these baskets.
 *
 * Invariants: the parts add up to the fill, quantity and fee, to the digit; no basket loses more than it holds.
 */
import { Decimal, dec, floorTo, sum, text, ZERO } from '../../domain/decimal.ts';

export interface LiquidationPart {
  /** Index of the holder; null: no holder has this part. */
  readonly holder: number | null;
  readonly quantity: string;
  readonly fee: string;
}

const FEE_PLACES = 18;

/**
 * Parts in proportion to each holder's quantity, in whole steps; steps left over by rounding go to the first holders
 * that can bear them.
 * @param held base units of each holder on the liquidated side, > 0
 */
export function liquidationParts(
  fill: { readonly quantity: string; readonly fee: string },
  held: readonly string[],
  stepSize: string,
): readonly LiquidationPart[] {
  const total = dec(fill.quantity);
  const shares = shareOut(total, held.map(dec), dec(stepSize));
  const rows: { readonly holder: number | null; readonly quantity: Decimal }[] = shares.map(
    (quantity, holder) => ({ holder, quantity }),
  );
  rows.push({ holder: null, quantity: total.minus(sum(shares)) });
  const parts = rows.filter(({ quantity }) => quantity.gt(0));
  let feeLeft = dec(fill.fee);
  return parts.map(({ holder, quantity }, index) => {
    const share = dec(fill.fee).mul(quantity).div(total).toDecimalPlaces(FEE_PLACES);
    const fee = index === parts.length - 1 ? feeLeft : share;
    feeLeft = feeLeft.minus(fee);
    return { holder, quantity: text(quantity), fee: text(fee) };
  });
}

function shareOut(total: Decimal, held: readonly Decimal[], step: Decimal): readonly Decimal[] {
  const heldTotal = sum(held);
  if (heldTotal.isZero()) return held;
  const taken = Decimal.min(total, heldTotal);
  const shares = held.map((quantity) => floorTo(taken.mul(quantity).div(heldTotal), step));
  let left = taken.minus(sum(shares));
  const give = (most: Decimal) => {
    for (const [index, quantity] of held.entries()) {
      const share = shares[index] ?? ZERO;
      const more = Decimal.min(left, most, quantity.minus(share));
      shares[index] = share.plus(more);
      left = left.minus(more);
    }
  };
  give(step);
  // Holdings may not be whole steps if the instrument's step size has changed; then more than one step may be left
  // over.
  give(left);
  return shares;
}
