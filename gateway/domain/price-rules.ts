/** Venue rules of price and quantity: tick, significant figures, step. Pure decimal arithmetic. */
import { ceilTo, Decimal, type DecimalString, dec, floorTo, ONE } from './decimal.ts';
import type { Instrument, Quote, Side } from './model.ts';

type PriceRule = Pick<Instrument, 'tickSize' | 'maxSignificantFigures'>;

/**
 * Smallest price step valid near `price` (> 0): the tick, or where the venue counts significant figures the coarser of
 * the tick and the last allowed figure. Whole numbers are always allowed, so that step is never above 1.
 */
export function tickAt(price: Decimal, rule: PriceRule): Decimal {
  const tick = dec(rule.tickSize);
  if (rule.maxSignificantFigures === null) return tick;
  const byFigures = dec(`1e${price.e - rule.maxSignificantFigures + 1}`);
  const figureStep = byFigures.gt(ONE) ? ONE : byFigures;
  return tick.gt(figureStep) ? tick : figureStep;
}

/** True when `price` is one the venue accepts. */
export function isValidPrice(price: Decimal, rule: PriceRule): boolean {
  return price.gt(0) && price.mod(tickAt(price, rule)).isZero();
}

type BandRule = PriceRule & Pick<Instrument, 'priceBand'>;

/**
 * The worst price an IOC may fill at: mark ± slippage, rounded towards the mark so that rounding never widens it, and
 * inside the venue's band where that reaches the mark.
 * @param slippage decimal fraction, 0.01 = 1 %
 * @param index see `insideBand`; left out: only the mark counts
 */
export function limitPrice(
  mark: Decimal,
  side: Side,
  slippage: Decimal,
  rule: BandRule,
  index?: DecimalString,
): Decimal {
  const worst = mark.mul(side === 'BUY' ? ONE.plus(slippage) : ONE.minus(slippage));
  return insideBand(onTick(worst, side, rule), side, mark, index, rule);
}

/**
 * The limit itself, or the nearest one that the venue's band allows, which is never a worse one for its owner. Venues
 * measure their bands from the mark or from the index, so both are kept. If the band does not reach the mark, the limit
 * stays: an order at the band's edge would fill nothing, and the venue decides about closes.
 */
export function insideBand(
  limit: Decimal,
  side: Side,
  mark: Decimal,
  index: DecimalString | undefined,
  rule: BandRule,
): Decimal {
  const edge = bandEdge(side, mark, index, rule);
  if (edge === null || (side === 'BUY' ? limit.lte(edge) : limit.gte(edge))) return limit;
  return isShort(side, edge, mark) ? limit : onTick(edge, side, rule);
}

/** True: the venue refuses the limit, too high or too low: mark and index are apart. */
export function isOutsideBand(
  limit: Decimal,
  { mark, index }: Pick<Quote, 'mark' | 'index'>,
  rule: Pick<Instrument, 'priceBand'>,
): boolean {
  if (rule.priceBand === null) return false;
  const [highest, lowest] = (['BUY', 'SELL'] as const).map((side) => bandEdge(side, dec(mark), index, rule));
  return highest != null && lowest != null && (limit.gt(highest) || limit.lt(lowest));
}

/**
 * The limit, but no worse than `agreed`, the worst price that a person was shown: on the tick, and the limit itself where
 * the market is beyond it, so that the caller sees that nothing can be sent at such a price.
 */
export function noWorseThan(
  agreed: Decimal,
  limit: Decimal,
  side: Side,
  mark: Decimal,
  rule: PriceRule,
): Decimal {
  const bound = onTick(agreed, side, rule);
  if (isShort(side, bound, mark)) return limit;
  return side === 'BUY' ? Decimal.min(limit, bound) : Decimal.max(limit, bound);
}

function isShort(side: Side, edge: Decimal, mark: Decimal): boolean {
  return side === 'BUY' ? edge.lt(mark) : edge.gt(mark);
}

/** Highest price of a purchase, lowest of a sale; null: any. */
function bandEdge(
  side: Side,
  mark: Decimal,
  index: DecimalString | undefined,
  { priceBand }: Pick<Instrument, 'priceBand'>,
): Decimal | null {
  if (priceBand === null) return null;
  const other = index ?? mark;
  return side === 'BUY'
    ? Decimal.min(mark, other).mul(ONE.plus(priceBand))
    : Decimal.max(mark, other).mul(ONE.minus(priceBand));
}

/** Next price that the venue accepts, in the direction that is better for the trader. */
export function onTick(price: Decimal, side: Side, rule: PriceRule): Decimal {
  return side === 'BUY' ? floorTo(price, tickAt(price, rule)) : ceilTo(price, tickAt(price, rule));
}
