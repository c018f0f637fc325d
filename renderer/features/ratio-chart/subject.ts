/**
 * The subject of a basket's chart, and its present value. Figures for drawing only: floats, never sent and never
 * summed.
 */
import type { Transformed } from './transform.ts';

export type ChartSubject =
  /** Long side's weighted geometric mean price ÷ the short side's; of a pair the price ratio. */
  | ({ readonly metric: 'PRICE_RATIO' } & AmongPast)
  /** Product of prices to the power of their signed weights. */
  | ({ readonly metric: 'WEIGHTED_RATIO' } & AmongPast)
  /** The price of one instrument. */
  | { readonly metric: 'PRICE'; readonly symbol: string };

interface AmongPast {
  /** Transform that is drawn instead of the ratio (`scale.ts`); left out: the ratio itself is drawn. */
  readonly among?: Transformed | undefined;
}

/** Transform of the subject; null: the subject itself is drawn. */
export function amongOf(subject: ChartSubject): Transformed | null {
  return subject.metric === 'PRICE' ? null : (subject.among ?? null);
}

export interface WeighedLeg {
  readonly id: string;
  readonly side: 'BUY' | 'SELL';
  /** Weight in any unit: only proportions count. */
  readonly weight: number;
}

/** True: both have the same measure, with or without a transform. */
export function sameSubject(a: ChartSubject, b: ChartSubject): boolean {
  if (a.metric === 'PRICE' || b.metric === 'PRICE') {
    return a.metric === 'PRICE' && b.metric === 'PRICE' && a.symbol === b.symbol;
  }
  return a.metric === b.metric;
}

/** Default subject: the price ratio for a basket with both sides, the price for one leg. */
export function usualSubject({ legs }: { readonly legs: readonly WeighedLeg[] }): ChartSubject {
  const [only] = legs;
  if (legs.length === 1 && only !== undefined) return { metric: 'PRICE', symbol: only.id };
  const both = legs.some(({ side }) => side === 'BUY') && legs.some(({ side }) => side === 'SELL');
  return { metric: both ? 'PRICE_RATIO' : 'WEIGHTED_RATIO' };
}

/**
 * Present value of the subject itself, at the given prices; null while a price is missing.
 * @param priceOf mark price of an instrument
 */
export function subjectValue(
  subject: ChartSubject,
  legs: readonly WeighedLeg[],
  priceOf: (id: string) => number | null,
): number | null {
  if (subject.metric === 'PRICE') return priceOf(subject.symbol);
  const whole = sideWeight(legs);
  if (legs.length === 0 || whole === 0) return null;
  let logarithm = 0;
  for (const leg of legs) {
    const price = priceOf(leg.id);
    if (price === null || !(price > 0)) return null;
    const of = subject.metric === 'WEIGHTED_RATIO' ? whole : sideWeight(legs, leg.side);
    if (of === 0) return null;
    logarithm += (leg.side === 'BUY' ? 1 : -1) * (leg.weight / of) * Math.log(price);
  }
  return Math.exp(logarithm);
}

export interface BestPrices {
  readonly bid: number;
  readonly ask: number;
}

/**
 * Prices at which the subject can be sold (bid) and bought (ask), by the best prices of its legs: buying the basket
 * buys long legs at their ask and sells short legs at their bid. null while a price is missing.
 */
export function subjectQuote(
  subject: ChartSubject,
  legs: readonly WeighedLeg[],
  bestOf: (id: string) => BestPrices | null,
): BestPrices | null {
  const sides = new Map(legs.map(({ id, side }) => [id, side]));
  const at = (way: 'bid' | 'ask') =>
    subjectValue(subject, legs, (id) => {
      const best = bestOf(id);
      // The price of one instrument is never inverted, whichever side its leg is on.
      const isTurned = subject.metric !== 'PRICE' && sides.get(id) === 'SELL';
      return best === null ? null : best[isTurned === (way === 'bid') ? 'ask' : 'bid'];
    });
  const [bid, ask] = [at('bid'), at('ask')];
  return bid === null || ask === null ? null : { bid, ask };
}

function sideWeight(legs: readonly WeighedLeg[], side?: 'BUY' | 'SELL'): number {
  return legs.reduce((sum, leg) => sum + (side === undefined || leg.side === side ? leg.weight : 0), 0);
}

/**
 * Gain per rise of the subject's logarithm by 1, as a share of the basket's gross notional, to the first order; null:
 * the subject does not follow the basket's PnL.
 *
 *   PnL ÷ gross ≈ Σ ± w × ln(p ÷ p₀), the logarithm of the weighted ratio. In the price ratio each side's weights
 *   add up to 1.
 */
export function pnlShare(subject: ChartSubject, legs: readonly WeighedLeg[]): number | null {
  if (subject.metric === 'WEIGHTED_RATIO') return 1;
  const whole = sideWeight(legs);
  const [long, short] = [sideWeight(legs, 'BUY'), sideWeight(legs, 'SELL')];
  if (whole === 0) return null;
  if (subject.metric === 'PRICE_RATIO') {
    if (short === 0 || long === 0) return 1;
    return Math.abs(long - short) / whole < 0.001 ? 0.5 : null;
  }
  const [only] = legs;
  if (legs.length !== 1 || only?.id !== subject.symbol) return null;
  return only.side === 'BUY' ? 1 : -1;
}
