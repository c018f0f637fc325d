/** What a candle chart can have beside its candles: trades as arrows, and a line in a pane of its own below them. */
import {
  type AutoscaleInfo,
  createSeriesMarkers,
  type IChartApi,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineSeries,
  LineStyle,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { useEffect, useRef, useState } from 'react';
import type { ChartMark, LowerPane } from './candle-chart.tsx';
import { stands } from './chart-standing.ts';
import type { ThemeColours } from './theme-colours.ts';

/** Share of the chart's height that the lower pane takes: one part to these of the candles. */
const CANDLES_TO_LOWER = 2;

export function useMarks(
  series: ISeriesApi<'Candlestick'> | null,
  marks: readonly ChartMark[],
  rows: readonly { readonly time: UTCTimestamp }[],
  colours: ThemeColours,
): void {
  const plugin = useRef<{ readonly of: object; readonly markers: ISeriesMarkersPluginApi<Time> } | null>(
    null,
  );
  useEffect(() => {
    if (!stands(series)) return;
    if (plugin.current?.of !== series) {
      if (marks.length === 0) return;
      plugin.current = { of: series, markers: createSeriesMarkers(series, [], { autoScale: false }) };
    }
    const first = rows[0]?.time ?? Number.POSITIVE_INFINITY;
    plugin.current.markers.setMarkers(
      marks
        .filter(({ time }) => time >= first)
        .map(({ time, way, text }) => ({
          // The candle that the trade falls into.
          time: rows.findLast((row) => row.time <= time)?.time ?? first,
          position: way === 'up' ? 'belowBar' : 'aboveBar',
          shape: way === 'up' ? 'arrowUp' : 'arrowDown',
          color: way === 'up' ? colours.profit : colours.loss,
          text,
        })) as Parameters<ISeriesMarkersPluginApi<Time>['setMarkers']>[0],
    );
  }, [series, marks, rows, colours]);
}

export function useLowerPane(chart: IChartApi | null, lower: LowerPane | null, colours: ThemeColours): void {
  const [line, setLine] = useState<ISeriesApi<'Line'> | null>(null);
  const isThere = lower !== null;
  useEffect(() => {
    if (!isThere || !stands(chart)) return;
    const made = chart.addSeries(LineSeries, { lineWidth: 1, lastValueVisible: true }, 1);
    const [candles, below] = chart.panes();
    candles?.setStretchFactor(CANDLES_TO_LOWER);
    below?.setStretchFactor(1);
    setLine(made);
    return () => {
      setLine(null);
      // With the chart itself its series are gone already.
      if (stands(chart)) chart.removeSeries(made);
    };
  }, [chart, isThere]);
  useEffect(() => {
    if (line === null || lower === null || !stands(chart)) return;
    const { points, bands, digits } = lower;
    const levels = bands.map(({ level }) => level);
    line.applyOptions({
      // The bands belong to the picture: a line says nothing without them.
      autoscaleInfoProvider: (original: () => AutoscaleInfo | null) => {
        const range = original()?.priceRange;
        const ends = range == null ? [] : [range.minValue, range.maxValue];
        const all = [...ends, ...levels];
        return { priceRange: { minValue: Math.min(...all), maxValue: Math.max(...all) } };
      },
      color: colours.series1,
      priceLineVisible: false,
      // The bands and the last value are labelled: ticks of its own would lie under their labels.
      priceFormat: {
        type: 'custom',
        formatter: (value: number) => value.toFixed(digits),
        tickmarksFormatter: (values: readonly number[]) => values.map(() => ''),
        minMove: 10 ** -digits,
      },
    });
    line.setData(points.map(({ time, value }) => ({ time: time as UTCTimestamp, value })));
    const drawn = bands.map(({ level, label }) =>
      line.createPriceLine({
        price: level,
        title: label,
        color: colours.quietText,
        lineWidth: 1,
        lineStyle: level === 0 ? LineStyle.Solid : LineStyle.Dashed,
        // Its title stands beside the label of the axis only.
        axisLabelVisible: level !== 0,
        axisLabelColor: colours.line,
        axisLabelTextColor: colours.quietText,
      }),
    );
    return () => {
      if (stands(chart)) for (const one of drawn) line.removePriceLine(one);
    };
  }, [chart, line, lower, colours]);
}
