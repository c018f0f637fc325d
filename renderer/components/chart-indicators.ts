/** Indicators of a candle chart: lines among the candles, RSI in its own pane below. They follow the last candle. */
import {
  type DataChangedScope,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type UTCTimestamp,
} from 'lightweight-charts';
import { useEffect, useState } from 'react';
import {
  type ChartIndicator,
  type IndicatorFigures,
  LINES_OF,
  type RunningIndicator,
  runningIndicator,
} from './chart-indicator-values.ts';
import { addPane } from './chart-panes.ts';
import { stands } from './chart-standing.ts';
import type { ThemeColours } from './theme-colours.ts';

interface Bar {
  readonly time: UTCTimestamp;
  readonly close: number;
}

/** An indicator in the picture. */
export interface DrawnIndicator {
  readonly indicator: ChartIndicator;
  /** Figures at a candle's start; null: there are none. */
  readonly at: (time: number) => IndicatorFigures;
  /** Redraws all values. */
  readonly fill: (bars: readonly Bar[]) => void;
  /** Updates the last candle's close. */
  readonly follow: (bar: Bar) => void;
  readonly lines: readonly ISeriesApi<'Line'>[];
}

/** Usual overbought and oversold levels of RSI. */
const RSI_BANDS = [70, 30];

/**
 * @param indicators must keep their identity while none changes
 * @returns the drawn indicators, for the readout
 */
export function useIndicators(
  chart: IChartApi | null,
  series: ISeriesApi<'Candlestick'> | null,
  rows: readonly Bar[],
  indicators: readonly ChartIndicator[],
  colours: ThemeColours,
): readonly DrawnIndicator[] {
  const [drawn, setDrawn] = useState<readonly DrawnIndicator[]>([]);
  useEffect(() => {
    if (!stands(chart) || indicators.length === 0) return;
    const made: DrawnIndicator[] = [];
    for (const indicator of indicators) made.push(drawnIndicator(chart, indicator, made, colours));
    setDrawn(made);
    return () => {
      setDrawn([]);
      // A removed chart has removed its series too.
      if (stands(chart)) for (const line of made.flatMap(({ lines }) => lines)) chart.removeSeries(line);
    };
  }, [chart, indicators, colours]);
  useEffect(() => {
    if (!stands(series)) return;
    const newest = () => series.dataByIndex(Number.MAX_SAFE_INTEGER, -1) as Bar | null;
    const follow = () => {
      const bar = newest();
      if (bar !== null) for (const one of drawn) one.follow(bar);
    };
    for (const one of drawn) one.fill(rows);
    follow();
    const onData = (scope: DataChangedScope) => {
      if (scope === 'update') follow();
    };
    series.subscribeDataChanged(onData);
    return () => {
      if (stands(series)) series.unsubscribeDataChanged(onData);
    };
  }, [series, rows, drawn]);
  return drawn;
}

function drawnIndicator(
  chart: IChartApi,
  indicator: ChartIndicator,
  before: readonly DrawnIndicator[],
  colours: ThemeColours,
): DrawnIndicator {
  const lines = linesOf(chart, indicator, before, colours);
  const figures = new Map<number, IndicatorFigures>();
  let running: RunningIndicator = runningIndicator(indicator);
  let last: number | null = null;
  return {
    indicator,
    lines,
    at: (time) => figures.get(time) ?? null,
    fill(bars) {
      running = runningIndicator(indicator);
      figures.clear();
      for (const { time, close } of bars) figures.set(time, running.add(close, false));
      last = bars.at(-1)?.time ?? null;
      for (const [index, line] of lines.entries())
        line.setData(
          bars.flatMap(({ time }) => {
            const value = figures.get(time)?.[index];
            return value === undefined ? [] : [{ time, value }];
          }),
        );
    },
    follow({ time, close }) {
      if (time !== last) return;
      const now = running.add(close, true);
      figures.set(time, now);
      for (const [index, line] of lines.entries()) {
        const value = now?.[index];
        if (value !== undefined) line.update({ time, value });
      }
    },
  };
}

function linesOf(
  chart: IChartApi,
  { kind, colour }: ChartIndicator,
  before: readonly DrawnIndicator[],
  colours: ThemeColours,
): readonly ISeriesApi<'Line'>[] {
  const options = {
    color: colours[`series${colour}`],
    lineWidth: 1 as const,
    // The readout shows the figures: axis labels are for levels and the price.
    lastValueVisible: false,
    priceLineVisible: false,
    crosshairMarkerVisible: false,
  };
  if (kind !== 'rsi') {
    return Array.from({ length: LINES_OF[kind] }, (_, index) => {
      const isMiddle = kind === 'bollinger' && index === 1;
      return chart.addSeries(LineSeries, {
        ...options,
        lineStyle: isMiddle ? LineStyle.Dashed : LineStyle.Solid,
      });
    });
  }
  const sibling = before.find((one) => one.indicator.kind === 'rsi')?.lines[0];
  const own = {
    ...options,
    lastValueVisible: true,
    autoscaleInfoProvider: () => ({ priceRange: { minValue: 0, maxValue: 100 } }),
    priceFormat: {
      type: 'custom' as const,
      formatter: (value: number) => value.toFixed(1),
      // The bands and the last value are labelled.
      tickmarksFormatter: (values: readonly number[]) => values.map(() => ''),
      minMove: 0.1,
    },
  };
  if (sibling !== undefined) return [chart.addSeries(LineSeries, own, sibling.getPane().paneIndex())];
  const line = addPane(chart, own);
  for (const price of RSI_BANDS)
    line.createPriceLine({
      price,
      color: colours.quietText,
      lineWidth: 1,
      lineStyle: LineStyle.Dashed,
      axisLabelVisible: true,
      axisLabelColor: colours.line,
      axisLabelTextColor: colours.quietText,
      title: '',
    });
  return [line];
}
