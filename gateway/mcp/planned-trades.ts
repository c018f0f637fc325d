/** Trades of a position change at present prices, from the plan that its route has. */
import { type Decimal, dec, sum, text, textRounded } from '../domain/decimal.ts';
import type { TradeLeg } from '../domain/model.ts';
import { otherSide } from '../domain/position.ts';
import { afterOf } from './after.ts';
import { type Answer, type Ask, type AskInput, Refused } from './ask.ts';
import { expectedFigures, shortOf, type Totals } from './expected.ts';
import type { Draft } from './keep-preview.ts';
import { protectionRows } from './protection.ts';
import { worstPricesOf } from './worst-price.ts';

type ClosePlan = Answer<'POST /positions/:id/close/plan'>;
type OpenPlan = NonNullable<Answer<'POST /positions/:id/adjust/plan'>['open']>;
type Legs = Draft['legs'];

export interface PlannedTrades {
  readonly legs: Legs;
  /** Judged by the mandate. */
  readonly judged: readonly TradeLeg[];
  readonly figures: NonNullable<Draft['figures']>;
  readonly notes: readonly string[];
  /** Reasons why placing it would trade nothing. */
  readonly problems: readonly string[];
}

interface Where {
  readonly account: string;
  readonly params: { readonly id: string };
}

export const NO_TRADES: PlannedTrades = { legs: [], judged: [], figures: {}, notes: [], problems: [] };

/** @param isLater the close waits for a condition, or is sliced: the prices and problems of now are not its own */
export function closeTrades(
  ask: Ask,
  where: Where,
  body: { readonly fraction: string; readonly slippage: string },
  isLater: boolean,
): Promise<PlannedTrades> {
  return unlessRefused(async () => {
    const plan = await ask('POST /positions/:id/close/plan', { ...where, body });
    const problems = plan.legs.flatMap(problemOf);
    if (isLater) {
      const legs = withoutPrices(closing(plan));
      const notes = problems.map((problem) => `as of now: ${problem}`);
      return { ...untraded(legs, plan.protection), notes };
    }
    const trades = tradesOf([plan], plan.protection, closing(plan));
    // A whole close goes on with the legs that it can close, a part of it closes all legs or none.
    return dec(body.fraction).eq(1)
      ? { ...trades, notes: [...problems, ...trades.notes] }
      : { ...trades, problems };
  });
}

export function adjustTrades(
  ask: Ask,
  where: Where,
  body: NonNullable<AskInput<'POST /positions/:id/adjust/plan'>['body']>,
): Promise<PlannedTrades> {
  return unlessRefused(async () => {
    const { open, close, protection } = await ask('POST /positions/:id/adjust/plan', { ...where, body });
    if (open !== null) {
      const problems = open.problems.map(({ message }) => message);
      return { ...tradesOf([open], protection, opening(open)), problems };
    }
    if (close === null) return NO_TRADES;
    return { ...tradesOf([close], protection, closing(close)), problems: close.legs.flatMap(problemOf) };
  });
}

export function reversalTrades(
  ask: Ask,
  where: Where,
  body: { readonly slippage: string; readonly brackets: 'CARRY' | 'DROP' },
): Promise<PlannedTrades> {
  return unlessRefused(async () => {
    const { close, open, protection } = await ask('POST /positions/:id/reverse/plan', { ...where, body });
    const both = tradesOf([close, open], protection, [...closing(close), ...opening(open)]);
    // The closing half opens nothing, and the other one has its quantities.
    const judged = judgedOf(closing(close));
    const problems = [...close.legs.flatMap(problemOf), ...open.problems.map(({ message }) => message)];
    return { ...both, judged, problems };
  });
}

export function rebalanceTrades(
  ask: Ask,
  where: Where & { readonly venue: string; readonly slippage: string },
  body: NonNullable<AskInput<'POST /positions/:id/rebalance/plan'>['body']>,
): Promise<PlannedTrades> {
  const { venue, slippage, account, params } = where;
  return unlessRefused(async () => {
    const plan = await ask('POST /positions/:id/rebalance/plan', { account, params, body });
    const sent = plan.legs.filter(({ skipped }) => !skipped);
    const traded = sent.map(({ symbol, side, deltaQuantity }) => ({
      symbol,
      side: dec(deltaQuantity).isNegative() ? otherSide(side) : side,
    }));
    const worst = await worstPricesOf(ask, { venue }, traded, slippage);
    const legs = sent.map(({ symbol, deltaUsd, deltaQuantity }, index) => ({
      instrument: symbol,
      side: traded[index]?.side ?? 'BUY',
      quantity_base: text(dec(deltaQuantity).abs()),
      mark_usd: null,
      worst_price_usd: worst.get(symbol) ?? null,
      expected_price_usd: null,
      notional_usd: text(dec(deltaUsd).abs()),
      fee_usd: null,
    }));
    const why = plan.legs.flatMap(({ symbol, skipReason }) =>
      skipReason === null ? [] : [`${symbol} ${skipReason}`],
    );
    const nothing = ['nothing to rebalance', ...(why.length === 0 ? [] : [why.join(', ')])].join(': ');
    return { ...untraded(legs, plan.protection), problems: legs.length === 0 ? [nothing] : [] };
  });
}

/** A refused plan trades nothing; the refusal says why. @throws Refused where the request itself is wrong */
async function unlessRefused(plan: () => Promise<PlannedTrades>): Promise<PlannedTrades> {
  try {
    return await plan();
  } catch (error) {
    if (!(error instanceof Refused) || error.refusal.code === 'VALIDATION_ERROR') throw error;
    return { ...NO_TRADES, problems: [error.refusal.message] };
  }
}

function closing({ legs }: ClosePlan): Legs {
  return legs
    .filter(({ quantity }) => quantity !== '0')
    .map(({ symbol, side, quantity, markPrice, limitPrice, expected }) => ({
      instrument: symbol,
      side,
      quantity_base: quantity,
      mark_usd: markPrice,
      worst_price_usd: limitPrice,
      expected_price_usd: expected?.averagePrice ?? null,
      notional_usd: markPrice === null ? null : text(dec(markPrice).mul(quantity)),
      fee_usd: null,
    }));
}

export function opening({ legs }: Pick<OpenPlan, 'legs'>): Legs {
  return legs.map(({ symbol, side, quantity, price, limitPrice, expected, notional, fee }) => ({
    instrument: symbol,
    side,
    quantity_base: quantity,
    mark_usd: price,
    worst_price_usd: limitPrice,
    expected_price_usd: expected?.averagePrice ?? null,
    notional_usd: notional,
    fee_usd: fee,
  }));
}

/** Of an order that is sized and priced when it trades. */
export function withoutPrices(legs: Legs): Legs {
  return legs.map((leg) => ({ ...leg, worst_price_usd: null, expected_price_usd: null }));
}

function problemOf({ symbol, problem }: ClosePlan['legs'][number]): readonly string[] {
  return problem === null ? [] : [`${symbol}: ${problem.message}`];
}

function judgedOf(legs: Legs): readonly TradeLeg[] {
  return legs.map(({ instrument: symbol, side, quantity_base: amount }) => ({
    ...{ symbol, side, mode: 'BASE', amount },
  }));
}

function grossOf(legs: Legs): string | null {
  const known = legs.flatMap(({ notional_usd: notional }) => (notional === null ? [] : [dec(notional)]));
  return known.length === 0 ? null : text(sum(known));
}

/** Trades whose costs are not known. */
function untraded(legs: Legs, protection: ClosePlan['protection']): PlannedTrades {
  const figures = { gross_usd: grossOf(legs), protection: protectionRows(protection) };
  return { ...NO_TRADES, legs, judged: judgedOf(legs), figures };
}

/** @param plans one after the other, of the same instruments */
function tradesOf(
  plans: readonly (Totals &
    Pick<ClosePlan, 'after' | 'totalFee'> & { readonly legs: Parameters<typeof shortOf>[0] })[],
  protection: ClosePlan['protection'],
  legs: Legs,
): PlannedTrades {
  const costs = plans.flatMap(({ expectedCost }) => (expectedCost === null ? [] : [dec(expectedCost)]));
  const isKnown = costs.length === plans.length;
  const [only] = plans;
  const slippage = plans.length === 1 && only !== undefined ? only.expectedSlippage : slippageOf(plans);
  const basis = untraded(legs, protection);
  return {
    ...basis,
    figures: {
      ...basis.figures,
      total_fee_usd: text(sum(plans.map(({ totalFee }) => dec(totalFee)))),
      // Only the last plan counts: a plan that opens after a close covers the account after both.
      account_after: afterOf(plans.at(-1)?.after ?? null),
      ...(isKnown ? expectedFigures({ expectedCost: text(sum(costs)), expectedSlippage: slippage }) : {}),
    },
    notes: shortOf(plans.flatMap((plan) => plan.legs)),
  };
}

/** Slippage of several plans: their cost over their traded value at the marks, which is cost ÷ slippage of each. */
function slippageOf(plans: readonly Totals[]): string | null {
  let [cost, traded]: [Decimal, Decimal] = [dec(0), dec(0)];
  for (const { expectedCost, expectedSlippage } of plans) {
    if (expectedCost === null || expectedSlippage === null || dec(expectedSlippage).isZero()) return null;
    cost = cost.plus(expectedCost);
    traded = traded.plus(dec(expectedCost).div(expectedSlippage));
  }
  return textRounded(cost.div(traded), 12);
}
