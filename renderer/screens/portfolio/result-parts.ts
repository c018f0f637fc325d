/** Sums of the two breakdowns of a range: baskets count closed positions, instruments count every fill. */
import Big from 'big.js';
import type { Analytics } from './use-portfolio.ts';

/** USD, net of fees and funding, exact. */
export interface ResultParts {
  /** Positions closed in the range, over their whole life. */
  readonly closed: string;
  /**
   * All other results in the range: realised PnL of open positions, fees of their opening, and trades in no basket,
   * less the PnL that the closed positions had realised before the range.
   */
  readonly other: string;
  /** All fills and funding in the range: `closed` + `other`. */
  readonly all: string;
}

export function resultParts({ pairs, assets }: Pick<Analytics, 'pairs' | 'assets'>): ResultParts {
  const sum = (rows: readonly { readonly pnl: string }[]) =>
    rows.reduce((total, { pnl }) => total.plus(pnl), new Big(0));
  const [closed, all] = [sum(pairs), sum(assets)];
  return { closed: closed.toFixed(), other: all.minus(closed).toFixed(), all: all.toFixed() };
}
