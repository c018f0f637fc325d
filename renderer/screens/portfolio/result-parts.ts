/** How the two breakdowns of a range belong together: baskets count closed positions, instruments every fill. */
import Big from 'big.js';
import type { Analytics } from './use-portfolio.ts';

/** USD, net of fees and funding, exact. */
export interface ResultParts {
  /** Of the positions closed in the range, over their whole life. */
  readonly closed: string;
  /**
   * Of all else in the range: what open positions have realised, fees of their opening, trades in no basket; less what
   * the closed positions had realised before the range.
   */
  readonly other: string;
  /** Of all fills and funding in the range: `closed` + `other`. */
  readonly all: string;
}

export function resultParts({ pairs, assets }: Pick<Analytics, 'pairs' | 'assets'>): ResultParts {
  const sum = (rows: readonly { readonly pnl: string }[]) =>
    rows.reduce((total, { pnl }) => total.plus(pnl), new Big(0));
  const [closed, all] = [sum(pairs), sum(assets)];
  return { closed: closed.toFixed(), other: all.minus(closed).toFixed(), all: all.toFixed() };
}
