/**
 * Pure: an outside fill that arrives after a basket was adjusted for it. The part of the fill that explains an
 * adjustment makes no new lot. It closes the adjustment's lot, which was made at the mark price, and realises the
 * difference to the fill's price.
 */
import { Decimal, dec, text, ZERO } from '../../../domain/decimal.ts';
import type { Fill } from '../../../domain/model.ts';
import { otherSide } from '../../../domain/position.ts';
import { lotOf, type UnassignedLot } from '../../../domain/unassigned.ts';
import { transferFill } from './transfer-fill.ts';

export interface LateFill {
  readonly counters: readonly Fill[];
  readonly lots: readonly UnassignedLot[];
}

/** @param lots of the instrument, oldest first */
export function explainedBy(fill: Fill, lots: readonly UnassignedLot[], makeId: () => string): LateFill {
  const own = lotOf(fill, 'OUTSIDE');
  let left = dec(own.quantity);
  const counters: Fill[] = [];
  const changed: UnassignedLot[] = [];
  for (const lot of lots.filter(({ source }) => source === 'ADJUSTMENT')) {
    const waiting = dec(lot.quantity);
    if (left.isZero() || waiting.isNegative() !== left.isNegative()) continue;
    const quantity = Decimal.min(waiting.abs(), left.abs());
    const signed = left.isNegative() ? quantity.neg() : quantity;
    const id = makeId();
    counters.push(
      transferFill({
        id,
        tradeAccountId: fill.tradeAccountId,
        connector: fill.connector,
        tradeId: `x:${lot.id}:${id}:b`,
        cause: 'ADJUSTMENT',
        symbol: fill.symbol,
        side: otherSide(fill.side),
        quantity: text(quantity),
        price: lot.price,
        positionId: null,
        // Realised PnL of selling at the fill's price and buying at the adjustment's price, or the reverse.
        realizedPnl: text(dec(lot.price).minus(fill.price).mul(signed)),
        timestamp: fill.timestamp,
      }),
    );
    changed.push({ ...lot, quantity: text(waiting.minus(signed)) });
    left = left.minus(signed);
  }
  return { counters, lots: [...changed, { ...own, quantity: text(left.isZero() ? ZERO : left) }] };
}
