/** Attribution of liquidation prices: the venue's price is of the account's net holding of an instrument. */
import Big from 'big.js';
import type { Position, PositionLeg, Unassigned } from './use-position-data.ts';

type HeldLeg = Pick<PositionLeg, 'symbol' | 'side' | 'quantity'>;

/**
 * True: the account's net holding is on the other side than the leg. The price then belongs to other baskets, or to
 * trades outside Tandem, held against this leg. Its place says nothing: a long close to its liquidation may have it
 * above the mark.
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
  /** Reason why a liquidation price may be unknown; null: the venue has answered, so there are no others. */
  readonly whyUntold: string | null;
}

export const NOT_ANSWERED = 'Not known while the venue does not answer';

/** @param isAnswered true: the venue has reported its holdings */
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
