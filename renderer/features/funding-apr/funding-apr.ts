/** Funding of one leg as a yearly rate, from the holder's side. */
import Big from 'big.js';
import { negated } from '../../components/format.ts';

const HOURS_A_YEAR = 8_760;

/**
 * A decimal fraction of the leg's notional a year at this rate; positive: the holder receives.
 * @param rate decimal fraction per interval; positive: longs pay
 * @param hours of an interval
 */
export function fundingApr(rate: string, hours: number, side: 'BUY' | 'SELL'): string {
  return new Big(side === 'BUY' ? negated(rate) : rate).times(HOURS_A_YEAR).div(hours).toFixed();
}
