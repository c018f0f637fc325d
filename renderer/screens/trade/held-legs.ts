import { missingLegs } from '../../features/basket-name/basket-name.ts';
import type { HeldPosition } from './chart-lines.ts';

const NONE: ReadonlySet<string> = new Set();

/** Ids of the missing legs of a position that holds other legs. */
export function missingSymbols(held: Pick<HeldPosition, 'legs'> | null): ReadonlySet<string> {
  return held === null ? NONE : new Set(missingLegs(held.legs, (symbol) => symbol));
}
