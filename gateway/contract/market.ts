/** Public market data: connectors, prices, funding, instruments and market rows. */
import { z } from 'zod';
import { ACCOUNT_MODES, NETWORKS, TRADEABILITY_STATUSES } from '../domain/enumerations.ts';
import {
  connectorId,
  DOCS,
  decimal,
  instrumentId,
  integerQuery,
  isoTime,
  limitQuery,
  marginMode,
} from './common.ts';
import { routesWith } from './route.ts';

export const connectorStatus = z.enum(['UP', 'DEGRADED', 'DOWN']).register(DOCS, { id: 'ConnectorStatus' });

const credentialField = z
  .strictObject({
    name: z.string().register(DOCS, { description: 'Key of the field in the credentials' }),
    label: z.string(),
    kind: z.enum(['text', 'number', 'yes-no']).register(DOCS, { description: '`number` is a whole one' }),
    secret: z.boolean().register(DOCS, { description: 'Not to be shown while it is typed' }),
    required: z.boolean(),
    hint: z.string().nullable(),
  })
  .register(DOCS, { id: 'CredentialField', description: 'A field of the credentials of a trade account' });

export const connector = z
  .strictObject({
    id: connectorId,
    displayName: z.string(),
    mode: z.enum(ACCOUNT_MODES),
    marginMode: z
      .enum(['required', 'rejected'])
      .register(DOCS, { description: 'Whether `PUT /leverage` requires or rejects `marginMode` here' }),
    fundingIntervalHours: z.int().positive(),
    capabilities: z.array(z.string()).register(DOCS, {
      description:
        'What the venue can do, e.g. `isolated_margin`, `margin_change` (margin of isolated legs can be added), `btc_dominance` and `prediction_markets` (see `GET /feeds`)',
    }),
    credentials: z
      .array(credentialField)
      .optional()
      .register(DOCS, { description: 'What a trade account needs before it can trade; missing: nothing' }),
    network: z.enum(NETWORKS).optional().register(DOCS, {
      description: 'Of a live connector: real money, or play money under the same rules',
    }),
    override: z.string().optional().register(DOCS, {
      description:
        'Loopback address that stands in for the venue, by a setting of this machine: nothing here is real',
    }),
    inUse: z.boolean().register(DOCS, {
      description:
        'False: a live venue that no trade account uses; it is DOWN because nothing connects to it',
    }),
    status: connectorStatus,
    since: isoTime.meta({ description: 'When the connector entered this status' }),
    reason: z.string().nullable(),
    trading: z.enum(['UP', 'CLOSE_ONLY', 'DOWN']).register(DOCS, {
      description:
        'Whether it takes orders, which may end while its prices go on. `CLOSE_ONLY`: nothing opens; `DOWN`: nothing opens, and what closes may not arrive',
    }),
    until: isoTime
      .nullable()
      .register(DOCS, { description: 'When `reason` ends (a ban, a maintenance); null: nobody knows' }),
  })
  .register(DOCS, { id: 'Connector' });
export type ConnectorRecord = z.infer<typeof connector>;

export const tradeability = z
  .strictObject({
    status: z.enum(TRADEABILITY_STATUSES),
    reason: z.string().nullable(),
  })
  .register(DOCS, { id: 'Tradeability' });

export const instrument = z
  .strictObject({
    id: instrumentId,
    symbol: z.string().register(DOCS, { description: 'Ticker for display, e.g. `BTC`' }),
    connector: connectorId,
    venueSymbol: z.string().register(DOCS, { description: 'What the venue calls it, e.g. `kPEPE`' }),
    multiplier: decimal.meta({
      description:
        "Base units in one unit of the venue's quantities, e.g. `1000` of `kPEPE`. Prices and quantities here are of single base units everywhere",
    }),
    type: z.literal('perp'),
    tickSize: decimal,
    stepSize: decimal.meta({ description: 'Quantity step in base units' }),
    minQuantity: decimal.meta({ description: 'Smallest quantity of an order, base units' }),
    maxQuantity: decimal.nullable().register(DOCS, {
      description: 'Largest quantity of one order, base units; null: the venue tells none',
    }),
    minNotional: decimal.meta({ description: 'Smallest order value in USD' }),
    priceBand: decimal.nullable().register(DOCS, {
      description:
        "How far an order's limit may be from the venue's reference price, a fraction: `0.95` allows 0.05 to 1.95 times it. Limits are kept inside of it. null: any price",
    }),
    maxLeverage: z.int().positive(),
    marginModes: z.array(marginMode),
    fundingIntervalHours: z.int().positive(),
    tradeability,
  })
  .register(DOCS, { id: 'Instrument' });
export type InstrumentRecord = z.infer<typeof instrument>;

export const instrumentLite = z
  .strictObject({ id: instrumentId, symbol: z.string(), stepSize: decimal, tickSize: decimal })
  .register(DOCS, { id: 'InstrumentLite' });

export const price = z
  .strictObject({
    id: instrumentId,
    symbol: z.string(),
    mark: decimal,
    index: decimal,
    mid: decimal,
    bid: decimal,
    ask: decimal,
    last: decimal.meta({ description: 'Price of the latest trade' }),
    price24hAgo: decimal,
    updatedAt: isoTime,
  })
  .register(DOCS, { id: 'Price' });

export const funding = z
  .strictObject({
    id: instrumentId,
    symbol: z.string(),
    rate: decimal.meta({
      description: 'Decimal fraction per interval (not per hour, not per year); positive: longs pay shorts',
    }),
    intervalHours: z.int().positive(),
    nextFundingTime: isoTime,
  })
  .register(DOCS, { id: 'Funding' });

export const marketRow = z
  .strictObject({
    id: instrumentId,
    symbol: z.string(),
    price: decimal.meta({ description: 'Mark price in USD' }),
    priceChange24h: decimal.meta({
      description: 'mark ÷ price24hAgo − 1 as a decimal fraction: `0.0125` is +1.25 %. 8 decimals, half-even',
    }),
    funding: decimal
      .nullable()
      .register(DOCS, { description: 'Current rate per interval; null while the venue gave none' }),
    volume24h: decimal.nullable().register(DOCS, { description: 'USD; null while the venue gave none' }),
    openInterest: decimal.nullable().register(DOCS, { description: 'USD; null while the venue gave none' }),
    tradeability,
    updatedAt: isoTime,
  })
  .register(DOCS, { id: 'MarketRow' });

export const predictionMarket = z
  .strictObject({
    source: z.string().register(DOCS, { description: 'Who trades the question' }),
    marketKey: z.string().register(DOCS, { description: 'Name of the question at its source' }),
    question: z.string(),
    probability: decimal.meta({ description: 'Of yes, in percent (0–100)' }),
    updatedAt: isoTime,
  })
  .register(DOCS, { id: 'PredictionMarket' });

export const feeds = z
  .strictObject({
    dominance: z
      .strictObject({
        value: decimal.meta({
          description: "Bitcoin's share of the capitalisation of the whole market, in percent (0–100)",
        }),
        updatedAt: isoTime,
      })
      .nullable()
      .register(DOCS, {
        description: 'null where the connector has no `btc_dominance`, or has not told it yet',
      }),
    predictionMarkets: z
      .array(predictionMarket)
      .register(DOCS, { description: 'Empty where the connector has no `prediction_markets`' }),
  })
  .register(DOCS, { id: 'Feeds' });

const credentialStore = z
  .strictObject({
    kind: z.enum(['keychain', 'file', 'memory']),
    refusal: z.string().nullable().register(DOCS, {
      description:
        'Why credentials of a live connector are refused (409 `CREDENTIALS_NOT_STORED`), with the remedy; null: they are stored',
    }),
  })
  .register(DOCS, { id: 'CredentialStore', description: 'Where credentials of trade accounts are stored' });

export const connectorList = z
  .strictObject({ connectors: z.array(connector), credentialStore })
  .register(DOCS, { id: 'ConnectorList' });
export const priceList = z.strictObject({ prices: z.array(price) }).register(DOCS, { id: 'PriceList' });
export const fundingList = z
  .strictObject({ funding: z.array(funding) })
  .register(DOCS, { id: 'FundingList' });
export const instrumentList = z
  .strictObject({ instruments: z.array(instrument) })
  .register(DOCS, { id: 'InstrumentList' });
export const instrumentLiteList = z
  .strictObject({ instruments: z.array(instrumentLite) })
  .register(DOCS, { id: 'InstrumentLiteList' });
export const symbolToIdMap = z.record(z.string(), instrumentId).register(DOCS, {
  id: 'SymbolToIdMap',
  description: 'Ticker → instrument ID',
  example: { BTC: 'BTC-PERP', ETH: 'ETH-PERP' },
});
export const marketList = z
  .strictObject({
    markets: z.array(marketRow),
    totals: z
      .strictObject({ markets: z.int().nonnegative(), volume24h: decimal, openInterest: decimal })
      .register(DOCS, { description: 'The whole connector, whatever scope, search and paging select' }),
  })
  .register(DOCS, { id: 'MarketList' });

const SCOPES = ['tradable', 'all', 'reduce_only', 'not_tradable'] as const;
export type TradeabilityScope = (typeof SCOPES)[number];
export const tradeabilityScope = z.enum(SCOPES);

/** Query `search` of the market lists: matches ticker or id, case-insensitively. */
export const searchQuery = z
  .string()
  .max(64)
  .register(DOCS, { description: 'Part of a ticker or instrument ID, case-insensitive' });

/** Query `offset`: an integer in text, from 0. */
export const offsetQuery = integerQuery(0, 999_999_999, 0).register(DOCS, {
  description: 'Rows to skip, default 0',
});

const connectorOnly = z.object({ connector: connectorId });
const connectorAndScope = z.object({ connector: connectorId, scope: tradeabilityScope.default('all') });
const marketsQuery = z.object({
  connector: connectorId,
  scope: tradeabilityScope.default('tradable'),
  search: searchQuery.optional(),
  limit: limitQuery(500, 100),
  offset: offsetQuery,
});

const UNKNOWN_CONNECTOR = 'A connector that does not exist is a 400 on path `connector`.';

const MARKET_DATA = { method: 'GET', auth: 'P', tag: 'Market data' } as const;
const route = routesWith(MARKET_DATA);
const connectorRoute = routesWith({ ...MARKET_DATA, description: UNKNOWN_CONNECTOR });

export const listConnectors = route({
  path: '/connectors',
  summary: 'Connectors and their status',
  description: '`DEGRADED` also when a connector that should be up sent no market data for 5 seconds.',
  success: { 200: connectorList },
});

export const listPrices = connectorRoute({
  path: '/prices',
  summary: 'Latest prices of all instruments of a connector',
  query: connectorOnly,
  success: { 200: priceList },
});

export const listFunding = connectorRoute({
  path: '/funding',
  summary: 'Funding rates and next funding times of all instruments of a connector',
  query: connectorOnly,
  success: { 200: fundingList },
});

export const getFeeds = route({
  path: '/feeds',
  summary: 'Bitcoin dominance and prediction markets of a connector',
  description: `What the trigger conditions \`BTC_DOM\` and \`PREDICTION_MARKET_OUTCOME\` compare, both in percent. ${UNKNOWN_CONNECTOR}`,
  query: connectorOnly,
  success: { 200: feeds },
});

export const listInstruments = connectorRoute({
  path: '/instruments',
  summary: 'Instruments with their trading rules',
  query: connectorAndScope,
  success: { 200: instrumentList },
});

export const listInstrumentsLite = connectorRoute({
  path: '/instruments/lite',
  summary: 'Instruments trimmed for account syncing',
  query: connectorAndScope,
  success: { 200: instrumentLiteList },
});

export const getSymbolToIdMap = connectorRoute({
  path: '/instruments/symbol-to-id-map',
  summary: 'Map of ticker to instrument ID',
  query: connectorAndScope,
  success: { 200: symbolToIdMap },
});

export const listMarkets = route({
  path: '/markets',
  summary: 'Single-instrument markets, by descending 24 h volume',
  description: `Offset paging. ${UNKNOWN_CONNECTOR}`,
  query: marketsQuery,
  success: { 200: marketList },
});
