/** Whose liquidation price a leg has: the venue's is of the account's net holding of the instrument. */
import Big from 'big.js';
import type { Position, PositionLeg, Unassigned } from './use-position-data.ts';

type HeldLeg = Pick<PositionLeg, 'symbol' | 'side' | 'quantity'>;

/**
 * True when the account holds the instrument on the other side than the leg does: the price belongs to what other
 * baskets, or trades past Tandem, hold against this leg. Where the price lies says nothing: close to its liquidation a
 * long may have it above the mark.
 * @param positions the open ones; undefined: not read, and nothing is claimed
 */
export function isOfOtherSide(
  leg: HeldLeg,
  positions: readonly { readonly legs: readonly HeldLeg[] }[] | undefined,
  unassigned: readonly Pick<Unassigned, 'symbol' | 'quantity'>[] | undefined,
): boolean {
  if (positions === undefined || unassigned === undefined) return false;
  let net = new Big(0);
  for (const { symbol, side, quantity } of positions.flatMap(({ legs }) => legs)) {
    if (symbol === leg.symbol) net = side === 'BUY' ? net.plus(quantity) : net.minus(quantity);
  }
  for (const { symbol, quantity } of unassigned) if (symbol === leg.symbol) net = net.plus(quantity);
  return leg.side === 'BUY' ? net.lt(0) : net.gt(0);
}

export interface LegOfAccount extends PositionLeg {
  readonly isOpposed: boolean;
  /** Why there may be a liquidation price that is not known; null: the venue has answered, and what it tells is all. */
  readonly whyUntold: string | null;
}

export const NOT_ANSWERED = 'Not known while the venue does not answer';

/** @param isAnswered the venue has told what it holds */
export function legsOfAccount(
  legs: readonly PositionLeg[],
  positions: readonly Pick<Position, 'legs'>[] | undefined,
  unassigned: readonly Unassigned[] | undefined,
  isAnswered: boolean,
): readonly LegOfAccount[] {
  const whyUntold = ({ quantity }: PositionLeg) =>
    Number(quantity) === 0 ? 'Nothing of it is held' : isAnswered ? null : NOT_ANSWERED;
  return legs.map((leg) => ({
    ...leg,
    isOpposed: isOfOtherSide(leg, positions, unassigned),
    whyUntold: whyUntold(leg),
  }));
}
