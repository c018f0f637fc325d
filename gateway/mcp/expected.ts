/** Expected fills of a plan by the order books, as a preview shows them. */
import { dec, text } from '../domain/decimal.ts';
import type { Answer } from './ask.ts';
import type { PreviewOut } from './preview-out.ts';

type ClosePlan = Answer<'POST /positions/:id/close/plan'>;
export type Totals = Pick<ClosePlan, 'expectedCost' | 'expectedSlippage'>;
type Figures = Pick<PreviewOut, 'expected_cost_usd' | 'expected_slippage_pct'>;

interface ExpectedLeg {
  readonly symbol: string;
  readonly quantity: string;
  readonly expected: {
    readonly fillable: string;
    readonly averagePrice: string | null;
    readonly isPartial: boolean;
  } | null;
}

export function expectedFigures({ expectedCost, expectedSlippage }: Totals): Figures {
  return {
    expected_cost_usd: expectedCost,
    expected_slippage_pct: expectedSlippage === null ? null : text(dec(expectedSlippage).mul(100)),
  };
}

/** Notes on legs of which the book holds less than they want. */
export function shortOf(legs: readonly ExpectedLeg[]): readonly string[] {
  return legs.flatMap(({ symbol, quantity, expected }) => {
    if (expected === null || dec(expected.fillable).gte(quantity)) return [];
    return [
      expected.isPartial
        ? `${symbol}: the known part of the order book holds ${expected.fillable} of ${quantity}; beyond it nothing is known`
        : `${symbol}: the order book holds ${expected.fillable} of ${quantity} inside the slippage; the rest would not fill`,
    ];
  });
}
