/**
 * Scale of a chart's prices: plain, percent from the first candle in view, or logarithmic. The percent scale only
 * changes the labels: the library's own one starts each series at its own first value, which would move indicators away
 * from the candles.
 */
import { type IChartApi, type ISeriesApi, PriceScaleMode, type SeriesType } from 'lightweight-charts';
import { useEffect } from 'react';
import type { ClearTicks } from './chart-axes.ts';
import { stands } from './chart-standing.ts';

export type PriceScaleKind = 'linear' | 'percent' | 'log';

/** Close of the first candle in view; null: there is none. */
function firstInView<T extends SeriesType>(chart: IChartApi, series: ISeriesApi<T>): number | null {
  const range = chart.timeScale().getVisibleLogicalRange();
  const first = range === null ? null : series.dataByIndex(Math.ceil(range.from), 1);
  if (first === null) return null;
  if ('close' in first) return first.close;
  return 'value' in first && typeof first.value === 'number' ? first.value : null;
}

export function usePriceScale<T extends SeriesType>(
  chart: IChartApi | null,
  series: ISeriesApi<T> | null,
  ticks: ClearTicks | null,
  kind: PriceScaleKind,
): void {
  useEffect(() => {
    if (!stands(series)) return;
    const mode = kind === 'log' ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal;
    series.priceScale().applyOptions({ mode });
  }, [series, kind]);
  useEffect(() => {
    if (!stands(chart) || !stands(series) || ticks === null || kind !== 'percent') return;
    const follow = () => {
      if (stands(chart) && stands(series)) ticks.setBase(firstInView(chart, series));
    };
    follow();
    const scale = chart.timeScale();
    scale.subscribeVisibleLogicalRangeChange(follow);
    series.subscribeDataChanged(follow);
    return () => {
      if (stands(series)) {
        series.unsubscribeDataChanged(follow);
        ticks.setBase(null);
      }
      if (stands(chart)) scale.unsubscribeVisibleLogicalRangeChange(follow);
    };
  }, [chart, series, ticks, kind]);
}
