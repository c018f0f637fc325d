/**
 * Protection in figures that a person can compare: level of a take-profit or stop-loss, its distance, and the
 * position's result at it. Pure.
 *
 *   resultUsd    PnL of the position when it fires, at the level, before fees, funding and slippage
 *     PERCENTAGE, DOLLAR, POSITION_VALUE   follows from the level
 *     PRICE and the ratios                 many prices make one ratio: estimated as if all legs moved by the same factor k,
 *                                          longs × k and shorts ÷ k, with k = (level ÷ now)^(1 ÷ Σ|exponent|)
 *   distancePct  PRICE and the ratios      how far the metric has to move, percent of its value now
 *     the others                           how far the PnL has to move, percent of the gross notional at the marks
 */
import { type BracketLeg, bracketMeasure } from './bracket.ts';
import { type Decimal, dec, sum, textRounded, ZERO } from './decimal.ts';
import { type MarketFacts, measureValue, type PowerTerm } from './measure.ts';
import { shownLevel } from './trailing.ts';
import type { ArmedBracket, BracketKind, BracketMetric } from './trigger.ts';

const USD_PLACES = 2;
const PERCENT_PLACES = 4;

export interface Protection {
  readonly kind: BracketKind;
  /** DOLLAR while a loss in USD replaces a level that needs a leg that is not held. */
  readonly metric: BracketMetric;
  /** Value of the metric; null: a price is not known, or the level is one of a transform. */
  readonly now: string | null;
  /** Level in the metric's unit, a loss negative; null: it cannot fire yet, or is one of a transform. */
  readonly firesAt: string | null;
  readonly distancePct: string | null;
  readonly resultUsd: string | null;
}

/** @param legs of the position; those of quantity 0 do not count */
export function protectionOf(
  kind: BracketKind,
  armed: ArmedBracket,
  legs: readonly BracketLeg[],
  facts: MarketFacts,
): Protection {
  const metric = armed.standIn === undefined ? armed.bracket.type : 'DOLLAR';
  const firesAt = armed.standIn ?? shownLevel(kind, armed);
  const open = legs.filter(({ quantity }) => quantity !== '0');
  const measure = bracketMeasure(metric, open);
  const isPlain = armed.bracket.transform === undefined;
  const now = measure.ok && isPlain ? measureValue(measure.value, facts) : null;
  const unknown = { kind, metric, now, firesAt, distancePct: null, resultUsd: null };
  if (!measure.ok || now === null || firesAt === null) return unknown;
  if (measure.value.kind === 'power') {
    if (dec(now).lte(0) || dec(firesAt).lte(0)) return unknown;
    const factor = dec(firesAt).div(now);
    const pnl = pnlOf(open, movedBy(factor, measure.value.terms, facts));
    return {
      ...unknown,
      distancePct: textRounded(factor.minus(1).abs().mul(100), PERCENT_PLACES),
      resultUsd: pnl === null ? null : textRounded(pnl, USD_PLACES),
    };
  }
  const entry = sum(open.map(({ entryNotional }) => dec(entryNotional)));
  const usd = (level: string) => usdOf(metric, dec(level), entry);
  const gross = grossOf(open, facts);
  return {
    ...unknown,
    distancePct: gross.isZero()
      ? null
      : textRounded(usd(firesAt).minus(usd(now)).abs().div(gross).mul(100), PERCENT_PLACES),
    resultUsd: textRounded(usd(firesAt), USD_PLACES),
  };
}

/** PnL in USD at a level of a metric that is linear in prices. */
function usdOf(metric: BracketMetric, level: Decimal, entry: Decimal): Decimal {
  if (metric === 'PERCENTAGE') return level.mul(entry).div(100);
  return metric === 'POSITION_VALUE' ? level.minus(entry) : level;
}

/** Mark of each instrument once the measure has moved by the factor. */
function movedBy(
  factor: Decimal,
  terms: readonly PowerTerm[],
  facts: MarketFacts,
): (symbol: string) => Decimal | null {
  const step = factor.pow(dec(1).div(sum(terms.map(({ exponent }) => dec(exponent).abs()))));
  return (symbol) => {
    const mark = facts.price(symbol, 'MARK');
    if (mark === undefined) return null;
    const exponent = terms.find((term) => term.symbol === symbol)?.exponent ?? '0';
    if (exponent === '0') return dec(mark);
    return exponent.startsWith('-') ? dec(mark).div(step) : dec(mark).mul(step);
  };
}

function pnlOf(legs: readonly BracketLeg[], priceOf: (symbol: string) => Decimal | null): Decimal | null {
  let total = ZERO;
  for (const { symbol, side, quantity, entryNotional } of legs) {
    const price = priceOf(symbol);
    if (price === null) return null;
    const gain = price.mul(quantity).minus(entryNotional);
    total = side === 'BUY' ? total.plus(gain) : total.minus(gain);
  }
  return total;
}

/** Gross notional at the marks, USD. A leg without a price counts with its entry. */
function grossOf(legs: readonly BracketLeg[], facts: MarketFacts): Decimal {
  return sum(
    legs.map(({ symbol, quantity, entryNotional }) => {
      const mark = facts.price(symbol, 'MARK');
      return mark === undefined ? dec(entryNotional) : dec(mark).mul(quantity);
    }),
  );
}
