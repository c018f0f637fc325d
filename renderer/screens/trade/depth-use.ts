/** How much of what the order books offer within the max slippage an order takes. */
import Big from 'big.js';
import type { Plan } from './chart-lines.ts';

type PlanLeg = Pick<Plan['legs'][number], 'ticker' | 'quantity'> & {
  readonly expected: Pick<
    NonNullable<Plan['legs'][number]['expected']>,
    'averagePrice' | 'depth' | 'fillable' | 'isPartial'
  > | null;
};

export interface DepthUse {
  /** Fraction of the dollars that the book offers no worse than the worst price. */
  readonly share: string;
  /** The venue does not tell all of the book as far as that price: the share is smaller, if anything. */
  readonly isAtMost: boolean;
}

/** null: no book is known, or it does not hold the leg, which is said as such. */
export function depthUse({ quantity, expected }: PlanLeg): DepthUse | null {
  if (expected?.averagePrice == null || !new Big(expected.depth).gt(0)) return null;
  if (new Big(expected.fillable).lt(quantity)) return null;
  const share = new Big(quantity).times(expected.averagePrice).div(expected.depth);
  return { share: share.toFixed(), isAtMost: expected.isPartial };
}

/** Its book is known as far as the worst price, and does not hold the leg. */
const isThin = ({ quantity, expected }: PlanLeg) =>
  expected !== null && !expected.isPartial && new Big(expected.fillable).lt(quantity);

export interface MostUsed {
  readonly ticker: string;
  /** null: more than all of its book. */
  readonly use: DepthUse | null;
}

/** Of the leg that takes most of its book; null: it is not known of every leg, and the one that is not may be that. */
export function mostUsed(legs: readonly PlanLeg[]): MostUsed | null {
  const thin = legs.find(isThin);
  if (thin !== undefined) return { ticker: thin.ticker, use: null };
  let most: { readonly ticker: string; readonly use: DepthUse } | null = null;
  for (const leg of legs) {
    const use = depthUse(leg);
    if (use === null) return null;
    if (most === null || new Big(use.share).gt(most.use.share)) most = { ticker: leg.ticker, use };
  }
  return most;
}
