/**
 * Notional at the worst price that an order allows, by which mandates are judged: quantity × max(mark, limit). A fill
 * costs no more, so a limit that holds here holds for any move of the market before the fill. A sale above its mark
 * counts at the mark: it opened as much as was judged, at a better price.
 */
import { Decimal, type DecimalString, dec } from './decimal.ts';
import type { Execution, Order, TradeLeg } from './model.ts';
import { isAbove, NOTHING, onePlus, plus, type Scaled, scaled, times } from './scaled.ts';

/** @param mark null: no price is known, and the limit alone counts */
export function worstUsd(
  quantity: Decimal,
  limit: DecimalString | null,
  mark: DecimalString | null,
): Decimal {
  return quantity.mul(Decimal.max(mark ?? 0, limit ?? 0));
}

/** Worst-price notional of a leg before it is sized. A share counts as its part of the total; without a mark BASE is 0. */
export function worstOfLeg(
  { side, mode, amount }: Pick<TradeLeg, 'side' | 'mode' | 'amount'>,
  totalUsd: DecimalString | null,
  slippage: Scaled,
  mark: DecimalString | null,
): Scaled {
  const asked = scaled(amount);
  const unit = mode === 'WEIGHT' ? totalUsd : mark;
  const atMark = mode === 'USD' ? asked : unit === null ? NOTHING : times(asked, scaled(unit));
  return side === 'BUY' ? times(atMark, onePlus(slippage)) : atMark;
}

/**
 * The sum of `worstOfLeg` over the legs of a trade, with common factors multiplied once.
 * @param markOf null: no mark is known
 */
export function worstOfTrade(
  legs: readonly Pick<TradeLeg, 'symbol' | 'side' | 'mode' | 'amount'>[],
  totalUsd: DecimalString | null,
  slippage: Scaled,
  markOf: (symbol: string) => DecimalString | null,
): Scaled {
  let [bought, sold, boughtShares, soldShares] = [NOTHING, NOTHING, NOTHING, NOTHING];
  for (const { symbol, side, mode, amount } of legs) {
    const isBuy = side === 'BUY';
    if (mode === 'WEIGHT') {
      if (isBuy) boughtShares = plus(boughtShares, scaled(amount));
      else soldShares = plus(soldShares, scaled(amount));
      continue;
    }
    const mark = mode === 'BASE' ? markOf(symbol) : null;
    const usd =
      mode === 'USD' ? scaled(amount) : mark === null ? NOTHING : times(scaled(amount), scaled(mark));
    if (isBuy) bought = plus(bought, usd);
    else sold = plus(sold, usd);
  }
  if (totalUsd !== null) {
    const whole = scaled(totalUsd);
    if (boughtShares !== NOTHING) bought = plus(bought, times(boughtShares, whole));
    if (soldShares !== NOTHING) sold = plus(sold, times(soldShares, whole));
  }
  return bought === NOTHING ? sold : plus(times(bought, onePlus(slippage)), sold);
}

/** USD that an execution has opened: fills of its orders that are not reduce-only; none if it closes. */
function openedUsd({ orders, intent }: Pick<Execution, 'orders' | 'intent'>): Scaled {
  let opened = NOTHING;
  if (intent !== 'OPEN' && intent !== 'ADJUST') return opened;
  for (const { reduceOnly, filledQuantity, averagePrice } of orders)
    if (!reduceOnly && averagePrice !== null && filledQuantity !== '0')
      opened = plus(opened, times(scaled(filledQuantity), scaled(averagePrice)));
  return opened;
}

export function filledUsd({ filledQuantity, averagePrice }: Order): Decimal {
  return dec(filledQuantity).mul(averagePrice ?? 0);
}

/**
 * Amount of an execution in the daily budget: its reservation until it has ended, then its opened notional, at most as
 * much.
 */
export function countedUsd(
  execution: Pick<Execution, 'orders' | 'status' | 'intent'>,
  reservedUsd: DecimalString,
): Scaled {
  const reserved = scaled(reservedUsd);
  if (execution.status === 'IDLE' || execution.status === 'ACTIVE') return reserved;
  const opened = openedUsd(execution);
  return isAbove(opened, reserved) ? reserved : opened;
}
