/** Funding of a leg or a basket as a yearly rate, from the holder's side. */
import Big from 'big.js';
import { negated } from '../../components/format.ts';
import { type Basket, weightSum } from '../basket/basket.ts';
import type { Rates } from '../next-funding/payment.ts';

const HOURS_A_YEAR = 8_760;

/**
 * Yearly funding as a decimal fraction of the leg's notional; positive: the holder receives.
 * @param rate decimal fraction per interval; positive: longs pay
 * @param hours length of an interval
 */
export function fundingApr(rate: string, hours: number, side: 'BUY' | 'SELL'): string {
  return new Big(side === 'BUY' ? negated(rate) : rate).times(HOURS_A_YEAR).div(hours).toFixed();
}

/**
 * Yearly funding as a decimal fraction of gross notional, at these weights and present rates; positive: the holder
 * receives. For display only.
 * @returns null: the rate of a leg is not known, or all weights are 0
 */
export function basketApr({ legs }: Pick<Basket, 'legs'>, rates: Rates | undefined): string | null {
  const whole = weightSum(legs);
  const yearly = legs.reduce<number | null>((sum, { id, side, weight }) => {
    const funding = rates?.get(id);
    if (sum === null || funding === undefined || whole === 0) return null;
    return sum + Number(fundingApr(funding.rate, funding.intervalHours, side)) * (weight / whole);
  }, 0);
  return yearly === null ? null : yearly.toFixed(10);
}
