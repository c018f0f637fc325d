/** Next funding payment of holdings, in exact decimals. */
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
  /** Unsigned, USD at the mark. */
  readonly notional: string;
}

/**
 * Next payment: of the legs that are due first, which on most venues are all of them.
 * @returns USD at present rates and marks, positive: the holder receives; null: a leg's rate is not known
 */
export function nextPayment(legs: readonly FundedLeg[], rates: Rates): string | null {
  const due: { readonly usd: Big; readonly at: number }[] = [];
  for (const { symbol, side, notional } of legs) {
    // A leg without notional pays nothing at any rate.
    if (Number(notional) === 0) continue;
    const funding = rates.get(symbol);
    if (funding === undefined) return null;
    // Longs pay a positive rate.
    const usd = new Big(notional).times(funding.rate).times(side === 'BUY' ? -1 : 1);
    due.push({ usd, at: Date.parse(funding.nextFundingTime) });
  }
  const first = Math.min(...due.map(({ at }) => at));
  return due
    .filter(({ at }) => at === first)
    .reduce((sum, { usd }) => sum.plus(usd), new Big(0))
    .toFixed();
}
