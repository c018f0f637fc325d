/** Every pair of a connector at once: which two move together, and which are apart now. Public. */
import { z } from 'zod';
import { COINTEGRATED_P } from './cointegrated.ts';
import { booleanQuery, connectorId, DOCS, decimal, instrumentId, isoTime, limitQuery } from './common.ts';
import { offsetQuery, searchQuery } from './market.ts';
import { routesWith } from './route.ts';
import { WIDEST_HEDGE } from './traded-hedge.ts';

const figure = decimal.nullable();
const leg = z.strictObject({ id: instrumentId, symbol: z.string() });

export const screenedPair = z
  .strictObject({
    first: leg,
    second: leg.meta({ description: 'Sorts after `first` by its ID: each pair stands here once' }),
    observations: z.int().nonnegative().register(DOCS, { description: 'Hours at which both have a price' }),
    correlation: figure.meta({ description: 'Pearson, of the hourly log returns' }),
    hedgeRatio: figure.meta({ description: 'h of ln(first) = c + h·ln(second) + spread, by least squares' }),
    zScore: figure.meta({ description: 'The last spread in its standard deviations' }),
    halfLifeHours: figure.meta({
      description: 'Half-life of a deviation of the spread; null where it does not come back',
    }),
    statistic: figure.meta({ description: 'Engle–Granger, with ⌊(n − 1)^⅓⌋ lags' }),
    pValue: figure.meta({
      description: 'That the two are not cointegrated, 0 to 1 (MacKinnon 1994, approximate)',
    }),
    direction: z.enum(['LONG_FIRST', 'SHORT_FIRST']).nullable().register(DOCS, {
      description:
        'The side of the spread that gains when it comes back to its mean: SHORT_FIRST (sell first, buy second) where zScore > 0, LONG_FIRST where it is < 0. Arithmetic, and no advice: nothing says that it comes back',
    }),
    carryApr: figure.meta({
      description: `Funding a year at the rates of now, a decimal fraction of gross notional, with \`hedgeRatio\` of the second leg to 1 of the first, or as much of the one as of the other where that is null or outside ${1 / WIDEST_HEDGE} to ${WIDEST_HEDGE}, in \`direction\` (LONG_FIRST where that is null); positive: the holder receives. null while a rate is not known`,
    }),
    volume24h: figure.meta({ description: "USD, the smaller leg's" }),
    sparkline: z.array(decimal).register(DOCS, {
      description: 'z-scores at 30 evenly spaced hours, the last one the latest; empty without a spread',
    }),
  })
  .register(DOCS, {
    id: 'ScreenedPair',
    description:
      'A figure is null where the data does not define it: fewer than 30 common hours, a price that stood still.',
  });

const ORDERS = [
  'correlation',
  '-correlation',
  'pValue',
  '-pValue',
  'zScore',
  '-zScore',
  'absZScore',
  '-absZScore',
  'halfLifeHours',
  '-halfLifeHours',
  'carryApr',
  '-carryApr',
  'volume24h',
  '-volume24h',
] as const;
export type ScreenOrder = (typeof ORDERS)[number];

const share = z
  .string()
  .regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, 'Expected a decimal from 0 to 1')
  .transform(Number);

export const getScreener = routesWith({ auth: 'P', tag: 'Market data' })({
  method: 'GET',
  path: '/analytics/screener',
  summary: 'Statistics of every pair of the most traded instruments',
  description:
    'Each unordered pair of the 100 tradable instruments with the most volume, once, over the mark prices at the ends of the last 90 days of full hours (`GET /candles`, 1h). Computed beside the gateway when somebody asks first, which takes seconds, and again after each full hour while it is asked for; meanwhile the last one is answered. `carryApr` and `volume24h` are of now. Pairs without the figure that orders come last. Offset paging; an offset behind the last row answers an empty page. A connector that does not exist is a 400 on path `connector`.',
  query: z.object({
    connector: connectorId,
    search: searchQuery.optional().register(DOCS, {
      description: 'Part of a ticker or instrument ID; two parts, apart by `/` or a space: one for each leg',
    }),
    maxPValue: share.optional().register(DOCS, { description: 'Only pairs with a p-value up to this' }),
    minAbsZScore: z
      .string()
      .regex(/^\d{1,3}(\.\d{1,6})?$/, 'Expected a decimal')
      .transform(Number)
      .optional()
      .register(DOCS, { description: 'Only pairs at least so many deviations from their mean' }),
    orderBy: z
      .enum(ORDERS)
      .default('-absZScore')
      .register(DOCS, { description: '`-` in front: the largest first. absZScore: the size of the z-score' }),
    cointegratedFirst: booleanQuery.default(false).register(DOCS, {
      description: `Pairs with a p-value up to ${COINTEGRATED_P} before all others, each part in its order`,
    }),
    limit: limitQuery(200, 50),
    offset: offsetQuery,
  }),
  success: {
    200: z
      .strictObject({
        connector: connectorId,
        asOf: isoTime
          .nullable()
          .register(DOCS, { description: 'End of the last hour of the figures; null: none are there yet' }),
        computedAt: isoTime
          .nullable()
          .register(DOCS, { description: 'When the figures were computed; null: none are there yet' }),
        progress: z
          .strictObject({ done: z.int().nonnegative(), total: z.int().nonnegative() })
          .nullable()
          .register(DOCS, { description: 'Pairs of the screen that is computed now; null: none is' }),
        error: z
          .string()
          .nullable()
          .register(DOCS, { description: 'Why the last one could not be computed' }),
        lookbackHours: z.int(),
        instruments: z.int().nonnegative(),
        limit: z.int(),
        offset: z.int(),
        count: z.int().nonnegative().register(DOCS, {
          description: 'Pairs that the filters select, on all pages together',
        }),
        cointegrated: z
          .int()
          .nonnegative()
          .register(DOCS, {
            description: `Those of them with a p-value up to ${COINTEGRATED_P}`,
          }),
        pairs: z.array(screenedPair),
      })
      .register(DOCS, { id: 'Screener' }),
  },
});
