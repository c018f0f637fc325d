/** One line over time with guides across it: a z-score, a spread. */
import { type AutoscaleInfo, type ISeriesApi, LineSeries } from 'lightweight-charts';
import { useEffect, useRef, useState } from 'react';
import css from './market-chart.module.css';
import {
  chartTime,
  figureFormat,
  type LevelLine,
  markRemoved,
  stands,
  useLevelLines,
  useMarketChart,
  withLines,
} from './market-chart.ts';
import { useThemeColours } from './theme-colours.ts';

export interface ChartPoint {
  /** ISO time. */
  readonly time: string;
  readonly value: number;
}

const NO_LINES: readonly LevelLine[] = [];

export function ValueChart({
  points,
  lines = NO_LINES,
  digits,
  label,
  height,
}: {
  /** Oldest first. */
  readonly points: readonly ChartPoint[];
  readonly lines?: readonly LevelLine[];
  /** Decimals of the axis; left out: by the size of the values. */
  readonly digits?: number;
  readonly label: string;
  /** Pixels; left out: as high as its place. */
  readonly height?: number;
}) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useMarketChart(place);
  const colours = useThemeColours();
  const shown = useRef(lines);
  const [series, setSeries] = useState<ISeriesApi<'Line'> | null>(null);

  useEffect(() => {
    if (!stands(chart)) return;
    const made = chart.addSeries(LineSeries, {
      lineWidth: 2,
      autoscaleInfoProvider: (original: () => AutoscaleInfo | null) => {
        const info = original();
        if (info === null || info.priceRange === null) return info;
        return { ...info, priceRange: withLines(info.priceRange, shown.current) };
      },
    });
    setSeries(made);
    return () => {
      markRemoved(made);
      setSeries(null);
    };
  }, [chart]);

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

  useEffect(() => {
    shown.current = lines;
  }, [lines]);
  useLevelLines(series, lines);

  return (
    <div
      ref={place}
      className={css['chart']}
      role="img"
      aria-label={label}
      {...(height === undefined ? {} : { style: { height, flex: 'none' } })}
    />
  );
}
