/** Facts for the decision of a closing round: the venue's answer, and memory at that moment. */

import { unexplained } from '../../../domain/closing-orders.ts';
import type { ClosingInstrument } from '../../../domain/closing-terms.ts';
import { dec, sum, text } from '../../../domain/decimal.ts';
import type { TradeAccount } from '../../../domain/model.ts';
import { signedQuantity } from '../../../domain/position.ts';
import { ok, type Result } from '../../../domain/result.ts';
import { netOfLots } from '../../../domain/unassigned.ts';
import type { EngineDeps } from '../../core/deps.ts';
import { isConfirmed } from '../../core/position-evidence.ts';
import { askVenue, leverageAt, type NotAnswered, type VenueView } from '../ask-venue.ts';

/** Longest time that a close waits for the venue's positions. */
const ASK_LIMIT_MS = 2_000;

/** The venue's answer; null: it did not answer, and the gateway's records stand in for its positions. */
export type ClosingView = VenueView | null;

/**
 * View on which a close is decided. A close must not wait for a venue that accepts orders but does not answer: then the
 * records stand in, and only reduce-only orders are sent.
 * @param anew true: the venue has contradicted its stored positions, so the records cannot stand in either
 */
export async function viewForClosing(
  deps: Pick<EngineDeps, 'venues' | 'clock'>,
  account: TradeAccount,
  anew: boolean,
): Promise<Result<ClosingView, NotAnswered>> {
  const asked = askVenue(deps, account, anew);
  if (anew) return asked;
  const late = deps.clock.sleep(ASK_LIMIT_MS).then(() => null);
  const told = await Promise.race([asked, late]);
  return told === null || (!told.ok && told.error.isSilence === true) ? ok(null) : told;
}

/** Facts of one instrument: the venue's answer beside memory as it is now. */
export function instrumentFacts(
  deps: Pick<EngineDeps, 'state' | 'market' | 'clock'>,
  account: TradeAccount,
  symbol: string,
  view: ClosingView,
): ClosingInstrument {
  const { state, market } = deps;
  const held = state.positions
    .of(account.id)
    .flatMap(({ id, legs }) =>
      legs.filter((leg) => leg.symbol === symbol).map((leg) => ({ positionId: id, leg })),
    );
  const baskets = sum(held.map(({ leg }) => signedQuantity(leg)));
  const lots = state.unassigned.of(account.id, symbol);
  const facts = {
    instrument: market.instrument(account.connector, symbol),
    quote: market.quote(account.connector, symbol),
    stale: market.isStale(account.connector, symbol),
    leverage: leverageAt(deps, account, symbol, view?.positions ?? []),
    venue: view === null ? text(baskets.plus(netOfLots(lots))) : (view.net.get(symbol) ?? '0'),
    baskets: text(baskets),
    holders: held.flatMap(({ positionId, leg }) =>
      leg.quantity === '0' ? [] : [{ positionId, side: leg.side }],
    ),
    lots,
    flights: state.flights.of(account.id, symbol),
  };
  const gap = unexplained(facts);
  const holding = { venue: facts.venue, recorded: dec(facts.venue).minus(gap) };
  const isProven = view !== null && isConfirmed(holding, view, facts);
  const at = { uptime: deps.clock.uptime(), isProven };
  return { ...facts, isGapSettled: state.gaps.isSettled(account.id, symbol, gap, at) };
}

/** True when baskets, lots in no basket and orders in flight together explain the venue's position. */
export function isExplained(facts: ClosingInstrument): boolean {
  return dec(unexplained(facts)).isZero();
}
