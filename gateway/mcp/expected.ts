/** Expected figures of a position change, from its plan, as a preview shows them. */
import { type Decimal, dec, sum, text, textRounded } from '../domain/decimal.ts';
import { afterOf } from './after.ts';
import { type Answer, Refused } from './ask.ts';
import type { PreviewOut } from './preview-out.ts';
import { protectionRows } from './protection.ts';
import type { ToolContext } from './tool.ts';

type ClosePlan = Answer<'POST /positions/:id/close/plan'>;
type Totals = Pick<ClosePlan, 'expectedCost' | 'expectedSlippage'>;
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

export interface ExpectedChange {
  readonly prices: ReadonlyMap<string, string>;
  readonly figures: Partial<Figures & Pick<PreviewOut, 'total_fee_usd' | 'account_after' | 'protection'>>;
  readonly notes: readonly string[];
}

const NOTHING: ExpectedChange = { prices: new Map(), figures: {}, notes: [] };

/** Figures of trades made now; nothing without trades or if the plan's route refuses: placing it gives the reason. */
export async function expectedOfChange(
  ask: ToolContext['ask'],
  accountId: string,
  { route, params, body }: { readonly route: string; readonly params?: unknown; readonly body: unknown },
): Promise<ExpectedChange> {
  const input = { account: accountId, params: params as { readonly id: string } };
  try {
    if (route === 'POST /positions/:id/close') {
      const { fraction, slippage } = body as { readonly fraction: string; readonly slippage: string };
      const plan = await ask('POST /positions/:id/close/plan', { ...input, body: { fraction, slippage } });
      return expectedOf([plan], plan.protection);
    }
    if (route === 'POST /positions/:id/adjust') {
      const { onLegFailure: _, ...asked } = body as { readonly onLegFailure: unknown };
      const { open, close, protection } = await ask('POST /positions/:id/adjust/plan', {
        ...input,
        body: asked as never,
      });
      return expectedOf(
        [open, close].filter((one) => one !== null),
        protection,
      );
    }
    if (route === 'POST /positions/:id/reverse') {
      const { slippage, brackets } = body as {
        readonly slippage: string;
        readonly brackets: 'CARRY' | 'DROP';
      };
      const { close, open, protection } = await ask('POST /positions/:id/reverse/plan', {
        ...input,
        body: { slippage, brackets },
      });
      return expectedOf([close, open], protection);
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
  return NOTHING;
}

/** Plans that go one after the other, of the same instruments. */
function expectedOf(
  plans: readonly (Totals &
    Pick<ClosePlan, 'after' | 'totalFee'> & { readonly legs: readonly ExpectedLeg[] })[],
  protection: ClosePlan['protection'],
): ExpectedChange {
  const legs = plans.flatMap((plan) => plan.legs);
  const paid = new Map<string, { quantity: Decimal; value: Decimal }>();
  for (const { symbol, expected } of legs) {
    if (expected === null || expected.averagePrice === null) continue;
    const before = paid.get(symbol) ?? { quantity: dec(0), value: dec(0) };
    paid.set(symbol, {
      quantity: before.quantity.plus(expected.fillable),
      value: before.value.plus(dec(expected.averagePrice).mul(expected.fillable)),
    });
  }
  const costs = plans.flatMap(({ expectedCost }) => (expectedCost === null ? [] : [dec(expectedCost)]));
  const isKnown = costs.length === plans.length;
  const [only] = plans;
  const slippage = plans.length === 1 && only !== undefined ? only.expectedSlippage : slippageOf(plans);
  return {
    prices: new Map(
      [...paid].map(([symbol, { quantity, value }]) => [symbol, textRounded(value.div(quantity), 12)]),
    ),
    figures: {
      total_fee_usd: text(sum(plans.map(({ totalFee }) => dec(totalFee)))),
      // Only the last plan counts: a plan that opens after a close covers the account after both.
      account_after: afterOf(plans.at(-1)?.after ?? null),
      protection: protectionRows(protection),
      ...(isKnown ? expectedFigures({ expectedCost: text(sum(costs)), expectedSlippage: slippage }) : {}),
    },
    notes: shortOf(legs),
  };
}

/** Slippage of several plans: their cost over their traded value at the marks, which is cost ÷ slippage of each. */
function slippageOf(plans: readonly Totals[]): string | null {
  let [cost, traded] = [dec(0), dec(0)];
  for (const { expectedCost, expectedSlippage } of plans) {
    if (expectedCost === null || expectedSlippage === null || dec(expectedSlippage).isZero()) return null;
    cost = cost.plus(expectedCost);
    traded = traded.plus(dec(expectedCost).div(expectedSlippage));
  }
  return textRounded(cost.div(traded), 12);
}
