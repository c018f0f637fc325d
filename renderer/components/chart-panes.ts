/** Panes below the candles. */
import {
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  type LineSeriesPartialOptions,
} from 'lightweight-charts';
import { useEffect } from 'react';
import { stands } from './chart-standing.ts';

/** Share of the chart's height that a pane below takes: one part to these of the candles. */
const CANDLES_TO_ONE = 2;
/** Less height makes a strip of candles with lines across them; those below give way as far as they can be read. */
const LEAST_CANDLES_PX = 200;
const LEAST_BELOW_PX = 56;
/** Between two panes. */
const SEPARATOR_PX = 1;
/** Labels at both ends of a scale are whole. */
const HALF_LABEL_PX = 10;
const MOST_MARGIN = 0.3;

/** A line in a new pane below all others. The pane goes with the line. */
export function addPane(chart: IChartApi, options: LineSeriesPartialOptions): ISeriesApi<'Line'> {
  const line = chart.addSeries(LineSeries, options, chart.panes().length);
  shareHeight(chart);
  return line;
}

/** Height of each pane below the candles, of so many px for all of them. */
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
 * Keeps the heights of the panes while the chart's own changes.
 * @param below how many panes are below the candles
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
