/** Public market data over HTTP. Prices and funding go out as text that was serialised once per tick. */

import { type BoundRoute, bind } from '../../call/call.ts';
import { invalid } from '../../call/errors.ts';
import {
  type ConnectorRecord,
  getFeeds,
  getSymbolToIdMap,
  instrument,
  instrumentLite,
  listConnectors,
  listFunding,
  listInstruments,
  listInstrumentsLite,
  listMarkets,
  listPrices,
  type TradeabilityScope,
} from '../../contract/market.ts';
import type { AnswerOf, QueryOf } from '../../contract/route.ts';
import { BTC_DOMINANCE, type FeedReading } from '../../domain/feed.ts';
import type { Instrument } from '../../domain/model.ts';
import { iso } from '../present/time.ts';
import { wireForm } from '../present/wire-form.ts';

/** Market data that the routes read; implemented in `market/`. */
export interface MarketReads {
  has(connector: string): boolean;
  connectors(): readonly ConnectorRecord[];
  instrumentsIn(connector: string, scope: TradeabilityScope): readonly Instrument[];
  feeds(connector: string): readonly FeedReading[];
  /** Latest prices or funding rates of a connector as the text of a JSON array. */
  rowsJson(topic: 'prices' | 'funding', connector: string): string;
  markets(
    connector: string,
    filter: Omit<QueryOf<typeof listMarkets>, 'connector'>,
  ): AnswerOf<typeof listMarkets>;
}

function presentFeeds(readings: readonly FeedReading[]): AnswerOf<typeof getFeeds> {
  const dominance = readings.find(({ name }) => name === BTC_DOMINANCE);
  return {
    dominance:
      dominance === undefined ? null : { value: dominance.value, updatedAt: iso(dominance.updatedAt) },
    predictionMarkets: readings.flatMap(({ prediction, value, updatedAt }) =>
      prediction === null ? [] : [{ ...prediction, probability: value, updatedAt: iso(updatedAt) }],
    ),
  };
}

export function marketRoutes(
  market: MarketReads,
  credentialStore: AnswerOf<typeof listConnectors>['credentialStore'],
): readonly BoundRoute[] {
  function known(connector: string): string {
    if (!market.has(connector)) throw invalid('connector', 'Unknown connector');
    return connector;
  }

  return [
    bind(listConnectors, () => ({ body: { connectors: [...market.connectors()], credentialStore } })),
    bind(listPrices, ({ query }) => ({
      json: `{"prices":${market.rowsJson('prices', known(query.connector))}}`,
    })),
    bind(listFunding, ({ query }) => ({
      json: `{"funding":${market.rowsJson('funding', known(query.connector))}}`,
    })),
    bind(getFeeds, ({ query }) => ({ body: presentFeeds(market.feeds(known(query.connector))) })),
    bind(listInstruments, ({ query }) => ({
      body: {
        instruments: market
          .instrumentsIn(known(query.connector), query.scope)
          .map((one) => wireForm(instrument, one, {})),
      },
    })),
    bind(listInstrumentsLite, ({ query }) => ({
      body: {
        instruments: market
          .instrumentsIn(known(query.connector), query.scope)
          .map((one) => wireForm(instrumentLite, one, {})),
      },
    })),
    bind(getSymbolToIdMap, ({ query }) => ({
      body: Object.fromEntries(
        market.instrumentsIn(known(query.connector), query.scope).map(({ symbol, id }) => [symbol, id]),
      ),
    })),
    bind(listMarkets, ({ query: { connector, ...filter } }) => ({
      body: market.markets(known(connector), filter),
    })),
  ];
}
