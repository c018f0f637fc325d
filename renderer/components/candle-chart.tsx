/** Candles with lines across them. The last candle follows `live`, at most four times a second. */
import {
  type AutoscaleInfoProvider,
  CandlestickSeries,
  type IChartApi,
  type ISeriesApi,
} from 'lightweight-charts';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useLowerPane, useMarks } from './chart-extras.ts';
import { ChartReadout } from './chart-readout.tsx';
import { stands } from './chart-standing.ts';
import { type ChartProps, chartTime, figureDecimals, useMarketSeries } from './market-chart.tsx';
import type { ReadoutLeg } from './readout-legs.ts';

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

/** A trade on the chart: the candle that it falls into has the arrow. */
export interface ChartMark {
  /** Epoch seconds. */
  readonly time: number;
  /** up: bought the basket, down: sold it. */
  readonly way: 'up' | 'down';
  readonly text: string;
}

/** A line in a pane of its own below the candles. */
export interface LowerPane {
  readonly points: readonly { readonly time: number; readonly value: number }[];
  /** Levels across it. */
  readonly bands: readonly { readonly level: number; readonly label: string }[];
  readonly name: string;
  readonly digits: number;
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
  /** Figures of the readout. */
  readonly textOf?: (value: number) => string;
}

export function CandleChart({
  candles,
  live = null,
  legs,
  marks = NO_MARKS,
  lower = null,
  textOf = String,
  ...chartProps
}: CandleChartProps) {
  const [parts, setParts] = useState<Parts>(NO_PARTS);
  const rows = useMemo(() => candles.map(rowOf), [candles]);
  const { chart, series, colours, ticks, last, place } = useMarketSeries(addCandles, {
    ...chartProps,
    children: (
      <>
        {legs !== undefined && <ChartReadout {...parts} legs={legs} lower={lower} textOf={textOf} />}
        {chartProps.children}
      </>
    ),
  });
  if (parts.chart !== chart || parts.series !== series) setParts({ chart, series });
  useMarks(series, marks, rows, colours);
  useLowerPane(chart, lower, colours);
  const liveNow = useEffectEvent(() => live);
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
      chart.timeScale().setVisibleLogicalRange({ from: Math.max(0, rows.length - 160), to: rows.length + 4 });
    }
  }, [chart, series, ticks, last, rows]);

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
    // Candles that were just read are older than what was drawn.
    draw();
    const timer = setInterval(draw, DRAW_MS);
    return () => clearInterval(timer);
  }, [series, ticks, last, candles]);

  return place;
}
