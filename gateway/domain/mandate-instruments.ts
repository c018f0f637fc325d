/** Instruments that a mandate lets its holder open. Pure. */
import type { Mandate } from './mandate.ts';

type Scope = Pick<Mandate, 'instruments' | 'deny'>;
interface Opening {
  readonly legs: readonly { readonly symbol: string }[];
}

/** True: all of the instruments may be opened. */
export function mayTradeAll(mandate: Scope, { legs }: Opening): boolean {
  if (mandate.instruments === 'any' && mandate.deny.length === 0) return true;
  return legs.every(({ symbol }) => mayTrade(mandate, symbol));
}

/** Instruments that may not be opened, as a list in words. */
export function foreignOf(mandate: Scope, { legs }: Opening): string {
  const foreign = legs.filter(({ symbol }) => !mayTrade(mandate, symbol));
  return foreign.map(({ symbol }) => symbol).join(', ');
}

function mayTrade({ instruments, deny }: Scope, symbol: string): boolean {
  return !deny.includes(symbol) && (instruments === 'any' || instruments.includes(symbol));
}
