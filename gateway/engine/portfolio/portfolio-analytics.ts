/**
 * Risk of an account, and the result of each instrument and each basket. Computed from stored daily sums, never from
 * fills, so that years of history cost a few milliseconds.
 */
import { type Atto, atto, attoText } from '../../domain/atto.ts';
import {
  calmar,
  type Drawdown,
  depositsBefore,
  drawdowns,
  type EquityBasis,
  type EquityDay,
  type EquityMarks,
  equityCurve,
  maxDrawdown,
  ulcerIndex,
} from '../../domain/equity-curve.ts';
import { markOf } from '../../domain/equity-mark.ts';
import { DAY_MS, weekOf, wholeDays } from '../../domain/history-range.ts';
import type { TradeAccount } from '../../domain/model.ts';
import { momentsOf } from '../../domain/moments.ts';
import type { AssetTotals, BasketTotals } from '../../domain/portfolio.ts';
import {
  beta,
  NO_METRICS,
  type RollingMetrics,
  rollingMetrics,
  sharpe,
  sortino,
  tailRisk,
  volatility,
} from '../../domain/return-metrics.ts';
import { type AccountEquity, accountEquity, sampleOf } from './account-equity.ts';
import type { DailyCloses } from './daily-closes.ts';
import { type HistoryQuery, historyEnd, hitRate, type PortfolioDeps } from './portfolio.ts';

export interface AnalyticsDeps extends PortfolioDeps {
  readonly dailyCloses: DailyCloses;
}

export interface AnalyticsQuery extends HistoryQuery {
  readonly interval: '1d' | '1w';
  readonly rollingWindowDays: number;
  readonly includeSeries: boolean;
}

/** Fractions (0.1 = 10 %) and ratios; null: not defined by the data. */
export interface PortfolioRisk {
  readonly sharpe: number | null;
  readonly sortino: number | null;
  readonly calmar: number | null;
  readonly volatility: number | null;
  readonly maxDrawdown: Drawdown | null;
  readonly valueAtRisk95: number | null;
  readonly expectedShortfall95: number | null;
  /** Beta against `BENCHMARK`. */
  readonly beta: number | null;
  readonly ulcerIndex: number | null;
}

export interface SeriesPoint {
  /** First day of the point, epoch ms. */
  readonly start: number;
  /** Equity at the end of the point, USD. */
  readonly equity: string;
  /** Realised PnL − fees + funding, USD. */
  readonly pnl: string;
  /** Change of the unrealised PnL, USD. */
  readonly unrealizedPnl: string;
  /** Deposits minus withdrawals, USD. */
  readonly deposits: string;
  /** `MARKED`: every day of the point ends with a sample of the equity marked to market. */
  readonly basis: EquityBasis;
  /** Fraction below the highest equity so far, at the end of the point. */
  readonly drawdown: number;
  /** Metrics of the window that ends with the point. */
  readonly rolling: RollingMetrics;
}

export interface PortfolioAnalytics {
  readonly risk: PortfolioRisk;
  /** Valuation of the days behind `risk`; null: the range has no day. */
  readonly basis: EquityBasis | 'MIXED' | null;
  /** Start of equity sampling for the account, epoch ms; null: it has not started. */
  readonly sampledSince: number | null;
  readonly assets: readonly AssetTotals[];
  readonly pairs: readonly (BasketTotals & { readonly hitRate: string | null })[];
  readonly series: readonly SeriesPoint[] | null;
}

/** The market that an account's returns are compared with. */
export const BENCHMARK = 'BTC-PERP';

export async function portfolioAnalytics(
  deps: AnalyticsDeps,
  account: TradeAccount,
  query: AnalyticsQuery,
): Promise<PortfolioAnalytics> {
  const { history } = deps.store;
  const days = wholeDays(query, await historyEnd(deps, account.id));
  const filter = { tradeAccountId: account.id, source: query.source };
  // All-time sums are stored as one row per instrument and basket. A range is summed from days.
  const range = query.from === null && query.to === null ? null : days;
  // A rolling window starts before the range: its first day needs the returns of the days before it.
  const ahead = query.includeSeries ? query.rollingWindowDays - 1 : 0;
  const [{ curve: whole, sampledSince }, assets, baskets] = await Promise.all([
    curveOf(deps, account, query, { ...days, from: days.from - ahead * DAY_MS }, days),
    history.assets({ ...filter, range }),
    history.baskets({ ...filter, range }),
  ]);
  const begin = whole.findIndex(({ start }) => start >= days.from);
  const curve = begin === -1 ? [] : whole.slice(begin);
  return {
    risk: riskOf(curve, await marketReturns(deps, account, curve)),
    basis: basisOf(curve),
    sampledSince,
    assets: [...assets].sort((a, b) => descending(a.volume, b.volume)),
    pairs: baskets
      .map((basket) => ({ ...basket, hitRate: hitRate(basket) }))
      .sort((a, b) => descending(a.won - a.lost, b.won - b.lost)),
    series: query.includeSeries ? seriesOf(curve, rollingOf(whole, curve, query), query.interval) : null,
  };
}

function descending(a: Atto, b: Atto): number {
  if (a === b) return 0;
  return a > b ? -1 : 1;
}

function basisOf(days: readonly EquityDay[]): EquityBasis | 'MIXED' | null {
  const [first] = days;
  if (first === undefined) return null;
  return days.every(({ basis }) => basis === first.basis) ? first.basis : 'MIXED';
}

interface SampledCurve {
  readonly curve: readonly EquityDay[];
  readonly sampledSince: number | null;
}

/**
 * The curve is empty while the venue does not answer, because the account's deposits are then unknown.
 * @param drawn days with requested drawdowns; null: none
 */
async function curveOf(
  deps: PortfolioDeps,
  account: TradeAccount,
  { source }: Pick<AnalyticsQuery, 'source'>,
  days: { readonly from: number; readonly to: number },
  drawn: { readonly from: number; readonly to: number } | null,
  present: Promise<Pick<AccountEquity, 'ledger' | 'deposits'>> = accountEquity(deps, account),
): Promise<SampledCurve> {
  const { history } = deps.store;
  const [{ firstHour, first, closes, flows, path, nets }, { ledger, deposits }] = await Promise.all([
    history.curve(account.id, source, drawn),
    present,
  ]);
  const sampledSince = first?.at ?? null;
  if (deposits === null || firstHour === null) return { curve: [], sampledSince };
  const last = closes.at(-1);
  const flow = last === undefined ? 0n : deposits - atto(last.deposits);
  // The close of the current day is the current equity.
  const now = markOf(sampleOf(account.id, deps.clock.now(), { ledger, deposits }, flow), source);
  const marks: EquityMarks = {
    first: first === null ? now : markOf(first, source),
    closes: [...closes.map((sample) => markOf(sample, source)), now],
    flows: [...flows.map((sample) => markOf(sample, source)), ...(flow === 0n ? [] : [now])],
    // Recorded values only, without the current equity: otherwise a drawdown could appear and vanish again.
    path,
  };
  const from = Math.max(days.from, Math.floor(firstHour / DAY_MS) * DAY_MS);
  const capital = marks.first === null ? deposits : depositsBefore(marks.first);
  return { curve: equityCurve(nets, capital, from, days.to, marks), sampledSince };
}

/** Change of the equity since the start of the UTC day, without deposits, USD. */
export interface DayChange {
  /** Epoch ms. */
  readonly start: number;
  /** `realizedPnl` + `unrealizedPnl`. */
  readonly pnl: string;
  /** Realised PnL − fees + funding. */
  readonly realizedPnl: string;
  /** Change of the unrealised PnL. */
  readonly unrealizedPnl: string;
  readonly deposits: string;
}

/** @param present equity in the answer, so that both are from the same time */
export async function dayChange(
  deps: PortfolioDeps,
  account: TradeAccount,
  present: Pick<AccountEquity, 'ledger' | 'deposits'>,
): Promise<DayChange | null> {
  if (present.deposits === null) return null;
  const now = await historyEnd(deps, account.id);
  const start = Math.floor(now / DAY_MS) * DAY_MS;
  const days = { from: start, to: start + DAY_MS };
  const { curve } = await curveOf(deps, account, { source: null }, days, null, Promise.resolve(present));
  const today = curve.at(-1);
  const { net, unrealized, deposits } = today ?? { net: 0n, unrealized: 0n, deposits: 0n };
  return {
    start,
    pnl: attoText(net + unrealized),
    realizedPnl: attoText(net),
    unrealizedPnl: attoText(unrealized),
    deposits: attoText(deposits),
  };
}

/** The benchmark's return on each day of the curve; null: the benchmark's price is unknown. */
async function marketReturns(
  { dailyCloses }: AnalyticsDeps,
  { connector }: TradeAccount,
  curve: readonly EquityDay[],
): Promise<readonly (number | null)[]> {
  const [first] = curve;
  if (first === undefined) return [];
  const closes = await dailyCloses(
    { connector, symbol: BENCHMARK },
    first.start - DAY_MS,
    first.start + curve.length * DAY_MS,
  );
  return curve.map(({ start }) => {
    const [before, at] = [closes.get(start - DAY_MS), closes.get(start)];
    return before === undefined || at === undefined || before <= 0 ? null : at / before - 1;
  });
}

function riskOf(curve: readonly EquityDay[], market: readonly (number | null)[]): PortfolioRisk {
  const returns = curve.flatMap((day) => (day.return === null ? [] : [day.return]));
  const moments = momentsOf(returns);
  const tail = tailRisk(returns);
  return {
    sharpe: sharpe(moments),
    sortino: sortino(moments),
    calmar: calmar(curve),
    volatility: volatility(moments),
    maxDrawdown: maxDrawdown(curve),
    valueAtRisk95: tail?.valueAtRisk ?? null,
    expectedShortfall95: tail?.expectedShortfall ?? null,
    beta: beta(
      curve.flatMap((day, index) =>
        day.return === null ? [] : [{ own: day.return, market: market[index] ?? null }],
      ),
    ),
    ulcerIndex: ulcerIndex(curve),
  };
}

/** Rolling metrics of each day of the curve. `whole` ends with it and starts one window before it. */
function rollingOf(
  whole: readonly EquityDay[],
  curve: readonly EquityDay[],
  { rollingWindowDays }: AnalyticsQuery,
): readonly RollingMetrics[] {
  const returns = whole.map((day) => day.return);
  return rollingMetrics(returns, rollingWindowDays).slice(whole.length - curve.length);
}

function seriesOf(
  curve: readonly EquityDay[],
  rolling: readonly RollingMetrics[],
  interval: AnalyticsQuery['interval'],
): readonly SeriesPoint[] {
  const below = drawdowns(curve);
  const points: SeriesPoint[] = [];
  let pnl = 0n;
  let unrealized = 0n;
  let deposits = 0n;
  let basis: EquityBasis = 'MARKED';
  let start: number | null = null;
  for (const [index, day] of curve.entries()) {
    start ??= day.start;
    pnl += day.net;
    unrealized += day.unrealized;
    deposits += day.deposits;
    if (day.basis === 'REALIZED') basis = 'REALIZED';
    const next = curve[index + 1];
    if (interval === '1w' && next !== undefined && weekOf(next.start) === weekOf(day.start)) continue;
    points.push({
      start,
      equity: attoText(day.equity),
      pnl: attoText(pnl),
      unrealizedPnl: attoText(unrealized),
      deposits: attoText(deposits),
      basis,
      drawdown: below[index] ?? 0,
      rolling: rolling[index] ?? NO_METRICS,
    });
    pnl = 0n;
    unrealized = 0n;
    deposits = 0n;
    basis = 'MARKED';
    start = null;
  }
  return points;
}
