/** Venue rules of price and quantity: tick, significant figures, step. Pure decimal arithmetic. */
import { ceilTo, type Decimal, dec, floorTo, ONE } from './decimal.ts';
import type { Instrument, Side } from './model.ts';

type PriceRule = Pick<Instrument, 'tickSize' | 'maxSignificantFigures'>;

/**
 * Smallest price step valid near `price` (> 0): the tick, or where the venue counts significant figures the coarser of
 * the tick and the last allowed figure. Whole numbers are always allowed, so that step is never above 1.
 */
export function tickAt(price: Decimal, rule: PriceRule): Decimal {
  const tick = dec(rule.tickSize);
  if (rule.maxSignificantFigures === null) return tick;
  const byFigures = dec(10).pow(price.e - rule.maxSignificantFigures + 1);
  const figureStep = byFigures.gt(ONE) ? ONE : byFigures;
  return tick.gt(figureStep) ? tick : figureStep;
}

/** True when `price` is one the venue accepts. */
export function isValidPrice(price: Decimal, rule: PriceRule): boolean {
  return price.gt(0) && price.mod(tickAt(price, rule)).isZero();
}

/**
 * The worst price an IOC may fill at: mark ± slippage, rounded towards the mark so that rounding never widens it.
 * @param slippage decimal fraction, 0.01 = 1 %
 */
export function limitPrice(mark: Decimal, side: Side, slippage: Decimal, rule: PriceRule): Decimal {
  if (side === 'BUY') {
    const worst = mark.mul(ONE.plus(slippage));
    return floorTo(worst, tickAt(worst, rule));
  }
  const worst = mark.mul(ONE.minus(slippage));
  return ceilTo(worst, tickAt(worst, rule));
}
