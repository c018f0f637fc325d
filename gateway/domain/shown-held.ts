/** Quantities of a position as they were shown. An agreement made on sight of them holds for them alone. */
import { canonicalJson } from './canonical-json.ts';
import type { DecimalString } from './decimal.ts';
import type { PositionLeg, Side } from './model.ts';

export interface HeldLeg {
  readonly symbol: string;
  readonly side: Side;
  /** Base units. */
  readonly quantity: DecimalString;
}

export interface ShownHeld {
  readonly positionId: string;
  readonly legs: readonly HeldLeg[];
}

/** Legs as they are shown; none where there is no position. */
export function heldLegs(
  position: { readonly legs: readonly Pick<PositionLeg, 'symbol' | 'side' | 'quantity'>[] } | undefined,
): readonly HeldLeg[] {
  return (position?.legs ?? []).map(({ symbol, side, quantity }) => ({ symbol, side, quantity }));
}

/** False after any change of a quantity, however small: each size follows from the position. */
export function isHeldAsShown(shown: readonly HeldLeg[], now: readonly HeldLeg[]): boolean {
  return textOf(shown) === textOf(now);
}

function textOf(legs: readonly HeldLeg[]): string {
  return canonicalJson(legs.map((leg) => ({ ...leg })));
}
