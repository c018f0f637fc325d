/** Measures that are products of prices: one price, a price ratio, a weighted ratio. */
import type { Measure, PowerTerm, PriceSource } from './measure.ts';
import type { Side } from './model.ts';

export interface WeightedLeg {
  readonly symbol: string;
  readonly side: Side;
  /** Share of gross notional, ≥ 0, canonical text of at most 18 decimals; all legs sum to 1. */
  readonly weight: string;
}

type Leg = Pick<WeightedLeg, 'symbol' | 'side'>;

/** The only one of `legs` on `side`; undefined: none, or several. */
export function onlyLeg<One extends Pick<Leg, 'side'>>(legs: readonly One[], side: Side): One | undefined {
  const ofSide = legs.filter((leg) => leg.side === side);
  return ofSide.length === 1 ? ofSide[0] : undefined;
}

export function priceMeasure(symbol: string, source: PriceSource): Measure {
  return { kind: 'power', source, terms: [{ symbol, exponent: '1' }] };
}

/** Long price ÷ short price; null without exactly one long and one short. */
export function priceRatioMeasure(legs: readonly Leg[], source: PriceSource): Measure | null {
  const long = onlyLeg(legs, 'BUY');
  const short = onlyLeg(legs, 'SELL');
  if (long === undefined || short === undefined) return null;
  return {
    kind: 'power',
    source,
    terms: [
      { symbol: long.symbol, exponent: '1' },
      { symbol: short.symbol, exponent: '-1' },
    ],
  };
}

/**
 * Π price^(+w) over longs × Π price^(−w) over shorts. Legs of weight 0 do not count. Weights have at most 18 decimals, so
 * no weight above 0 becomes 0 as a float.
 */
export function weightedRatioMeasure(legs: readonly WeightedLeg[], source: PriceSource): Measure {
  const terms: PowerTerm[] = [];
  for (const { symbol, side, weight } of legs) {
    if (Number(weight) === 0) continue;
    terms.push({ symbol, exponent: side === 'BUY' ? weight : `-${weight}` });
  }
  return { kind: 'power', source, terms };
}
