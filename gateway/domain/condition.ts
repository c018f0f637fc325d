/**
 * Conditions of triggers and rungs, as the measures that they compare (completions of the service, "Triggers").
 *
 *   PRICE, CROSS_ASSET_PRICE     price of one instrument
 *   PRICE_RATIO                  long price ÷ short price
 *   WEIGHTED_RATIO               Π price^(+w) over longs × Π price^(−w) over shorts, w = share of gross notional, Σw = 1
 *   BTC_DOM                      Bitcoin dominance, percent
 *   PREDICTION_MARKET_OUTCOME    probability, percent
 *
 * Weights are those of the moment when the trigger was made: were they to move with prices, the level would move too.
 */
import { isBeyond, type MarketFacts, type Measure, type PowerTerm } from './measure.ts';
import type { Side } from './model.ts';
import { fail, ok, type Result } from './result.ts';
import { type Condition, onlyLeg, type PriceSource } from './trigger.ts';

export interface WeightedLeg {
  readonly symbol: string;
  readonly side: Side;
  /** Share of gross notional, ≥ 0, canonical text of at most 18 decimals; all legs sum to 1. */
  readonly weight: string;
}

export type ConditionProblem =
  /** PRICE of an instrument that is not a leg. */
  | { readonly kind: 'symbol_not_a_leg'; readonly symbol: string }
  /** PRICE_RATIO of anything but one long and one short. */
  | { readonly kind: 'needs_one_long_one_short' };

/** Legs with the weights stored beside them, joined by place. */
export function weightedLegs(
  legs: readonly { readonly symbol: string; readonly side: Side }[],
  weights: readonly string[],
): readonly WeightedLeg[] {
  return legs.map(({ symbol, side }, index) => ({ symbol, side, weight: weights[index] ?? '0' }));
}

export function conditionMeasure(
  condition: Condition,
  legs: readonly WeightedLeg[],
  source: PriceSource,
): Result<Measure, ConditionProblem> {
  switch (condition.type) {
    case 'PRICE':
      return legs.some((leg) => leg.symbol === condition.symbol)
        ? ok(priceMeasure(condition.symbol, source))
        : fail({ kind: 'symbol_not_a_leg', symbol: condition.symbol });
    case 'CROSS_ASSET_PRICE':
      return ok(priceMeasure(condition.symbol, source));
    case 'PRICE_RATIO':
      return priceRatioMeasure(legs, source);
    case 'WEIGHTED_RATIO':
      return ok(weightedRatioMeasure(legs, source));
    case 'BTC_DOM':
      return ok({ kind: 'dominance' });
    case 'PREDICTION_MARKET_OUTCOME':
      return ok({
        kind: 'probability',
        source: condition.source,
        marketKey: condition.marketKey,
      });
  }
}

/** True when the condition holds now; null while a number that it needs is not known. */
export function conditionHolds(
  condition: Condition,
  legs: readonly WeightedLeg[],
  source: PriceSource,
  facts: MarketFacts,
): Result<boolean | null, ConditionProblem> {
  const measure = conditionMeasure(condition, legs, source);
  if (!measure.ok) return measure;
  return ok(isBeyond(measure.value, condition.direction, condition.value, facts));
}

export function priceMeasure(symbol: string, source: PriceSource): Measure {
  return { kind: 'power', source, terms: [{ symbol, exponent: '1' }] };
}

export function priceRatioMeasure(
  legs: readonly { readonly symbol: string; readonly side: Side }[],
  source: PriceSource,
): Result<Measure, { readonly kind: 'needs_one_long_one_short' }> {
  const long = onlyLeg(legs, 'BUY');
  const short = onlyLeg(legs, 'SELL');
  if (long === undefined || short === undefined) return fail({ kind: 'needs_one_long_one_short' });
  return ok({
    kind: 'power',
    source,
    terms: [
      { symbol: long.symbol, exponent: '1' },
      { symbol: short.symbol, exponent: '-1' },
    ],
  });
}

/** Legs of weight 0 do not count. Weights have at most 18 decimals, so none that is not 0 becomes 0 as a float. */
export function weightedRatioMeasure(legs: readonly WeightedLeg[], source: PriceSource): Measure {
  const terms: PowerTerm[] = [];
  for (const { symbol, side, weight } of legs) {
    if (Number(weight) === 0) continue;
    terms.push({ symbol, exponent: side === 'BUY' ? weight : `-${weight}` });
  }
  return { kind: 'power', source, terms };
}
