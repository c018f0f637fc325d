/** Portfolio of an account: its profit and loss, and its risk. */
import { z } from 'zod';
import { booleanQuery, DOCS, decimal, instrumentId, integerQuery, isoTime } from './common.ts';
import { checkDateOrder, dateRangeQuery } from './date-range.ts';
import { position } from './positions.ts';
import { routesWith } from './route.ts';
import { unassignedHolding } from './sync.ts';

const sourceQuery = z.enum(['all', 'gateway', 'external']).default('all').register(DOCS, {
  description:
    '`gateway`: what this gateway traded, liquidations of its positions included. `external`: what was done on the venue account otherwise.',
});

const money = (description: string) => decimal.meta({ description: `USD; ${description}` });
const figure = (description: string) =>
  decimal.nullable().register(DOCS, { description: `${description}. null: the data do not define it` });

const bucket = z
  .strictObject({
    start: isoTime,
    end: isoTime.meta({ description: 'Exclusive' }),
    pnl: money('realised PnL − fees + funding'),
    fees: money('paid'),
    funding: money('positive: received'),
    volume: money('Σ notional of the fills'),
    trades: z.int().register(DOCS, { description: 'Positions closed' }),
  })
  .register(DOCS, { id: 'PortfolioBucket' });

/** Parts of an account's equity: equity − deposits = realizedPnl − fees + funding + unrealizedPnl. */
const parts = {
  realizedPnl: money('of price only'),
  fees: money('paid'),
  funding: money('positive: received'),
  unrealizedPnl: money('at mark'),
  pnl: money('realizedPnl − fees + funding + unrealizedPnl'),
};

const ledger = z
  .strictObject({
    equity: money('deposits + pnl'),
    deposits: money('paid in less what was paid out'),
    ...parts,
    sources: z.array(z.strictObject({ source: z.enum(['gateway', 'external']), ...parts })),
    instruments: z.array(z.strictObject({ symbol: instrumentId, ...parts })),
    baskets: z.array(
      z.strictObject({
        basketKey: z.string(),
        closedPnl: money('of its closed positions, net of fees and funding'),
        ...parts,
        pnl: money('closedPnl + realizedPnl − fees + funding + unrealizedPnl; these of its open position'),
      }),
    ),
    unassigned: z
      .strictObject({
        closedPnl: money('realised, net of fees and funding'),
        unrealizedPnl: money('at mark'),
        pnl: money('closedPnl + unrealizedPnl'),
      })
      .register(DOCS, { description: 'What is in no basket' }),
  })
  .register(DOCS, {
    id: 'PortfolioLedger',
    description:
      'What the equity is made of, of all time and as of one moment. `pnl` of the sources, of the instruments, and of the baskets with what is in none, each add up to `pnl`, to the last digit.',
  });

const dayChange = z
  .strictObject({
    start: isoTime.meta({ description: 'Of the running UTC day' }),
    pnl: money('what the equity has changed by since, without deposits: realizedPnl + unrealizedPnl'),
    realizedPnl: money('net: of price, less fees, with funding'),
    unrealizedPnl: money('what unrealised PnL has changed by'),
    deposits: money('paid in less what was paid out'),
  })
  .register(DOCS, { id: 'PortfolioDay' });

const holdings = z
  .strictObject({
    positions: z.array(position).register(DOCS, { description: 'Open, newest first' }),
    unassigned: z
      .array(unassignedHolding)
      .register(DOCS, { description: 'In no basket, as in `GET /positions/unassigned`' }),
  })
  .register(DOCS, {
    id: 'PortfolioHoldings',
    description:
      'All that the account holds, of the records and at the marks of the moment that the figures of now are of: `unrealizedPnl` of both lists add up to `unrealizedPnl` of all sources, to the last digit. No pagination.',
  });

export const portfolio = z
  .strictObject({
    equity: decimal.nullable().register(DOCS, {
      description:
        'Now, USD: deposits and all that trading has brought, marked to market; null while the venue does not answer',
    }),
    balance: decimal.nullable().register(DOCS, {
      description:
        'Now, USD: equity without unrealizedPnl. By the lots of each basket: a venue that nets baskets which share an instrument has realised another part of the same equity. null while the venue does not answer',
    }),
    deposits: decimal.nullable().register(DOCS, {
      description:
        'Paid in less what was paid out, USD, of all time; a paper reset pays out what is there and pays the starting balance in. null while the venue does not answer',
    }),
    unrealizedPnl: money('now, by the lots of each basket and of what is in none'),
    realizedPnl: money('of price only'),
    fees: money('paid'),
    funding: money('positive: received'),
    netPnl: money('realizedPnl − fees + funding: what the range has realised'),
    volume: money('Σ notional of the fills'),
    winCount: z.int(),
    lossCount: z.int(),
    hitRate: figure('Wins ÷ (wins + losses), a fraction'),
    profitFactor: figure('Σ of the wins ÷ Σ of the losses'),
    averageWin: figure('USD'),
    averageLoss: figure('USD, positive'),
    buckets: z.array(bucket),
    day: dayChange.nullable().optional().register(DOCS, {
      description:
        'With `includeDay`; of the account whatever the range and the source. null while the venue does not answer',
    }),
    ledger: ledger
      .nullable()
      .optional()
      .register(DOCS, { description: 'With `includeLedger`; null while the venue does not answer' }),
    holdings: holdings.optional().register(DOCS, {
      description: 'With `includeHoldings`; of the account whatever the range and the source',
    }),
  })
  .register(DOCS, { id: 'Portfolio' });

const route = routesWith({ method: 'GET', auth: 'K', account: true, tag: 'Portfolio' });

export const getPortfolio = route({
  path: '/portfolio',
  summary: "The account's result over a range, with buckets",
  description:
    "A win or a loss is a position closed in the range, by its net PnL; one that ends at exactly 0 is neither. Buckets are hours up to 2 days, days up to 120, weeks (from Monday, UTC) beyond; they have no gaps and their sums are the totals. The range is cut to the account's history and widened to whole hours (hour buckets) or whole UTC days. Equity, balance, deposits and unrealizedPnl are of now, whatever the range. Without a range and with `source=all`: equity = deposits + realizedPnl − fees + funding + unrealizedPnl, to the last digit; `ledger` has the same for each source, instrument and basket.",
  query: z
    .object({
      ...dateRangeQuery,
      source: sourceQuery,
      includeLedger: booleanQuery.default(false),
      includeDay: booleanQuery.default(false),
      includeHoldings: booleanQuery.default(false),
    })
    .superRefine(checkDateOrder),
  success: { 200: portfolio },
});

const basis = z.enum(['MARKED', 'REALIZED']);

const date = z.iso.date().register(DOCS, { description: 'UTC day' });

const risk = z
  .strictObject({
    sharpe: figure('Mean daily return ÷ its standard deviation × √365'),
    sortino: figure('Mean daily return ÷ downside deviation × √365'),
    calmar: figure('Compound annual growth ÷ deepest drawdown'),
    volatility: figure('Standard deviation of the daily returns × √365, a fraction'),
    maxDrawdown: z.strictObject({
      value: figure(
        'Deepest fall of the equity by percent, in USD. Of samples at every minute, also within a day; deposits and withdrawals are no fall. The percentage of a range does not shrink; these USD belong to it',
      ),
      pct: figure('Percent of the peak'),
      from: date.nullable().register(DOCS, { description: 'Day of the peak' }),
      to: date.nullable().register(DOCS, { description: 'Day of the trough' }),
      recoveredAt: date.nullable().register(DOCS, { description: 'null: not yet' }),
    }),
    valueAtRisk95: figure('5 % quantile of the daily returns, as a positive loss fraction; from 20 days on'),
    expectedShortfall95: figure('Mean of the returns at or below it, as a positive loss fraction'),
    beta: figure(
      'Covariance with the daily returns of BTC-PERP on the same connector ÷ their variance (both sample). A day is a UTC day, its market return mark price at its end ÷ mark price at the end of the day before − 1; the running day and days without a recorded price are left out',
    ),
    ulcerIndex: figure('√(mean of the squared drawdowns in percent)'),
  })
  .register(DOCS, { id: 'PortfolioRisk' });

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
  .register(DOCS, { id: 'PortfolioAsset' });

const pair = z
  .strictObject({
    basketKey: z.string(),
    trades: z.int().register(DOCS, { description: 'Positions closed' }),
    pnl: money('net of fees and funding'),
    hitRate: figure('Wins ÷ (wins + losses), a fraction'),
    averageHoldSeconds: z.int(),
  })
  .register(DOCS, { id: 'PortfolioPair' });

const point = z
  .strictObject({
    date: date.meta({ description: 'First UTC day of the point' }),
    equity: money('at its end'),
    pnl: money('realised PnL − fees + funding'),
    unrealizedPnl: money(
      'what unrealised PnL has changed by: equity before + deposits + pnl + unrealizedPnl = equity',
    ),
    deposits: money('paid in less what was paid out'),
    basis: basis.meta({
      description:
        '`MARKED`: equity is a sample, marked to market, of each of its days. `REALIZED`: no sample was taken; only what was realised counts',
    }),
    drawdown: decimal.meta({
      description: 'Percent below the highest equity so far, deposits left out, at its end',
    }),
    rollingSharpe: figure('Of the window that ends with it, days before the range included'),
    rollingSortino: figure('Of the window that ends with it, days before the range included'),
    rollingVolatility: figure('Of the window that ends with it, days before the range included'),
  })
  .register(DOCS, { id: 'PortfolioPoint' });

export const portfolioAnalytics = z
  .strictObject({
    risk,
    basis: z.enum(['MARKED', 'REALIZED', 'MIXED']).nullable().register(DOCS, {
      description:
        'What the daily equity behind `risk` is: marked to market, of realised results only (days before `sampledSince`, or without a sample), or both. null: there is no day',
    }),
    sampledSince: isoTime.nullable().register(DOCS, {
      description: 'When the equity of this account was first sampled; null: not yet',
    }),
    assets: z.array(asset).register(DOCS, { description: 'Largest volume first' }),
    pairs: z.array(pair).register(DOCS, { description: 'Largest PnL first' }),
    series: z.array(point).optional().register(DOCS, { description: 'With `includeSeries`, oldest first' }),
  })
  .register(DOCS, { id: 'PortfolioAnalytics' });

const windowDays = integerQuery(2, 365, 30).register(DOCS, {
  description: 'Days of the rolling window, 2 to 365, default 30',
});

export const getPortfolioAnalytics = route({
  path: '/portfolio/analytics',
  summary: 'Risk metrics, instruments, baskets and the daily series',
  description:
    'Equity is sampled marked to market: at the end of every hour, soon after each trade, and at each start of the gateway. A daily return is what the equity of a UTC day’s last sample has grown by since the day before, time-weighted: a deposit, a withdrawal or a paper reset within it is no gain and no loss. Days before `sampledSince`, and days without a sample, count realised PnL − fees + funding only, `basis` says which they are; what was unrealised when sampling began is no gain. Days without anything count with 0; the running day counts as it stands now. With a `source` the equity is that of an account in which the other one has not traded. Samples are kept for 2 days, the last of each hour for 92 days, the last of each day for ever. Annualised by √365, risk-free rate 0, sample standard deviation. Statistics have 12 significant figures. A metric that its data do not define is null, and so is all risk while the venue does not answer.',
  query: z
    .object({
      ...dateRangeQuery,
      interval: z
        .enum(['1d', '1w'])
        .default('1d')
        .register(DOCS, { description: 'Of the series; weeks begin on Monday' }),
      rollingWindowDays: windowDays,
      includeSeries: booleanQuery.default(false),
      source: sourceQuery,
    })
    .superRefine(checkDateOrder),
  success: { 200: portfolioAnalytics },
});
