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

/** Of the leg that takes most of its book; null: no book is known. */
export function mostUsed(legs: readonly PlanLeg[]): (DepthUse & { readonly ticker: string }) | null {
  const known = legs.flatMap((leg) => {
    const use = depthUse(leg);
    return use === null ? [] : [{ ...use, ticker: leg.ticker }];
  });
  return known.reduce<(typeof known)[number] | null>(
    (most, one) => (most === null || new Big(one.share).gt(most.share) ? one : most),
    null,
  );
}
