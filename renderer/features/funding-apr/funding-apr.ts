/** Funding of a leg, and of a basket, as a yearly rate from the holder's side. */
import Big from 'big.js';
import { negated } from '../../components/format.ts';
import { type Basket, weightSum } from '../basket/basket.ts';
import type { Rates } from '../next-funding/payment.ts';

const HOURS_A_YEAR = 8_760;

/**
 * A decimal fraction of the leg's notional a year at this rate; positive: the holder receives.
 * @param rate decimal fraction per interval; positive: longs pay
 * @param hours of an interval
 */
export function fundingApr(rate: string, hours: number, side: 'BUY' | 'SELL'): string {
  return new Big(side === 'BUY' ? negated(rate) : rate).times(HOURS_A_YEAR).div(hours).toFixed();
}

/**
 * A decimal fraction of gross notional a year at these weights and the rates of now; positive: the holder receives. For the
 * eyes only.
 * @returns null: the rate of a leg is not known, or nothing is weighed
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
