/** Candles of instruments and of baskets, and how two instruments move together. */
import { z } from 'zod';
import { CANDLE_INTERVALS, type CandleInterval, INTERVAL_MS } from '../domain/candle-intervals.ts';
import { HALF_LIFE_GAPS, PAIR_GAPS } from '../domain/enumerations.ts';
import { connectorId, DOCS, decimal, instrumentId, isoTime, withQueryForm } from './common.ts';
import { tradeability } from './market.ts';
import { routesWith } from './route.ts';

const MAX_CANDLES = 2_000;
const DEFAULT_CANDLES = 300;
/** Limit on candles × legs in an answer: a basket of twenty legs still gets the default 300 candles. */
const MAX_LEG_CANDLES = 6_000;
const MAX_TIME = 8_640_000_000_000_000;

/** ISO 8601 or epoch milliseconds → epoch milliseconds. */
const instant = z
  .string()
  .transform((text, context) => {
    const at = /^\d{1,16}$/.test(text) ? Number(text) : isoTimeOf(text);
    if (at !== null && at <= MAX_TIME) return at;
    context.addIssue({ code: 'custom', message: 'Expected an ISO 8601 time or epoch milliseconds' });
    return z.NEVER;
  })
  .register(DOCS, {
    description: 'ISO 8601 with an offset or `Z`, or epoch milliseconds',
    example: '2026-01-31T12:00:00Z',
  });

function isoTimeOf(text: string): number | null {
  const parsed = z.union([z.iso.datetime({ offset: true }), z.iso.date()]).safeParse(text);
  return parsed.success ? Math.max(0, Date.parse(parsed.data)) : null;
}

const interval = z.enum(CANDLE_INTERVALS).register(DOCS, {
  id: 'CandleInterval',
  description: 'Candles begin at whole multiples of it (UTC), weeks on Monday at 00:00',
});

export const instrumentIds = z
  .union([z.string(), z.array(z.string())])
  .transform((raw) => (Array.isArray(raw) ? raw : [raw]).flatMap((part) => part.split(',')))
  .pipe(z.array(instrumentId).min(1).max(20));
withQueryForm(instrumentIds, { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 20 });

const weightList = z
  .union([z.string(), z.array(z.string())])
  .transform((raw) => (Array.isArray(raw) ? raw : [raw]).flatMap((part) => part.split(',')))
  .pipe(
    z
      .array(
        z
          .string()
          .regex(/^\d{1,20}(\.\d{1,18})?$/, 'Expected a decimal')
          .refine((value) => !/^[0.]*$/.test(value), 'Must be greater than 0'),
      )
      .min(1)
      .max(20),
  );
withQueryForm(weightList, {
  type: 'array',
  items: { type: 'string', pattern: '^\\d{1,20}(\\.\\d{1,18})?$' },
  minItems: 1,
  maxItems: 20,
});

/** A basket in a query; with `checkLegs`. */
export const namedLegs = {
  long: instrumentIds.optional().register(DOCS, { description: 'Instrument IDs of the long legs' }),
  short: instrumentIds.optional().register(DOCS, { description: 'Instrument IDs of the short legs' }),
};
export const weighedLegs = {
  ...namedLegs,
  weights: weightList.optional().register(DOCS, {
    description: 'Of the long legs, then the short legs; only their proportions count. Default: equal',
  }),
};

/** Legs of a basket that a query names, the long ones apart from the short ones, with weights or without. */
export function checkLegs(
  {
    long = [],
    short = [],
    weights,
  }: {
    readonly long?: readonly string[] | undefined;
    readonly short?: readonly string[] | undefined;
    readonly weights?: readonly string[] | undefined;
  },
  context: z.RefinementCtx,
): void {
  const legs = [...long, ...short];
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  if (legs.length === 0) refuse('long', 'A basket needs at least one leg');
  if (legs.length > 20) refuse('short', 'At most 20 legs');
  if (new Set(legs).size !== legs.length) refuse('short', 'An instrument may be named only once');
  if (weights !== undefined && weights.length !== legs.length)
    refuse('weights', 'One weight for each leg is needed');
}

export const candle = z
  .strictObject({
    start: isoTime,
    open: decimal,
    high: decimal,
    low: decimal,
    close: decimal,
    isComplete: z.boolean().register(DOCS, { description: 'false: the interval is still running' }),
  })
  .register(DOCS, { id: 'Candle' });

interface TimeRange {
  readonly interval: CandleInterval;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The most candles that one answer holds for a basket of `legs` legs. */
export function maxBasketCandles(legs: number): number {
  return Math.min(MAX_CANDLES, Math.floor(MAX_LEG_CANDLES / Math.max(1, legs)));
}

function checkRange(range: TimeRange, context: z.RefinementCtx, most: number): void {
  const { from, to } = range;
  if (from === undefined || to === undefined) return;
  if (from > to) context.addIssue({ code: 'custom', path: ['from'], message: 'Must not be after `to`' });
  else if ((to - from) / INTERVAL_MS[range.interval] > most)
    context.addIssue({ code: 'custom', path: ['from'], message: `At most ${most} candles an answer` });
}

/** The range with its defaults, epoch ms: `to` is now, `from` three hundred candles before `to`. */
export function candleRange(
  range: TimeRange,
  now: number,
  most = MAX_CANDLES,
): { readonly from: number; readonly to: number } {
  const step = INTERVAL_MS[range.interval];
  const to = range.to ?? (range.from === undefined ? now : Math.min(now, range.from + most * step));
  return { from: range.from ?? Math.max(0, to - DEFAULT_CANDLES * step), to };
}

const RANGE_WORDS =
  'Candles that begin in [`from`, `to`), oldest first; without `from` the last 300 before `to`, without `to` up to now. The running candle is the last one and `isComplete: false`.';
const KEPT_WORDS =
  'Of mark prices, recorded by the gateway: 1m for a day, 5m, 15m and 30m for three days, 1h, 2h, 4h and 12h for 91 days, 1d and 1w for ever; where the recording began or stood still within a candle, the candle has what was recorded. On the paper venues the 120 days before the recording, and times in which the gateway was off, are simulated.';

const route = routesWith({ auth: 'P', tag: 'Market data' });

export const listCandles = route({
  method: 'GET',
  path: '/candles',
  summary: 'Candles of an instrument',
  description: `${RANGE_WORDS} At most 2000 an answer. ${KEPT_WORDS} A connector or instrument that does not exist is a 400.`,
  query: z
    .object({
      connector: connectorId,
      symbol: instrumentId,
      interval,
      from: instant.optional(),
      to: instant.optional(),
    })
    .superRefine((range, context) => checkRange(range, context, MAX_CANDLES)),
  success: { 200: z.strictObject({ candles: z.array(candle) }).register(DOCS, { id: 'CandleList' }) },
});

export const listBasketCandles = route({
  method: 'GET',
  path: '/candles/basket',
  summary: "Candles of a basket's ratio",
  description: `\`PRICE_RATIO\`: the long side's weighted geometric mean price ÷ the short side's (of a pair: the price ratio). \`WEIGHTED_RATIO\`: Π price^(+w) × Π price^(−w). Baskets of any number of legs; a trigger's condition \`PRICE_RATIO\` takes one long and one short leg, where both are the same number, and a trigger on a larger basket watches \`WEIGHTED_RATIO\`. Open and close are exact; high and low are exact for one leg, and otherwise the extremes at the opens and closes of the finer candles inside. At most 2000 candles an answer, and 6000 divided by the number of legs. ${RANGE_WORDS} ${KEPT_WORDS}`,
  query: z
    .object({
      connector: connectorId,
      ...weighedLegs,
      metric: z.enum(['PRICE_RATIO', 'WEIGHTED_RATIO']).default('PRICE_RATIO'),
      interval,
      from: instant.optional(),
      to: instant.optional(),
    })
    .superRefine((query, context) => {
      const { long = [], short = [] } = query;
      checkRange(query, context, maxBasketCandles(long.length + short.length));
      checkLegs(query, context);
    }),
  success: { 200: z.strictObject({ candles: z.array(candle) }).register(DOCS, { id: 'BasketCandleList' }) },
});

const figure = decimal.nullable();

export const pairAnalytics = z
  .strictObject({
    connector: connectorId,
    long: instrumentId,
    short: instrumentId,
    lookback: z.enum(['24h', '7d', '30d', '90d']),
    interval: z.string().register(DOCS, { description: 'Time between two observations' }),
    from: isoTime.nullable().register(DOCS, { description: 'First observation' }),
    to: isoTime.nullable().register(DOCS, { description: 'Last observation' }),
    observations: z.int().nonnegative(),
    reason: z.enum(PAIR_GAPS).nullable().register(DOCS, {
      description:
        'Why figures are null. TOO_FEW_OBSERVATIONS: fewer than 30 in common. LONG_CONSTANT, SHORT_CONSTANT: the price of that leg stood still, so there is neither correlation nor spread (beta is 0 where it is the long one). NO_SPREAD: the two are multiples of each other; correlation, beta and hedge ratio stand.',
    }),
    tradeability: z.strictObject({ long: tradeability, short: tradeability }).register(DOCS, {
      description: 'Now. Of an instrument that is not tradable any more the figures are of its past',
    }),
    correlation: figure.meta({ description: 'Pearson, of the log returns' }),
    beta: figure.meta({ description: "Slope of the long leg's log returns on the short leg's" }),
    hedgeRatio: figure.meta({ description: 'h of ln(long) = c + h·ln(short) + spread, by least squares' }),
    spreadDeviation: figure.meta({ description: 'Sample standard deviation of the spread' }),
    zScore: figure.meta({ description: 'The last spread in its standard deviations' }),
    halfLifeHours: figure.meta({
      description:
        'Time in which half of a deviation is gone, ln 2 ÷ −ln(1 + λ) of the fit Δe_t = a + λ·e_t−1; null: see halfLifeReason',
    }),
    halfLifeReason: z.enum(HALF_LIFE_GAPS).nullable().register(DOCS, {
      description:
        'Why there is no half-life although there is a spread. DOES_NOT_REVERT: λ ≥ 0, deviations do not shrink. OSCILLATES: λ ≤ −1, the spread jumps from one side to the other within an observation.',
    }),
    cointegration: z
      .strictObject({
        test: z.literal('ENGLE_GRANGER'),
        statistic: decimal,
        lags: z.int().nonnegative().register(DOCS, {
          description:
            'Lagged differences in the augmented Dickey–Fuller regression without constant on the residuals of the hedge regression: ⌊(n − 1)^⅓⌋ of n observations (Said and Dickey 1984), not chosen by an information criterion',
        }),
        criticalValues: z.strictObject({ '0.01': decimal, '0.05': decimal, '0.1': decimal }).register(DOCS, {
          description: 'MacKinnon (2010), two series and a constant, for the observations in the regression',
        }),
        pValueBand: z.enum(['<0.01', '0.01-0.05', '0.05-0.1', '>0.1']).register(DOCS, {
          description: 'Of "not cointegrated": the smaller, the more the spread comes back',
        }),
        pValue: decimal.meta({
          description:
            'As in `GET /analytics/screener` (MacKinnon 1994, approximate), which is over another span; at its edges the band, of the critical values for so many observations, may be the next one',
        }),
      })
      .nullable(),
    history: z
      .array(z.strictObject({ time: isoTime, ratio: decimal, zScore: decimal.nullable() }))
      .register(DOCS, { description: 'Price ratio long ÷ short, oldest first' }),
  })
  .register(DOCS, { id: 'PairAnalytics' });

export const getPairAnalytics = route({
  method: 'GET',
  path: '/analytics/pair',
  summary: 'How two instruments move together',
  description:
    'Correlation, beta, spread z-score, half-life of mean reversion and the Engle–Granger test for cointegration, from closing mark prices: every 5 minutes for `24h`, every 4 hours for `90d`, every hour otherwise. A figure that the data does not define is null, and `reason` and `halfLifeReason` say why; with fewer than 30 common observations all are.',
  query: z
    .object({
      connector: connectorId,
      long: instrumentId,
      short: instrumentId,
      lookback: z.enum(['24h', '7d', '30d', '90d']).default('30d'),
    })
    .refine(({ long, short }) => long !== short, { path: ['short'], message: 'Must be another instrument' }),
  success: { 200: pairAnalytics },
});
