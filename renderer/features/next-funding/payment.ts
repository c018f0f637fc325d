/** What holdings pay or receive as funding when it is settled next, in exact decimals. */
import Big from 'big.js';
import type { Answer } from '../../../gateway/client/client.ts';

type Funding = Pick<
  Answer<'GET /funding'>['funding'][number],
  'id' | 'rate' | 'intervalHours' | 'nextFundingTime'
>;

/** Instrument id → its funding. */
export type Rates = ReadonlyMap<string, Funding>;

export interface FundedLeg {
  /** Instrument id. */
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  /** At the mark, USD, not signed. */
  readonly notional: string;
}

export interface Payment {
  /** USD; positive: the holder receives. At the rate and the marks of now. */
  readonly usd: string;
  /** Epoch ms. */
  readonly at: number;
  readonly intervalHours: number;
}

/**
 * The next one: of the legs that are due first, which on most venues are all.
 * @returns null: nothing is held, or the venue does not tell the rate of a leg
 */
export function nextPayment(legs: readonly FundedLeg[], rates: Rates): Payment | null {
  const due: (Omit<Payment, 'usd'> & { readonly usd: Big })[] = [];
  for (const { symbol, side, notional } of legs) {
    if (Number(notional) === 0) continue;
    const funding = rates.get(symbol);
    if (funding === undefined) return null;
    const { rate, intervalHours, nextFundingTime } = funding;
    // Longs pay a positive rate.
    const usd = new Big(notional).times(rate).times(side === 'BUY' ? -1 : 1);
    due.push({ usd, at: Date.parse(nextFundingTime), intervalHours });
  }
  const at = Math.min(...due.map((one) => one.at));
  const first = due.filter((one) => one.at === at);
  const [one] = first;
  if (one === undefined) return null;
  return { ...one, usd: first.reduce((sum, { usd }) => sum.plus(usd), new Big(0)).toFixed() };
}
