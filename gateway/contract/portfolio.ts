/** What an account has brought and at what risk. */
import { z } from 'zod';
import { booleanQuery, decimal, instrumentId, isoTime } from './common.ts';
import { checkDateOrder, dateRangeQuery } from './date-range.ts';
import { route } from './route.ts';

const sourceQuery = z.enum(['all', 'gateway', 'external']).default('all').meta({
  description:
    '`gateway`: what this gateway traded, liquidations of its positions included. `external`: what was done on the venue account otherwise.',
});

const money = (description: string) => decimal.meta({ description: `USD; ${description}` });
const figure = (description: string) =>
  decimal.nullable().meta({ description: `${description}. null: the data do not define it` });

const bucket = z
  .strictObject({
    start: isoTime,
    end: isoTime.meta({ description: 'Exclusive' }),
    pnl: money('realised PnL − fees + funding'),
    fees: money('paid'),
    funding: money('positive: received'),
    volume: money('Σ notional of the fills'),
    trades: z.int().meta({ description: 'Positions closed' }),
  })
  .meta({ id: 'PortfolioBucket' });

export const portfolio = z
  .strictObject({
    equity: decimal.nullable().meta({ description: 'Now, USD; null while the venue does not answer' }),
    balance: decimal.nullable().meta({ description: 'Now, USD; null while the venue does not answer' }),
    unrealizedPnl: money('now'),
    realizedPnl: money('of price only'),
    fees: money('paid'),
    funding: money('positive: received'),
    volume: money('Σ notional of the fills'),
    winCount: z.int(),
    lossCount: z.int(),
    hitRate: figure('Wins ÷ (wins + losses), a fraction'),
    profitFactor: figure('Σ of the wins ÷ Σ of the losses'),
    averageWin: figure('USD'),
    averageLoss: figure('USD, positive'),
    buckets: z.array(bucket),
  })
  .meta({ id: 'Portfolio' });

export const getPortfolio = route({
  method: 'GET',
  path: '/portfolio',
  auth: 'K',
  account: true,
  tag: 'Portfolio',
  summary: "The account's result over a range, with buckets",
  description:
    "A win or a loss is a position closed in the range, by its net PnL; one that ends at exactly 0 is neither. Buckets are hours up to 2 days, days up to 120, weeks (from Monday, UTC) beyond; they have no gaps and their sums are the totals. The range is cut to the account's history and widened to whole hours (hour buckets) or whole UTC days. Equity, balance and unrealizedPnl are of now, whatever the range.",
  query: z.object({ ...dateRangeQuery, source: sourceQuery }).superRefine(checkDateOrder),
  success: { 200: portfolio },
});

const date = z.iso.date().meta({ description: 'UTC day' });

const risk = z
  .strictObject({
    sharpe: figure('Mean daily return ÷ its standard deviation × √365'),
    sortino: figure('Mean daily return ÷ downside deviation × √365'),
    calmar: figure('Compound annual growth ÷ deepest drawdown'),
    volatility: figure('Standard deviation of the daily returns × √365, a fraction'),
    maxDrawdown: z.strictObject({
      value: figure('USD'),
      pct: figure('Percent of the peak'),
      from: date.nullable().meta({ description: 'Day of the peak' }),
      to: date.nullable().meta({ description: 'Day of the trough' }),
      recoveredAt: date.nullable().meta({ description: 'null: not yet' }),
    }),
    valueAtRisk95: figure('5 % quantile of the daily returns, as a positive loss fraction; from 20 days on'),
    expectedShortfall95: figure('Mean of the returns at or below it, as a positive loss fraction'),
    beta: figure(
      'Covariance with the daily returns of BTC-PERP on the same connector ÷ their variance (both sample). A day is a UTC day, its market return mark price at its end ÷ mark price at the end of the day before − 1; the running day and days without a recorded price are left out',
    ),
    ulcerIndex: figure('√(mean of the squared drawdowns in percent)'),
  })
  .meta({ id: 'PortfolioRisk' });

const asset = z
  .strictObject({
    symbol: instrumentId,
    ticker: z.string(),
    fills: z.int(),
    volume: money('Σ notional of the fills'),
    realizedPnl: money('of price only'),
    fees: money('paid'),
    funding: money('positive: received'),
    pnl: money('realizedPnl − fees + funding'),
  })
  .meta({ id: 'PortfolioAsset' });

const pair = z
  .strictObject({
    basketKey: z.string(),
    trades: z.int().meta({ description: 'Positions closed' }),
    pnl: money('net of fees and funding'),
    hitRate: figure('Wins ÷ (wins + losses), a fraction'),
    averageHoldSeconds: z.int(),
  })
  .meta({ id: 'PortfolioPair' });

const point = z
  .strictObject({
    date: date.meta({ description: 'First UTC day of the point' }),
    equity: money('at its end'),
    pnl: money('realised PnL − fees + funding'),
    drawdown: decimal.meta({ description: 'Percent below the highest equity so far, at its end' }),
    rollingSharpe: figure('Of the window that ends with it'),
    rollingSortino: figure('Of the window that ends with it'),
    rollingVolatility: figure('Of the window that ends with it'),
  })
  .meta({ id: 'PortfolioPoint' });

export const portfolioAnalytics = z
  .strictObject({
    risk,
    assets: z.array(asset).meta({ description: 'Largest volume first' }),
    pairs: z.array(pair).meta({ description: 'Largest PnL first' }),
    series: z.array(point).optional().meta({ description: 'With `includeSeries`, oldest first' }),
  })
  .meta({ id: 'PortfolioAnalytics' });

const windowDays = z
  .string()
  .regex(/^\d{1,4}$/, 'Expected an integer')
  .transform(Number)
  .pipe(z.int().min(2, 'Must be at least 2').max(365, 'Must be at most 365'))
  .default(30)
  .meta({ description: 'Days of the rolling window, 2 to 365, default 30' });

export const getPortfolioAnalytics = route({
  method: 'GET',
  path: '/portfolio/analytics',
  auth: 'K',
  account: true,
  tag: 'Portfolio',
  summary: 'Risk metrics, instruments, baskets and the daily series',
  description:
    'A daily return is realised PnL − fees + funding of a UTC day ÷ the equity at its start. Days without anything count with 0; the running day counts. Equity is counted back from the balance of now, so a deposit counts as if it had always been there. Annualised by √365, risk-free rate 0, sample standard deviation. Statistics have 12 significant figures. A metric that its data do not define is null, and so is all risk while the venue does not answer.',
  query: z
    .object({
      ...dateRangeQuery,
      interval: z
        .enum(['1d', '1w'])
        .default('1d')
        .meta({ description: 'Of the series; weeks begin on Monday' }),
      rollingWindowDays: windowDays,
      includeSeries: booleanQuery.default(false),
      source: sourceQuery,
    })
    .superRefine(checkDateOrder),
  success: { 200: portfolioAnalytics },
});
