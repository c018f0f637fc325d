/** Facts on which a closing round is decided: the venue's answer, and memory at the moment of the decision. */

import { unexplained } from '../../../domain/closing-orders.ts';
import type { ClosingInstrument } from '../../../domain/closing-terms.ts';
import { dec, sum, text } from '../../../domain/decimal.ts';
import type { TradeAccount } from '../../../domain/model.ts';
import { signedQuantity } from '../../../domain/position.ts';
import type { EngineDeps } from '../../core/deps.ts';
import type { VenueView } from '../ask-venue.ts';

/** Facts of one instrument: the venue's answer beside memory as it is now. */
export function instrumentFacts(
  deps: Pick<EngineDeps, 'state' | 'market' | 'clock'>,
  account: TradeAccount,
  symbol: string,
  view: VenueView,
): ClosingInstrument {
  const { state, market } = deps;
  const held = state.positions
    .of(account.id)
    .flatMap(({ id, legs }) =>
      legs.filter((leg) => leg.symbol === symbol).map((leg) => ({ positionId: id, leg })),
    );
  const facts = {
    instrument: market.instrument(account.connector, symbol),
    quote: market.quote(account.connector, symbol),
    stale: market.isStale(account.connector, symbol),
    leverage: state.leverage.get(account.id, symbol),
    venue: view.net.get(symbol) ?? '0',
    baskets: text(sum(held.map(({ leg }) => signedQuantity(leg)))),
    holders: held.flatMap(({ positionId, leg }) =>
      leg.quantity === '0' ? [] : [{ positionId, side: leg.side }],
    ),
    lots: state.unassigned.of(account.id, symbol),
    flights: state.flights.of(account.id, symbol),
  };
  const gap = unexplained(facts);
  return { ...facts, isGapSettled: state.gaps.isSettled(account.id, symbol, gap, deps.clock.uptime()) };
}

/** True when baskets, lots in no basket and orders in flight together explain the venue's position. */
export function isExplained(facts: ClosingInstrument): boolean {
  return dec(unexplained(facts)).isZero();
}
