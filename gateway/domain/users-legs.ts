/** Legs of a position without the additions of guests, agents that add to positions of others. Pure. */
import type { BracketLeg } from './bracket.ts';
import { Decimal, dec, text, textRounded } from './decimal.ts';

/** Legs of a position before and after a change. Legs that are closed have the quantity 0 or are missing. */
export interface ChangedLegs {
  readonly before: readonly BracketLeg[];
  readonly after: readonly BracketLeg[];
}

export const heldOf = (legs: readonly BracketLeg[]) => legs.filter(({ quantity }) => quantity !== '0');

export const quantityIn = (legs: readonly BracketLeg[], symbol: string): string =>
  legs.find((leg) => leg.symbol === symbol)?.quantity ?? '0';

/** Legs, each limited to the held quantity. */
export function leastOf(legs: readonly BracketLeg[], held: readonly BracketLeg[]): readonly BracketLeg[] {
  return legs.flatMap((leg) => {
    const quantity = quantityIn(held, leg.symbol);
    return dec(quantity).gte(leg.quantity) ? [leg] : heldOf([shareOf(leg, dec(quantity))]);
  });
}

/** Legs after a change by their user. */
export function changedBy(
  legs: readonly BracketLeg[],
  { before, after }: ChangedLegs,
): readonly BracketLeg[] {
  return after.flatMap((next) => {
    const was = before.find(({ symbol }) => symbol === next.symbol);
    const own = legs.find(({ symbol }) => symbol === next.symbol) ?? {
      ...next,
      quantity: '0',
      entryNotional: '0',
    };
    const quantity = dec(own.quantity)
      .plus(next.quantity)
      .minus(was?.quantity ?? 0);
    if (quantity.lte(own.quantity)) return heldOf([shareOf(own, Decimal.max(0, quantity))]);
    const entryNotional = dec(own.entryNotional)
      .plus(next.entryNotional)
      .minus(was?.entryNotional ?? 0);
    return [{ ...own, quantity: text(quantity), entryNotional: text(entryNotional) }];
  });
}

/** The leg at another quantity, at the same entry price. */
function shareOf(leg: BracketLeg, quantity: Decimal): BracketLeg {
  const share = dec(leg.quantity).isZero() ? dec(0) : quantity.div(leg.quantity);
  return {
    ...leg,
    quantity: text(quantity),
    entryNotional: textRounded(dec(leg.entryNotional).mul(share), 18),
  };
}
