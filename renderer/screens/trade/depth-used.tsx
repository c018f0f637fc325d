/** Share of the order books' depth within the max slippage that an order takes, in words. */
import Big from 'big.js';
import { Percent } from '../../components/amount.tsx';
import type { Plan } from './chart-lines.ts';
import { type DepthUse, mostUsed } from './depth-use.ts';

/** Smallest share shown as such: smaller ones would read as zero. */
const LEAST_SHARE = '0.0001';

/** `3.1 %`, `≤3.1 %`, `<0.01 %`: signs, since the table has no space for words. */
export function UsedShare({ use: { share, isAtMost } }: { readonly use: DepthUse }) {
  const isLittle = new Big(share).lt(LEAST_SHARE);
  return (
    <>
      {isLittle ? '<' : isAtMost && '≤'}
      <Percent value={isLittle ? LEAST_SHARE : share} digits={isLittle || new Big(share).lt('0.1') ? 2 : 0} />
    </>
  );
}

/** `uses 3.1 % within 1 % (ETH)`, or `uses over 100 %` of a book that is too small for the leg. For the review. */
export function DepthUsed({
  plan,
  slippage,
}: {
  readonly plan: Plan;
  /** Max slippage of the order, a fraction. */
  readonly slippage: string;
}) {
  const most = mostUsed(plan.legs);
  if (most === null) return null;
  return (
    <span title="USD of the leg ÷ USD that its order book offers no worse than its worst price; of several legs, the one that takes most">
      uses {most.use === null ? 'over 100 %' : <UsedShare use={most.use} />} within{' '}
      <Percent value={slippage} />
      {plan.legs.length > 1 && ` (${most.ticker})`}
    </span>
  );
}
