/** Account state after a plan, based on the venue's current positions and balances. Records nothing. */
import {
  type AccountAfter,
  accountAfter,
  type HeldNow,
  type PlannedTrade,
} from '../../domain/account-after.ts';
import type { ExpectedPlan } from '../../domain/expected-fill.ts';
import type { Side, TradeAccount } from '../../domain/model.ts';
import type { BasketPlan } from '../../domain/sizing.ts';
import { soon } from '../../domain/soon.ts';
import type { EngineDeps } from '../core/deps.ts';
import type { VenuePosition } from '../ports/venue.ts';
import { askVenue, feeRatesOf, type VenueView } from './ask-venue.ts';

type Deps = Pick<EngineDeps, 'market' | 'venues' | 'state'>;

interface Leg {
  readonly symbol: string;
  readonly side: Side;
}

/** The venue's net positions at current marks; at the entry price without a mark. */
export function holdingsAt(
  { market }: Pick<EngineDeps, 'market'>,
  connector: string,
  positions: readonly VenuePosition[],
): readonly (HeldNow & VenuePosition)[] {
  return positions.map((one) => ({
    ...one,
    mark: market.quote(connector, one.symbol)?.mark ?? one.entryPrice,
    instrument: market.instrument(connector, one.symbol),
  }));
}

/** Account after the trades; null: a trade has no price, or its instrument is not listed. */
export function afterTrades(
  deps: Deps,
  account: TradeAccount,
  { positions, balances }: Pick<VenueView, 'positions' | 'balances'>,
  trades: readonly (Leg & { readonly quantity: string; readonly price: string | null })[],
  basket: readonly Leg[],
): AccountAfter | null {
  const { connector } = account;
  const feeRate = feeRatesOf(deps, account).taker;
  const planned: PlannedTrade[] = [];
  for (const { symbol, side, quantity, price } of trades) {
    if (quantity === '0') continue;
    const instrument = deps.market.instrument(connector, symbol);
    const quote = deps.market.quote(connector, symbol);
    if (instrument === undefined || quote === undefined || price === null || Number(price) <= 0) return null;
    const { leverage, marginMode } = deps.state.leverage.inForce(account.id, instrument);
    planned.push({
      ...{ symbol, side, quantity, price, feeRate, leverage, marginMode, instrument },
      mark: quote.mark,
    });
  }
  return accountAfter(balances, holdingsAt(deps, connector, positions), planned, basket);
}

/** Trades of an opening plan at the prices expected from the order books; null: a leg cannot be sent as it is. */
export function tradesOf(
  { legs }: BasketPlan,
  expected: ExpectedPlan,
): readonly (Leg & { readonly quantity: string; readonly price: string })[] | null {
  if (legs.some(({ problem }) => problem !== null)) return null;
  return legs.map(({ leg: { symbol, side }, quantity, price }, index) => ({
    ...{ symbol, side, quantity },
    price: expected.legs[index]?.averagePrice ?? price,
  }));
}

/** @param basket open legs of the resulting basket, if it has more than the plan's */
export function afterOpening(
  deps: Deps,
  account: TradeAccount,
  view: Pick<VenueView, 'positions' | 'balances'>,
  planned: BasketPlan,
  expected: ExpectedPlan,
  basket?: readonly Leg[],
): AccountAfter | null {
  const trades = tradesOf(planned, expected);
  return trades && afterTrades(deps, account, view, trades, basket ?? trades);
}

/** The venue's view of the account, for plans that can do without it; null: it did not arrive in time. */
export async function viewFor(
  deps: Pick<EngineDeps, 'venues' | 'clock'>,
  account: TradeAccount,
): Promise<VenueView | null> {
  const view = await soon(deps.clock, askVenue(deps, account));
  return view?.ok === true ? view.value : null;
}
