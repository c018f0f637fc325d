/**
 * Differences between an account and its baskets: trades outside Tandem in no basket yet, and unexplained quantities.
 * Memory is current. The venue's quantity is from the last reconciliation, and is shown only if nothing has changed
 * since, because a basket that traded meanwhile would look like a difference.
 */
import { dec, sum, text } from '../../domain/decimal.ts';
import type { Position } from '../../domain/model.ts';
import type { HeldLot } from '../../domain/unassigned.ts';
import { type Difference, differences, isUnexplained } from './reconcile.ts';

export interface Disagreement {
  readonly symbol: string;
  /** Sum of the open baskets, signed base units. */
  readonly baskets: string;
  /** Holdings in no basket, signed base units. */
  readonly unassigned: string;
  /** Part of `unassigned` traded outside Tandem, which waits for a basket, signed base units. */
  readonly outside: string;
  /** Signed base units; null: not compared since the last change. */
  readonly venue: string | null;
}

/**
 * @param lots holdings of the account in no basket
 * @param last result of the last reconciliation
 */
export function disagreements(
  positions: readonly Position[],
  lots: readonly HeldLot[],
  last: readonly Difference[],
): readonly Disagreement[] {
  const now = new Map(differences(positions, lots, []).map((row) => [row.symbol, row]));
  const found = new Map(last.map((row) => [row.symbol, row]));
  const outsideLots = lots.filter(({ source }) => source === 'OUTSIDE');
  const symbols = new Set([...outsideLots, ...last].map(({ symbol }) => symbol));
  return [...symbols].sort().flatMap((symbol) => {
    const { baskets, unassigned } = now.get(symbol) ?? { baskets: '0', unassigned: '0' };
    const seen = found.get(symbol);
    const isCurrent = seen !== undefined && seen.baskets === baskets && seen.unassigned === unassigned;
    const outside = sum(outsideLots.filter((lot) => lot.symbol === symbol).map((lot) => dec(lot.quantity)));
    if (outside.isZero() && !(isCurrent && isUnexplained(seen))) return [];
    return [{ symbol, baskets, unassigned, outside: text(outside), venue: isCurrent ? seen.venue : null }];
  });
}
