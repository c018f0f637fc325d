/** Candles with lines across them. The last candle follows `live`, at most four times a second. */
import {
  type AutoscaleInfoProvider,
  CandlestickSeries,
  type IChartApi,
  type ISeriesApi,
} from 'lightweight-charts';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { ChartDrawings, type DrawingTools } from './chart-drawings.tsx';
import { type LowerPane, useLowerPane, useMarks } from './chart-extras.ts';
import type { ChartIndicator } from './chart-indicator-values.ts';
import { useIndicators } from './chart-indicators.ts';
import { type LegLine, useLegLines } from './chart-leg-lines.ts';
import { usePaneHeights } from './chart-panes.ts';
import { ChartReadout } from './chart-readout.tsx';
import { stands } from './chart-standing.ts';
import type { ChartMark } from './mark-places.ts';
import { type ChartProps, chartTime, figureDecimals, useMarketSeries } from './market-chart.tsx';
import type { ReadoutLeg } from './readout-legs.ts';
import { useThemeColours } from './theme-colours.ts';

/** A candle as the gateway sends it: decimal strings, ISO times. */
interface ChartCandle {
  readonly start: string;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
}

const DRAW_MS = 250;
const NO_MARKS: readonly ChartMark[] = [];
const NO_INDICATORS: readonly ChartIndicator[] = [];
const NO_LEG_LINES: readonly LegLine[] = [];
const NO_PRICE = () => null;
const NEWEST = 160;
/** Space between the newest candle and the price axis for the × of each line, so that no × hides the latest fills. */
const CROSS_ROOM_PX = 44;

interface Parts {
  readonly chart: IChartApi | null;
  readonly series: ISeriesApi<'Candlestick'> | null;
}
const NO_PARTS: Parts = { chart: null, series: null };

const rowOf = ({ start, open, high, low, close }: ChartCandle) => ({
  time: chartTime(start),
  open: Number(open),
  high: Number(high),
  low: Number(low),
  close: Number(close),
});

function addCandles(chart: IChartApi, autoscaleInfoProvider: AutoscaleInfoProvider) {
  return chart.addSeries(CandlestickSeries, {
    borderVisible: false,
    lastValueVisible: true,
    autoscaleInfoProvider,
  });
}

export interface CandleChartProps extends ChartProps {
  /** Candles, oldest first. */
  readonly candles: readonly ChartCandle[];
  /** Present value, to which the last candle is moved. */
  readonly live?: number | null;
  /** Prices of the legs beside open, high, low and close; undefined: nothing of it is shown. */
  readonly legs?: readonly ReadoutLeg[] | undefined;
  readonly marks?: readonly ChartMark[] | undefined;
  readonly lower?: LowerPane | null | undefined;
  /** Must keep their identity while none changes. */
  readonly indicators?: readonly ChartIndicator[] | undefined;
  /** Lines of the legs among the candles; must keep their identity until one is read again. */
  readonly legLines?: readonly LegLine[] | undefined;
  /** Present price of an instrument, for the lines of the legs; null: not known. */
  readonly priceOf?: ((id: string) => number | null) | undefined;
  readonly drawing?: DrawingTools | undefined;
  /** Figures of the readout. */
  readonly textOf?: (value: number) => string;
}

export function CandleChart({
  candles,
  live = null,
  legs,
  marks = NO_MARKS,
  lower = null,
  indicators = NO_INDICATORS,
  legLines = NO_LEG_LINES,
  priceOf = NO_PRICE,
  drawing,
  textOf = String,
  ...chartProps
}: CandleChartProps) {
  const [parts, setParts] = useState<Parts>(NO_PARTS);
  const rows = useMemo(() => candles.map(rowOf), [candles]);
  const times = useMemo(() => rows.map(({ time }) => time), [rows]);
  const theme = useThemeColours();
  const shown = useIndicators(parts.chart, parts.series, rows, indicators, theme);
  const shownLegs = useLegLines(parts.chart, parts.series, rows, legLines, priceOf, indicators, theme);
  const panesBelow = (lower === null ? 0 : 1) + (indicators.some(({ kind }) => kind === 'rsi') ? 1 : 0);
  const { chart, series, colours, ticks, last, place } = useMarketSeries(addCandles, {
    ...chartProps,
    panesBelow,
    children: (
      <>
        {drawing !== undefined && stands(parts.chart) && stands(parts.series) && (
          <ChartDrawings
            chart={parts.chart}
            series={parts.series}
            times={times}
            textOf={textOf}
            tools={drawing}
          />
        )}
        {legs !== undefined && (
          <ChartReadout
            {...parts}
            legs={legs}
            legLines={shownLegs}
            lower={lower}
            indicators={shown}
            textOf={textOf}
          />
        )}
        {chartProps.children}
      </>
    ),
  });
  if (parts.chart !== chart || parts.series !== series) setParts({ chart, series });
  const hasCrosses = chartProps.lines?.some(({ isCancellable }) => isCancellable === true) === true;
  useMarks(chart, series, marks, rows, colours, hasCrosses ? CROSS_ROOM_PX : 0);
  useLowerPane(chart, lower, colours);
  usePaneHeights(chart, panesBelow);
  const liveNow = useEffectEvent(() => live);
  const hasMoves = chartProps.moves !== undefined;
  /** The candle series that was last scrolled to its newest candles: this is done once per series. */
  const fitted = useRef<object | null>(null);

  useEffect(() => {
    if (!stands(series)) return;
    series.applyOptions({
      upColor: colours.profit,
      downColor: colours.loss,
      wickUpColor: colours.profit,
      wickDownColor: colours.loss,
      priceLineColor: colours.accent,
    });
  }, [series, colours]);

  useEffect(() => {
    if (!stands(chart) || !stands(series)) return;
    ticks?.setDecimals(figureDecimals(rows.at(-1)?.close));
    last.current = rows.at(-1)?.close ?? null;
    series.setData(rows);
    if (fitted.current !== series && rows.length > 0) {
      fitted.current = series;
      const from = Math.max(0, rows.length - NEWEST);
      const room = hasMoves ? roomInCandles(chart.timeScale().width(), rows.length - from) : 0;
      chart.timeScale().setVisibleLogicalRange({ from, to: rows.length + Math.max(4, room) });
    }
  }, [chart, series, ticks, last, rows, hasMoves]);

  useEffect(() => {
    const newest = candles.at(-1);
    if (!stands(series) || newest === undefined) return;
    const [open, base] = [Number(newest.open), { high: Number(newest.high), low: Number(newest.low) }];
    let { high, low } = base;
    const draw = () => {
      const close = liveNow();
      if (close === null || document.hidden) return;
      high = Math.max(high, close);
      low = Math.min(low, close);
      series.update({ time: chartTime(newest.start), open, high, low, close });
      last.current = close;
      ticks?.renew();
    };
    // Freshly read candles are older than the drawn price, so the price is drawn again at once.
    draw();
    const timer = setInterval(draw, DRAW_MS);
    return () => clearInterval(timer);
  }, [series, ticks, last, candles]);

  return place;
}

/** Number of candles as wide as the space for the ×, when `candles` of them share the rest of the width. */
function roomInCandles(width: number, candles: number): number {
  return width > 2 * CROSS_ROOM_PX ? Math.ceil((CROSS_ROOM_PX * candles) / (width - CROSS_ROOM_PX)) : 0;
}
