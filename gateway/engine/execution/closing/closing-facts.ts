/** What a round of closing is decided on: the venue's answer, and beside it what memory says in the moment of the decision. */

import { unexplained } from '../../../domain/closing-orders.ts';
import type { ClosingInstrument } from '../../../domain/closing-terms.ts';
import { dec, sum, text } from '../../../domain/decimal.ts';
import type { TradeAccount } from '../../../domain/model.ts';
import { signedQuantity } from '../../../domain/position.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import type { EngineDeps } from '../../core/deps.ts';
import type { VenueBalances } from '../../ports/venue.ts';
import { unanswered, venueAccount, withoutCredentials } from '../prepare.ts';

export interface VenueView {
  /** When it was asked, clock uptime in ms, so that what happened since is not in it for certain. */
  readonly askedAt: number;
  /** Signed base units by instrument. */
  readonly net: ReadonlyMap<string, string>;
  readonly balances: VenueBalances;
}

export interface NotAnswered {
  readonly error: string;
  readonly errorCode: string;
}

export async function askVenue(
  deps: Pick<EngineDeps, 'venues' | 'clock'>,
  account: TradeAccount,
): Promise<Result<VenueView, NotAnswered>> {
  const refused = withoutCredentials(account);
  if (refused !== null) return fail(refused);
  const venue = deps.venues.get(account.connector);
  if (venue === undefined) {
    return fail({
      error: `Connector ${account.connector} is not available`,
      errorCode: 'CONFIGURATION_ERROR',
    });
  }
  const askedAt = deps.clock.uptime();
  const [balances, positions] = await Promise.all([
    venue.balances(venueAccount(account)),
    venue.positions(venueAccount(account)),
  ]);
  if (!balances.ok) return fail(unanswered(balances.error.message));
  if (!positions.ok) return fail(unanswered(positions.error.message));
  const net = new Map(positions.value.map(({ symbol, quantity }) => [symbol, quantity]));
  return ok({ askedAt, net, balances: balances.value });
}

/** As memory has it now. */
export function instrumentFacts(
  deps: Pick<EngineDeps, 'book' | 'market' | 'clock'>,
  account: TradeAccount,
  symbol: string,
  view: VenueView,
): ClosingInstrument {
  const { book, market } = deps;
  const held = book
    .positionsOf(account.id)
    .flatMap(({ id, legs }) =>
      legs.filter((leg) => leg.symbol === symbol).map((leg) => ({ positionId: id, leg })),
    );
  const facts = {
    instrument: market.instrument(account.connector, symbol),
    quote: market.quote(account.connector, symbol),
    stale: market.isStale(account.connector, symbol),
    leverage: book.leverage(account.id, symbol),
    venue: view.net.get(symbol) ?? '0',
    baskets: text(sum(held.map(({ leg }) => signedQuantity(leg)))),
    holders: held.flatMap(({ positionId, leg }) =>
      leg.quantity === '0' ? [] : [{ positionId, side: leg.side }],
    ),
    lots: book.unassigned.of(account.id, symbol),
    flights: book.flights.of(account.id, symbol),
  };
  const gap = unexplained(facts);
  return { ...facts, isGapSettled: book.gaps.isSettled(account.id, symbol, gap, deps.clock.uptime()) };
}

/** True when what the venue holds is what the baskets, the lots in none and the orders on their way add up to. */
export function isExplained(facts: ClosingInstrument): boolean {
  return dec(unexplained(facts)).isZero();
}
