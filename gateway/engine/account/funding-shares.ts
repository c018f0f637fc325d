/**
 * Pure: divides a funding payment on the account's net position among the baskets by their quantities.
 *
 * Invariant: if the baskets add up to the quantity that the venue paid on, the shares add up to the venue's amount, to
 * the digit.
 */
import { type Decimal, dec, sum, text, ZERO } from '../../domain/decimal.ts';
import { PAID_ON } from '../../domain/portfolio.ts';
import { netOfLots, type UnassignedLot } from '../../domain/unassigned.ts';
import type { VenueFunding } from '../ports/venue.ts';

/** Decimals of the funding asset (USDC). The last share takes the rounding difference. */
const PLACES = 6;

/**
 * Share of each holder in USD, positive = received.
 * @param held signed base units of each holder when the payment was made
 */
export function fundingShares(
  payment: Pick<VenueFunding, 'amount' | 'quantity' | 'rate' | 'markPrice'>,
  held: readonly string[],
): readonly string[] {
  const paidOn = dec(payment.quantity);
  const shares = held.map((quantity) =>
    // Venues make no funding payment on a net position of zero. If one does, its amount cannot be divided by the net
    // quantity, so each basket gets what its own position would be charged: −q × mark × rate.
    paidOn.isZero()
      ? dec(quantity).mul(payment.markPrice).mul(payment.rate).neg().toDecimalPlaces(PLACES)
      : dec(payment.amount).mul(quantity).div(paidOn).toDecimalPlaces(PLACES),
  );
  const last = shares.length - 1;
  if (last >= 0 && !paidOn.isZero() && sum(held.map(dec)).eq(paidOn)) {
    shares[last] = dec(payment.amount).minus(sum(shares.slice(0, last)));
  }
  return shares.map((share) => text(share.eq(0) ? ZERO : share));
}

/**
 * Divides the rest of a payment, which was made on lots in no basket: dust gets a share by its quantity, outside
 * holdings the rest.
 * @param rest the payment minus the baskets' shares, USD; `lots` as held when the payment was made
 */
export function sharesOfLots(
  payment: Pick<VenueFunding, 'amount' | 'quantity'>,
  rest: Decimal,
  lots: readonly Pick<UnassignedLot, 'source' | 'quantity'>[],
): readonly (readonly [paidOn: string, amount: string])[] {
  const dust = netOfLots(lots.filter(({ source }) => source === 'DUST'));
  const isAllDust = lots.length > 0 && lots.every(({ source }) => source === 'DUST');
  const paidOn = dec(payment.quantity);
  const byQuantity = paidOn.isZero()
    ? ZERO
    : dec(payment.amount).mul(dust).div(paidOn).toDecimalPlaces(PLACES);
  const onDust = isAllDust ? rest : byQuantity;
  const shares = [
    [PAID_ON.DUST, onDust],
    [PAID_ON.OUTSIDE, rest.minus(onDust)],
  ] as const;
  return shares.flatMap(([on, amount]) => (amount.isZero() ? [] : [[on, text(amount)] as const]));
}
