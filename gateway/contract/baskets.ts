/** Market discovery: the baskets of a connector, and how often each was opened. Public. */
import { z } from 'zod';
import { connectorId, DOCS, decimal, instrumentId, limitQuery, side } from './common.ts';
import { offsetQuery, tradeability, tradeabilityScope } from './market.ts';
import { routesWith } from './route.ts';

export const basketKey = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'Expected 64 lowercase hex characters')
  .register(DOCS, {
    id: 'BasketKey',
    description: 'Stable hash of the legs of a basket; the weights are no part of it',
  });

const figure = decimal.nullable();

export const marketBasket = z
  .strictObject({
    connector: connectorId,
    basketKey,
    displaySymbol: z.string().register(DOCS, { description: 'Longs, then shorts', example: 'BTC+SOL/ETH' }),
    legs: z.array(z.strictObject({ id: instrumentId, symbol: z.string(), side })),
    price: figure.meta({
      description: 'Geometric mean price of the longs ÷ that of the shorts; for a pair the price ratio',
    }),
    priceChange24h: figure.meta({ description: 'Decimal fraction: `0.0125` is +1.25 %' }),
    weightRatio: figure.meta({
      description:
        'Π price^w over longs × Π price^−w over shorts. Each side weighs half of the basket, its legs weigh the same; a basket with one side only weighs 1 on it.',
    }),
    weightRatioChange24h: figure.meta({ description: 'Decimal fraction' }),
    netFunding: figure.meta({
      description:
        'Σ ±w × hourly rate, a decimal fraction of gross notional an hour; positive: the holder pays',
    }),
    volume24h: figure.meta({ description: "USD, the smallest leg's" }),
    openInterest: figure.meta({ description: "USD, the smallest leg's" }),
    tradeability: tradeability.meta({ description: 'That of the least tradable leg' }),
    updatedAt: z
      .int()
      .nonnegative()
      .register(DOCS, { description: 'Epoch ms of the latest leg price; 0 while there is none' }),
    hasMaterializedStats: z
      .boolean()
      .register(DOCS, { description: 'true: once opened or saved on this gateway; false: a generated pair' }),
  })
  .register(DOCS, {
    id: 'MarketBasket',
    description: 'A figure is null while the venue has not told what it is made of for every leg.',
  });

export const marketBasketList = z
  .strictObject({
    limit: z.int(),
    offset: z.int(),
    count: z
      .int()
      .register(DOCS, { description: 'Baskets that scope and search select, on all pages together' }),
    markets: z.array(marketBasket),
  })
  .register(DOCS, { id: 'MarketBasketList' });

const route = routesWith({ auth: 'P', tag: 'Market data' });

export const listMarketBaskets = route({
  method: 'GET',
  path: '/markets/baskets',
  summary: 'Baskets: those opened or saved here before, then every pair of tradable instruments',
  description:
    'Each of the two parts by descending 24 h volume. Pairs are ordered unless `pairs` says otherwise: BTC/ETH and ETH/BTC are two. The default scope leaves out baskets that are `reduce_only` or `not_tradable`; tradeability should be checked again before an order. Offset paging; an offset behind the last row answers an empty page. A connector that does not exist is a 400 on path `connector`.',
  query: z.object({
    connector: connectorId,
    scope: tradeabilityScope.default('tradable'),
    search: z.string().max(64).optional().register(DOCS, {
      description:
        'Case-insensitive: part of a ticker or instrument ID (`sol`), a long and a short side (`SOL/ETH`), or legs of either side (`sol eth`)',
    }),
    pairs: z.enum(['ORDERED', 'UNORDERED']).default('ORDERED').register(DOCS, {
      description: 'UNORDERED: a pair and its inverse are one row, opened or saved ones too',
    }),
    limit: limitQuery(200, 50),
    offset: offsetQuery,
  }),
  success: { 200: marketBasketList },
});

export const countBasketPositions = route({
  method: 'POST',
  path: '/markets/baskets/positions',
  summary: 'How often baskets were opened, and by how many traders',
  description:
    'Cumulative and never decremented; recorded when an open made through the service completes. One row per key, in the order asked; a basket never opened reads zero. Summed over venues, a trader counts once per venue. A connector that does not exist is a 400.',
  // The maximum of 500 keys takes 33.5 kB.
  bodyLimitBytes: 64 * 1024,
  body: z
    .strictObject({
      basketKeys: z.array(basketKey).min(1, 'Needs at least one key').max(500, 'Must be at most 500 keys'),
      connector: z
        .array(connectorId)
        .min(1, 'Leave connector out to sum all venues')
        .max(64)
        .optional()
        .register(DOCS, { description: 'Venues to sum; left out: all' }),
    })
    .register(DOCS, {
      id: 'CountBasketPositions',
      example: { basketKeys: ['7c3e1b9f5a2d4c6e8f0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60'] },
    }),
  success: {
    200: z
      .strictObject({
        counts: z.array(
          z.strictObject({
            basketKey,
            opened: z.int().nonnegative().register(DOCS, { description: 'Positions ever opened' }),
            traders: z
              .int()
              .nonnegative()
              .register(DOCS, { description: 'Distinct traders, each once per venue' }),
          }),
        ),
      })
      .register(DOCS, { id: 'BasketCounts' }),
  },
});
