/** Compares, per instrument, what the baskets add up to with what the venue holds. Pure but for the question itself. */
import { dec, text, ZERO } from '../domain/decimal.ts';
import type { Position, TradeAccount } from '../domain/model.ts';
import { signedQuantity } from '../domain/position.ts';
import type { EngineDeps } from './deps.ts';
import type { VenuePosition } from './ports.ts';
import { venueAccount, venueOf } from './prepare.ts';

export interface Difference {
  readonly symbol: string;
  /** Signed base units: what the gateway's baskets add up to. */
  readonly baskets: string;
  /** Signed base units that the venue holds. */
  readonly venue: string;
}

export function differences(
  positions: readonly Position[],
  venuePositions: readonly VenuePosition[],
): readonly Difference[] {
  const held = new Map<string, { baskets: ReturnType<typeof dec>; venue: ReturnType<typeof dec> }>();
  const row = (symbol: string) => {
    const existing = held.get(symbol) ?? { baskets: ZERO, venue: ZERO };
    held.set(symbol, existing);
    return existing;
  };
  for (const leg of positions.flatMap((position) => position.legs)) {
    const sums = row(leg.symbol);
    sums.baskets = sums.baskets.plus(signedQuantity(leg));
  }
  for (const position of venuePositions) row(position.symbol).venue = dec(position.quantity);
  return [...held]
    .filter(([, sums]) => !sums.baskets.eq(sums.venue))
    .map(([symbol, sums]) => ({ symbol, baskets: text(sums.baskets), venue: text(sums.venue) }));
}

/** null: the venue did not answer, or an execution is running and the sums are in motion. */
export async function reconcile(
  deps: Pick<EngineDeps, 'book' | 'venues'>,
  account: TradeAccount,
): Promise<readonly Difference[] | null> {
  if (deps.book.isRunning(account.id)) return null;
  const positions = await venueOf(deps, account.connector).positions(venueAccount(account));
  if (!positions.ok || deps.book.isRunning(account.id)) return null;
  return differences(deps.book.positionsOf(account.id), positions.value);
}
