/** A pair in one line, and weights of a basket from what its legs did. Public. */
import { z } from 'zod';
import { WEIGHTING_GAPS, WEIGHTINGS } from '../domain/enumerations.ts';
import { checkLegs, namedLegs } from './candles.ts';
import { connectorId, DOCS, decimal, instrumentId, isoTime, side } from './common.ts';
import { routesWith } from './route.ts';

const figure = decimal.nullable();
const lookback = z.enum(['24h', '7d', '30d', '90d']);

const route = routesWith({ method: 'GET', auth: 'P', tag: 'Market data' });

export const getPairSummary = route({
  path: '/analytics/pair/summary',
  summary: 'A pair in one line: ratio, 24 hours, funding both ways, open interest, statistics',
  description:
    'Prices, funding, volume and open interest are of now, the statistics of the closes of `lookback` as in `GET /analytics/pair`, which has more of them. A figure is null while the venue has not told what it is made of, or where the closes do not define it. A connector or instrument that does not exist is a 400.',
  query: z
    .object({
      connector: connectorId,
      long: instrumentId,
      short: instrumentId,
      lookback: lookback.default('30d'),
    })
    .refine(({ long, short }) => long !== short, { path: ['short'], message: 'Must be another instrument' }),
  success: {
    200: z
      .strictObject({
        connector: connectorId,
        long: instrumentId,
        short: instrumentId,
        ratio: figure.meta({ description: 'Long mark ÷ short mark' }),
        ratioChange24h: figure.meta({ description: 'Decimal fraction' }),
        fundingApr: z.strictObject({ held: figure, reversed: figure }).register(DOCS, {
          description:
            'Funding a year at the rates of now, a decimal fraction of gross notional, with as much long as short; positive: the holder receives. held: of this pair, reversed: of its inverse',
        }),
        volume24h: figure.meta({ description: "USD, the smaller leg's" }),
        openInterest: figure.meta({ description: "USD, the smaller leg's" }),
        lookback,
        observations: z.int().nonnegative(),
        asOf: isoTime.nullable().register(DOCS, { description: 'Last observation of the statistics' }),
        correlation: figure.meta({ description: 'Pearson, of the log returns' }),
        hedgeRatio: figure.meta({ description: 'h of ln(long) = c + h·ln(short) + spread' }),
        zScore: figure.meta({ description: 'The last spread in its standard deviations' }),
        halfLifeHours: figure,
        pValue: figure.meta({
          description: 'That the two are not cointegrated, as in `GET /analytics/screener`',
        }),
      })
      .register(DOCS, { id: 'PairSummary' }),
  },
});

export const getBasketWeights = route({
  path: '/analytics/weights',
  summary: 'Weights of a basket: equal, neutral in volatility or beta, by hedge ratio',
  description:
    "From closing mark prices at moments that all legs have, every 5 minutes for `24h`, every 4 hours for `90d`, every hour otherwise; a side's composite is the mean of its legs' logarithms. EQUAL: half for each side, its legs alike. VOLATILITY_NEUTRAL: each leg by the inverse of its volatility. BETA_NEUTRAL: shorts to longs as β to 1, β the slope of the longs' composite returns on the shorts'. HEDGE_RATIO: as h to 1, ln(longs) = c + h·ln(shorts) + e by least squares; the legs of a side alike in both. Weights are decimals that sum to exactly 1, as legs with `mode: WEIGHT` take them. A connector or instrument that does not exist is a 400.",
  query: z
    .object({
      connector: connectorId,
      ...namedLegs,
      lookback: lookback.default('30d'),
    })
    .superRefine(checkLegs),
  success: {
    200: z
      .strictObject({
        connector: connectorId,
        lookback,
        interval: z.string().register(DOCS, { description: 'Time between two observations' }),
        from: isoTime.nullable(),
        to: isoTime.nullable(),
        observations: z.int().nonnegative(),
        legs: z.array(
          z.strictObject({
            symbol: instrumentId,
            side,
            volatility: figure.meta({
              description: 'Sample standard deviation of the log returns from one observation to the next',
            }),
          }),
        ),
        weightings: z.array(
          z.strictObject({
            weighting: z.enum(WEIGHTINGS),
            weights: z
              .array(decimal)
              .nullable()
              .register(DOCS, { description: 'In the order of `legs`; null: see `reason`' }),
            reason: z.enum(WEIGHTING_GAPS).nullable().register(DOCS, {
              description:
                'Why there are no weights. TOO_FEW_OBSERVATIONS: fewer than 30. ONE_SIDE: it takes longs and shorts. NOT_POSITIVE: β or h is 0 or less, no short hedges the longs. STOOD_STILL: a price did not move',
            }),
            figure: figure.meta({ description: 'β of BETA_NEUTRAL, h of HEDGE_RATIO' }),
          }),
        ),
      })
      .register(DOCS, { id: 'BasketWeights' }),
  },
});
