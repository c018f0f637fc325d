/** Optional parts of a candle chart: trades as arrows, and a line in a separate pane below the candles. */
import {
  type AutoscaleInfo,
  createSeriesMarkers,
  type IChartApi,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  LineStyle,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { useEffect, useRef, useState } from 'react';
import { axisFigure } from './chart-axes.ts';
import { addPane } from './chart-panes.ts';
import { stands } from './chart-standing.ts';
import { type MarkAmounts, markAmounts } from './mark-amounts.ts';
import { type ChartMark, markPlaces } from './mark-places.ts';
import type { ThemeColours } from './theme-colours.ts';

/** A line in a pane of its own below the candles. */
export interface LowerPane {
  readonly points: readonly { readonly time: number; readonly value: number }[];
  /** Levels across it. */
  readonly bands: readonly { readonly level: number; readonly label: string }[];
  readonly name: string;
  readonly digits: number;
}

/** Largest width of a character in the amounts' font. */
const CHARACTER_PX = 7;
/** Height of an arrow with its amount beyond a candle, px; and the largest share of a pane that they may take. */
const MARK_PX = 44;
const MARK_SHARE = 0.25;

interface MarkedRow {
  readonly time: UTCTimestamp;
  readonly low: number;
  readonly high: number;
}

interface MarkParts {
  readonly of: object;
  readonly markers: ISeriesMarkersPluginApi<Time>;
  readonly amounts: MarkAmounts;
}

/**
 * Draws the arrows of the trades. The zoom decides which of them have an amount.
 * @param crossRoom space before the price axis for the × of each line, px
 */
export function useMarks(
  chart: IChartApi | null,
  series: ISeriesApi<'Candlestick'> | null,
  marks: readonly ChartMark[],
  rows: readonly MarkedRow[],
  colours: ThemeColours,
  crossRoom: number,
): void {
  const plugin = useRef<MarkParts | null>(null);
  useEffect(() => {
    if (!stands(chart) || !stands(series)) return;
    if (plugin.current?.of !== series) {
      if (marks.length === 0) return;
      plugin.current = {
        of: series,
        markers: createSeriesMarkers(series, [], { autoScale: false }),
        amounts: markAmounts(series),
      };
    }
    const { markers, amounts } = plugin.current;
    const scale = chart.timeScale();
    let drawn: string | null = null;
    const isWhole = (index: number, text: string) => {
      const row = rows[index];
      const at = row === undefined ? null : scale.timeToCoordinate(row.time);
      const half = (text.length * CHARACTER_PX) / 2;
      // At the right end the amount moves in front of the lines' ×.
      return at !== null && at >= half && at <= scale.width() - (crossRoom > 0 ? 0 : half);
    };
    const draw = () => {
      const places = markPlaces(marks, rows, scale.options().barSpacing, isWhole);
      // Runs at each scrolled pixel, and most of these leave every amount where it is.
      const told = places.map(({ index, way, text }) => `${index} ${way} ${text}`).join();
      if (told === drawn) return;
      drawn = told;
      const timed = places.flatMap((one) => {
        const row = rows[one.index];
        return row === undefined ? [] : [{ ...one, time: row.time }];
      });
      amounts.write({ places: timed, colours, room: crossRoom });
      markers.setMarkers(
        timed.map(({ time, way }) => ({
          time,
          position: way === 'up' ? ('belowBar' as const) : ('aboveBar' as const),
          shape: way === 'up' ? ('arrowUp' as const) : ('arrowDown' as const),
          color: way === 'up' ? colours.profit : colours.loss,
        })),
      );
    };
    draw();
    scale.subscribeVisibleLogicalRangeChange(draw);
    scale.subscribeSizeChange(draw);
    // New candles reach the series after this effect: until then its scale does not have their times.
    const onData = (scope: 'full' | 'update') => {
      if (scope === 'full') draw();
    };
    series.subscribeDataChanged(onData);
    return () => {
      if (stands(series)) series.unsubscribeDataChanged(onData);
      if (!stands(chart)) return;
      scale.unsubscribeVisibleLogicalRangeChange(draw);
      scale.unsubscribeSizeChange(draw);
    };
  }, [chart, series, marks, rows, colours, crossRoom]);
  const hasMarks = marks.length > 0;
  useEffect(() => {
    if (!stands(series) || !hasMarks) return;
    // Arrow and amount lie beyond the candles: at the lowest candle they would cross the pane's edge.
    const share = Math.min(MARK_SHARE, MARK_PX / Math.max(1, series.getPane().getHeight()));
    const scale = series.priceScale();
    // Keeps the margin that the readout already takes.
    const { top, bottom } = scale.options().scaleMargins;
    scale.applyOptions({ scaleMargins: { top: Math.max(top, share), bottom: Math.max(bottom, share) } });
  }, [series, hasMarks]);
}

export function useLowerPane(chart: IChartApi | null, lower: LowerPane | null, colours: ThemeColours): void {
  const [line, setLine] = useState<ISeriesApi<'Line'> | null>(null);
  const isThere = lower !== null;
  useEffect(() => {
    if (!isThere || !stands(chart)) return;
    const made = addPane(chart, { lineWidth: 1, lastValueVisible: true });
    // Keeps this pane directly below the candles, whichever pane was added first.
    chart.swapPanes(1, made.getPane().paneIndex());
    setLine(made);
    return () => {
      setLine(null);
      // A removed chart has removed its series too.
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
      // The bands and the last value have labels: tick labels would lie under them.
      priceFormat: {
        type: 'custom',
        formatter: (value: number) => axisFigure(value, digits),
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
        // The library shows a title only beside its axis label; the mean has neither.
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
