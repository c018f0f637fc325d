/** The wire row of a market basket. Its shape is that of contract/baskets.ts; a test parses real rows with its schema. */
import { type BasketLeg, displaySymbol } from '../domain/basket.ts';
import { type BasketFigures, basketFigures, basketTradeability } from '../domain/basket-stats.ts';
import type { Side, Tradeability } from '../domain/model.ts';
import type { Market } from './market.ts';

export interface BasketRow extends BasketFigures {
  connector: string;
  basketKey: string;
  displaySymbol: string;
  legs: { id: string; symbol: string; side: Side }[];
  tradeability: Tradeability;
  /** Time of the latest quote of any leg, epoch ms. */
  updatedAt: number;
  hasMaterializedStats: boolean;
}

export type BasketMarket = Pick<Market, 'instrument' | 'instruments' | 'quote' | 'funding' | 'stats'>;

/** @param basket its legs in canonical order */
export function basketRow(
  market: BasketMarket,
  basket: {
    readonly connector: string;
    readonly basketKey: string;
    readonly legs: readonly BasketLeg[];
    readonly isMaterialized: boolean;
  },
): BasketRow {
  const { connector, basketKey } = basket;
  const legs = basket.legs.map(({ symbol: id, side }) => ({
    id,
    side,
    instrument: market.instrument(connector, id),
    quote: market.quote(connector, id),
    funding: market.funding(connector, id),
    stats: market.stats(connector, id),
  }));
  const tickers = legs.map(({ id, instrument }) => instrument?.symbol ?? id);
  return {
    connector,
    basketKey,
    displaySymbol: displaySymbol(basket.legs, tickers),
    legs: legs.map(({ id, side }, index) => ({ id, symbol: tickers[index] ?? id, side })),
    ...basketFigures(legs),
    tradeability: basketTradeability(
      legs.map(({ id, instrument }) => ({ symbol: id, tradeability: instrument?.tradeability ?? null })),
    ),
    updatedAt: Math.max(0, ...legs.map(({ quote }) => quote?.updatedAt ?? 0)),
    hasMaterializedStats: basket.isMaterialized,
  };
}
