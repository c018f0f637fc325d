/** Change of equity at a point of the daily series, and the current point. */
import Big from 'big.js';
import type { Portfolio, SeriesPoint } from './use-portfolio.ts';

/** Realised and unrealised PnL of the point, without deposits, USD. */
export function changeOf({ pnl, unrealizedPnl }: Pick<SeriesPoint, 'pnl' | 'unrealizedPnl'>): string {
  return new Big(pnl).plus(unrealizedPnl).toFixed();
}

/** Equity before the point. */
export function equityBefore({ equity, pnl, unrealizedPnl, deposits }: SeriesPoint): string {
  return new Big(equity).minus(pnl).minus(unrealizedPnl).minus(deposits).toFixed();
}

/** Series with the current figures for its running day, since the daily series is read less often. */
export function withPresent(
  series: readonly SeriesPoint[],
  now: Pick<Portfolio, 'equity' | 'day'> | undefined,
): readonly SeriesPoint[] {
  const last = series.at(-1);
  if (last === undefined || now?.equity == null || now.day == null) return series;
  const { start, realizedPnl, unrealizedPnl, deposits } = now.day;
  if (last.date !== start.slice(0, 10)) return series;
  return [...series.slice(0, -1), { ...last, equity: now.equity, pnl: realizedPnl, unrealizedPnl, deposits }];
}
