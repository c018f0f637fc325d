/**
 * Take-profit and stop-loss of a position: what each metric measures, which way it fires, and one-cancels-other.
 * Mark prices always. With s = +1 for a long leg and −1 for a short one, q = its quantity:
 *
 *   metric           measures                                              value means
 *   PERCENTAGE       100 × PnL ÷ entry gross notional                      take-profit +value %, stop-loss −value %
 *   DOLLAR           PnL = Σ s × (q × mark − entry notional)               take-profit +value USD, stop-loss −value USD
 *   POSITION_VALUE   entry gross notional + PnL: the entry's present value  the level itself, USD
 *   PRICE            the basket's price (long ÷ short side, weighted       the level itself
 *                    geometric means); for a basket of shorts alone the
 *                    price of the short side, not its inverse
 *   PRICE_RATIO      long price ÷ short price, one of each                 the level itself
 *   WEIGHTED_RATIO   the basket's weightRatio                              the level itself
 *
 * Every metric rises when the holder gains, except PRICE of a basket of shorts alone, which falls. A take-profit fires
 * on the gaining side of its level, a stop-loss on the losing side, strictly. Weights are shares of the entry
 * notional, so a level stays where it was put while prices move. `bracket-size.ts` moves levels with the size.
 */

import { type Decimal, dec, sum, text, textRounded } from './decimal.ts';
import { type Direction, isPast, type Measure, opposite } from './measure.ts';
import type { PositionLeg } from './model.ts';
import { priceRatioMeasure, weightedRatioMeasure } from './power-measures.ts';
import { fail, ok, type Result } from './result.ts';
import type { Bracket, BracketKind, BracketMetric, Trigger } from './trigger.ts';

export type BracketLeg = Pick<PositionLeg, 'symbol' | 'side' | 'quantity' | 'entryNotional'>;

export type BracketProblem =
  | { readonly kind: 'needs_one_long_one_short' }
  /** No leg is open, so no metric has a value. */
  | { readonly kind: 'position_flat' };

/** Direction in which the metric moves when the holder gains. */
export function gainDirection(metric: BracketMetric, legs: readonly Pick<BracketLeg, 'side'>[]): Direction {
  const shortsOnly = legs.every((leg) => leg.side === 'SELL');
  return metric === 'PRICE' && shortsOnly ? 'LESS_THAN' : 'MORE_THAN';
}

/** Side of the level on which a bracket without trailing fires. */
export function fireDirection(kind: BracketKind, gain: Direction): Direction {
  return kind === 'TAKE_PROFIT' ? gain : opposite(gain);
}

/** The level in the metric's own terms: a loss asked for as a positive number becomes a negative PnL. */
export function askedLevel(kind: BracketKind, bracket: Pick<Bracket, 'type' | 'value'>): string {
  const isPnl = bracket.type === 'PERCENTAGE' || bracket.type === 'DOLLAR';
  return kind === 'STOP_LOSS' && isPnl ? text(dec(bracket.value).neg()) : bracket.value;
}

/**
 * The measure that the bracket watches. `legs` are the open legs of the position; legs of quantity 0 do not count.
 */
export function bracketMeasure(
  metric: BracketMetric,
  legs: readonly BracketLeg[],
): Result<Measure, BracketProblem> {
  const open = legs.filter((leg) => !dec(leg.quantity).isZero());
  const cost = sum(open.map((leg) => dec(leg.entryNotional)));
  if (open.length === 0 || cost.isZero()) return fail({ kind: 'position_flat' });
  switch (metric) {
    case 'PERCENTAGE':
      return ok(pnlMeasure(open, dec(100), dec(0), cost));
    case 'DOLLAR':
      return ok(pnlMeasure(open, dec(1), dec(0), dec(1)));
    case 'POSITION_VALUE':
      return ok(pnlMeasure(open, dec(1), cost, dec(1)));
    case 'PRICE':
      return ok(basketPriceMeasure(open));
    case 'PRICE_RATIO': {
      const ratio = priceRatioMeasure(open, 'MARK');
      return ratio === null ? fail({ kind: 'needs_one_long_one_short' }) : ok(ratio);
    }
    case 'WEIGHTED_RATIO':
      return ok(
        weightedRatioMeasure(
          open.map((leg) => ({ ...leg, weight: textRounded(dec(leg.entryNotional).div(cost), 18) })),
          'MARK',
        ),
      );
  }
}

/**
 * True when the bracket would fire at once at `value`, the metric's present value: such a bracket is refused.
 */
export function isAlreadyCrossed(
  kind: BracketKind,
  bracket: Pick<Bracket, 'type' | 'value'>,
  gain: Direction,
  value: string,
): boolean {
  return isPast(value, fireDirection(kind, gain), askedLevel(kind, bracket));
}

/**
 * Which of a position's brackets fires when several are due on one tick (they may watch different metrics): the
 * stop-loss, because it exists to bound the loss; among equals the older one.
 */
export function firstToFire<One extends Pick<Trigger, 'id' | 'bracketType' | 'createdAt'>>(
  due: readonly One[],
): One | undefined {
  const rank = (one: One) => (one.bracketType === 'STOP_LOSS' ? 0 : 1);
  return [...due].sort((a, b) => rank(a) - rank(b) || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))[0];
}

/** (scale × PnL + constant) ÷ divisor as a linear measure of prices. */
function pnlMeasure(
  legs: readonly BracketLeg[],
  scale: Decimal,
  constant: Decimal,
  divisor: Decimal,
): Measure {
  const signed = (leg: BracketLeg, amount: string) =>
    (leg.side === 'BUY' ? dec(amount) : dec(amount).neg()).mul(scale);
  return {
    kind: 'linear',
    source: 'MARK',
    terms: legs.map((leg) => ({ symbol: leg.symbol, quantity: text(signed(leg, leg.quantity)) })),
    constant: text(constant.minus(sum(legs.map((leg) => signed(leg, leg.entryNotional))))),
    divisor: text(divisor),
  };
}

/** Weights are normalised per side; a lone leg of a side has the exponent ±1, so a pair is compared exactly. */
function basketPriceMeasure(legs: readonly BracketLeg[]): Measure {
  const shortsOnly = legs.every((leg) => leg.side === 'SELL');
  return {
    kind: 'power',
    source: 'MARK',
    terms: legs.flatMap((leg) => {
      const ofSide = legs.filter(({ side }) => side === leg.side);
      const share = textRounded(
        dec(leg.entryNotional).div(sum(ofSide.map(({ entryNotional }) => dec(entryNotional)))),
        18,
      );
      const rises = leg.side === 'BUY' || shortsOnly;
      if (share === '0') return [];
      return [{ symbol: leg.symbol, exponent: rises ? share : text(dec(share).neg()) }];
    }),
  };
}
