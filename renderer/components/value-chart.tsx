/** One line over time with guides across it: a z-score, a spread. */
import { type AutoscaleInfoProvider, type IChartApi, LineSeries } from 'lightweight-charts';
import { useEffect, useRef } from 'react';
import {
  chartTime,
  figureFormat,
  type LevelLine,
  stands,
  useMarketChart,
  useMarketSeries,
} from './market-chart.ts';
import { ChartPlace } from './market-chart-place.tsx';
import { useThemeColours } from './theme-colours.ts';

export interface ChartPoint {
  /** ISO time. */
  readonly time: string;
  readonly value: number;
}

const NO_LINES: readonly LevelLine[] = [];

function addLine(chart: IChartApi, autoscaleInfoProvider: AutoscaleInfoProvider) {
  return chart.addSeries(LineSeries, { lineWidth: 2, autoscaleInfoProvider });
}

export function ValueChart({
  points,
  lines = NO_LINES,
  digits,
  label,
  height,
}: {
  /** Points, oldest first. */
  readonly points: readonly ChartPoint[];
  readonly lines?: readonly LevelLine[];
  /** Decimals of the axis; left out: by the size of the values. */
  readonly digits?: number;
  readonly label: string;
  /** Pixels; left out: the height of the container. */
  readonly height?: number;
}) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useMarketChart(place);
  const colours = useThemeColours();
  const series = useMarketSeries(chart, addLine, lines);

  useEffect(() => {
    if (!stands(series)) return;
    series.applyOptions({ color: colours.series1, priceLineColor: colours.series1 });
  }, [series, colours]);

  useEffect(() => {
    if (!stands(chart) || !stands(series)) return;
    const largest = Math.max(0, ...points.map(({ value }) => Math.abs(value)));
    series.applyOptions({
      priceFormat:
        digits === undefined
          ? figureFormat(largest)
          : { type: 'price', precision: digits, minMove: 10 ** -digits },
    });
    series.setData(points.map(({ time, value }) => ({ time: chartTime(time), value })));
    chart.timeScale().fitContent();
  }, [chart, series, points, digits]);

  return <ChartPlace ref={place} label={label} height={height} />;
}
