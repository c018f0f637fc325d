/** Compares, per instrument, the sum of the baskets with the venue's position. Pure except for asking the venue. */
import { type Decimal, dec, text, ZERO } from '../../domain/decimal.ts';
import type { Position, TradeAccount } from '../../domain/model.ts';
import { signedQuantity } from '../../domain/position.ts';
import type { UnassignedLot } from '../../domain/unassigned.ts';
import type { EngineDeps } from '../core/deps.ts';
import { venueAccount, venueOf } from '../execution/ask-venue.ts';
import type { VenuePosition } from '../ports/venue.ts';

export interface Difference {
  readonly symbol: string;
  /** Sum of the gateway's open baskets, signed base units. */
  readonly baskets: string;
  /** Holdings of the account in no basket, signed base units. */
  readonly unassigned: string;
  /** The venue's position, signed base units. */
  readonly venue: string;
}

/** True: baskets and holdings outside baskets do not add up to the venue's position. */
export function isUnexplained({ baskets, unassigned, venue }: Difference): boolean {
  return !dec(baskets).plus(unassigned).eq(venue);
}

/** @param lots holdings of the account in no basket */
export function differences(
  positions: readonly Position[],
  lots: readonly UnassignedLot[],
  venuePositions: readonly VenuePosition[],
): readonly Difference[] {
  const held = new Map<string, { baskets: Decimal; unassigned: Decimal; venue: Decimal }>();
  const row = (symbol: string) => {
    const existing = held.get(symbol) ?? { baskets: ZERO, unassigned: ZERO, venue: ZERO };
    held.set(symbol, existing);
    return existing;
  };
  for (const leg of positions.flatMap((position) => position.legs)) {
    const sums = row(leg.symbol);
    sums.baskets = sums.baskets.plus(signedQuantity(leg));
  }
  for (const lot of lots) {
    const sums = row(lot.symbol);
    sums.unassigned = sums.unassigned.plus(lot.quantity);
  }
  for (const position of venuePositions) row(position.symbol).venue = dec(position.quantity);
  return [...held]
    .filter(([, { baskets, unassigned, venue }]) => !baskets.eq(venue) || !unassigned.isZero())
    .map(([symbol, { baskets, unassigned, venue }]) => ({
      symbol,
      baskets: text(baskets),
      unassigned: text(unassigned),
      venue: text(venue),
    }));
}

/** null: the venue did not answer, or an execution is running and changes the quantities. */
export async function reconcile(
  deps: Pick<EngineDeps, 'state' | 'venues'>,
  account: TradeAccount,
): Promise<readonly Difference[] | null> {
  const { state } = deps;
  if (state.claims.isRunning(account.id)) return null;
  const positions = await venueOf(deps, account.connector).positions(venueAccount(account));
  if (!positions.ok || state.claims.isRunning(account.id)) return null;
  return differences(state.positions.of(account.id), state.unassigned.ofAccount(account.id), positions.value);
}

/**
 * The instruments' differences. Left out: an instrument with an order in flight, or one whose quantities changed, while
 * the venue was asked. null: the venue did not answer.
 */
export async function quietDifferences(
  deps: Pick<EngineDeps, 'state' | 'venues'>,
  account: TradeAccount,
  symbols: readonly string[],
): Promise<ReadonlyMap<string, Difference> | null> {
  const { state } = deps;
  const compared = (venue: readonly VenuePosition[]) => {
    const found = differences(state.positions.of(account.id), state.unassigned.ofAccount(account.id), venue);
    return new Map(found.map((row) => [row.symbol, row]));
  };
  const isInFlight = (symbol: string) => state.flights.any(account.id, symbol);
  const quiet = symbols.filter((symbol) => !isInFlight(symbol));
  if (quiet.length === 0) return new Map();
  const before = compared([]);
  const positions = await venueOf(deps, account.connector).positions(venueAccount(account));
  if (!positions.ok) return null;
  const after = compared(positions.value);
  return new Map(
    quiet.flatMap((symbol) => {
      const [was, is] = [before.get(symbol), after.get(symbol)];
      const isSame = was?.baskets === is?.baskets && was?.unassigned === is?.unassigned;
      return is === undefined || !isSame || isInFlight(symbol) ? [] : [[symbol, is]];
    }),
  );
}
