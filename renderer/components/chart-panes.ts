/** Panes below the candles. */
import {
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  type LineSeriesPartialOptions,
} from 'lightweight-charts';
import { useEffect } from 'react';
import { stands } from './chart-standing.ts';

/** Height ratio: the candles get this many parts, each pane below one part. */
const CANDLES_TO_ONE = 2;
/** Least readable heights. The panes below the candles shrink first, as far as they stay readable. */
const LEAST_CANDLES_PX = 200;
const LEAST_BELOW_PX = 56;
/** Gap between two panes. */
const SEPARATOR_PX = 1;
/** Margin that keeps the labels at both ends of a scale whole. */
const HALF_LABEL_PX = 10;
const MOST_MARGIN = 0.3;

/** Adds a line in a new pane below all others. The pane is removed with the line. */
export function addPane(chart: IChartApi, options: LineSeriesPartialOptions): ISeriesApi<'Line'> {
  const line = chart.addSeries(LineSeries, options, chart.panes().length);
  shareHeight(chart);
  return line;
}

/** Height of each of `below` panes under the candles, px, in a chart of `height` px. */
export function belowHeight(height: number, below: number): number {
  const left = (height - LEAST_CANDLES_PX) / below;
  return Math.min(height / (CANDLES_TO_ONE + below), Math.max(LEAST_BELOW_PX, left));
}

function shareHeight(chart: IChartApi): void {
  const [candles, ...below] = chart.panes();
  const height = chart.chartElement().clientHeight - chart.timeScale().height() - below.length * SEPARATOR_PX;
  if (candles === undefined || below.length === 0 || height <= 0) return;
  const each = belowHeight(height, below.length);
  candles.setStretchFactor(height - below.length * each);
  const margin = Math.min(MOST_MARGIN, HALF_LABEL_PX / each);
  for (const pane of below) {
    pane.setStretchFactor(each);
    pane.priceScale('right').applyOptions({ scaleMargins: { top: margin, bottom: margin } });
  }
}

/**
 * Keeps the height ratio of the panes when the chart is resized.
 * @param below number of panes below the candles
 */
export function usePaneHeights(chart: IChartApi | null, below: number): void {
  useEffect(() => {
    if (!stands(chart) || below === 0) return;
    const share = () => {
      if (stands(chart)) shareHeight(chart);
    };
    share();
    const observer = new ResizeObserver(share);
    observer.observe(chart.chartElement());
    return () => observer.disconnect();
  }, [chart, below]);
}
