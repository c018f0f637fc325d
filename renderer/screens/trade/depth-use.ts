/** Share of the order books' depth within the max slippage that an order takes. */
import Big from 'big.js';
import type { Plan } from './chart-lines.ts';

type PlanLeg = Pick<Plan['legs'][number], 'ticker' | 'quantity'> & {
  readonly expected: Pick<
    NonNullable<Plan['legs'][number]['expected']>,
    'averagePrice' | 'depth' | 'fillable' | 'isPartial'
  > | null;
};

export interface DepthUse {
  /** Share of the dollars that the book offers up to the worst price, a fraction. */
  readonly share: string;
  /** True: the venue reports only part of the book up to that price, so the real share may be smaller. */
  readonly isAtMost: boolean;
}

/** null: the book is not known, or it is too small for the leg, which is shown separately. */
export function depthUse({ quantity, expected }: PlanLeg): DepthUse | null {
  if (expected?.averagePrice == null || !new Big(expected.depth).gt(0)) return null;
  if (new Big(expected.fillable).lt(quantity)) return null;
  const share = new Big(quantity).times(expected.averagePrice).div(expected.depth);
  return { share: share.toFixed(), isAtMost: expected.isPartial };
}

/** True: the book is known up to the worst price, and is too small for the leg. */
const isThin = ({ quantity, expected }: PlanLeg) =>
  expected !== null && !expected.isPartial && new Big(expected.fillable).lt(quantity);

export interface MostUsed {
  readonly ticker: string;
  /** null: more than its whole book. */
  readonly use: DepthUse | null;
}

/** Leg that takes the largest share of its book; null: a share is unknown, and it may be the largest. */
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
