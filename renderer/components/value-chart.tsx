/** One line over time with guides across it: a z-score, a spread. */
import { type AutoscaleInfoProvider, type IChartApi, LineSeries } from 'lightweight-charts';
import { useEffect, useEffectEvent } from 'react';
import { stands } from './chart-standing.ts';
import { type ChartProps, chartTime, figureDecimals, useMarketSeries } from './market-chart.tsx';

interface ChartPoint {
  /** ISO time. */
  readonly time: string;
  readonly value: number;
}

/** Space between the newest point and the price axis: the guides' names must not hide the present value. */
const NAMES_PX = 52;
const DRAW_MS = 250;

function addLine(chart: IChartApi, autoscaleInfoProvider: AutoscaleInfoProvider) {
  return chart.addSeries(LineSeries, { lineWidth: 2, autoscaleInfoProvider });
}

export function ValueChart({
  points,
  digits,
  unit = '',
  live = null,
  ...chartProps
}: ChartProps & {
  /** Points, oldest first. */
  readonly points: readonly ChartPoint[];
  /** Decimals of the axis; left out: by the size of the values. */
  readonly digits?: number;
  /** Unit after each figure of the axis: ` %`. */
  readonly unit?: string;
  /** Present value after the points; drawn at most four times a second. */
  readonly live?: ChartPoint | null;
}) {
  const { chart, series, colours, ticks, last, place } = useMarketSeries(addLine, chartProps);

  useEffect(() => {
    if (!stands(series)) return;
    series.applyOptions({ color: colours.series1, priceLineColor: colours.series1 });
  }, [series, colours]);

  useEffect(() => {
    // Shows the whole look-back in any width.
    if (stands(chart))
      chart.applyOptions({ timeScale: { minBarSpacing: 0.05, rightOffsetPixels: NAMES_PX } });
  }, [chart]);

  useEffect(() => {
    if (!stands(chart) || !stands(series)) return;
    const largest = Math.max(0, ...points.map(({ value }) => Math.abs(value)));
    ticks?.setDecimals(digits ?? figureDecimals(largest), unit);
    last.current = points.at(-1)?.value ?? null;
    series.setData(points.map(({ time, value }) => ({ time: chartTime(time), value })));
    chart.timeScale().fitContent();
  }, [chart, series, ticks, last, points, digits, unit]);

  const follows = live !== null;
  const liveNow = useEffectEvent(() => live);
  useEffect(() => {
    if (!stands(series) || points.length === 0 || !follows) return;
    const draw = () => {
      const newest = liveNow();
      if (newest === null || document.hidden) return;
      series.update({ time: chartTime(newest.time), value: newest.value });
      last.current = newest.value;
      ticks?.renew();
    };
    draw();
    const timer = setInterval(draw, DRAW_MS);
    return () => clearInterval(timer);
  }, [series, ticks, last, points, follows]);

  return place;
}
