/** Candles with lines across them. The last candle follows `live`, at most four times a second. */
import { type AutoscaleInfoProvider, CandlestickSeries, type IChartApi } from 'lightweight-charts';
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

/** As the gateway tells them: decimal strings, ISO times. */
export interface ChartCandle {
  readonly start: string;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
}

const DRAW_MS = 250;
const NO_LINES: readonly LevelLine[] = [];

function addCandles(chart: IChartApi, autoscaleInfoProvider: AutoscaleInfoProvider) {
  return chart.addSeries(CandlestickSeries, {
    borderVisible: false,
    lastValueVisible: true,
    autoscaleInfoProvider,
  });
}

export function CandleChart({
  candles,
  live = null,
  lines = NO_LINES,
  label,
  height,
}: {
  /** Oldest first. */
  readonly candles: readonly ChartCandle[];
  /** The value now. */
  readonly live?: number | null;
  readonly lines?: readonly LevelLine[];
  /** What the picture shows, for those who cannot see it. */
  readonly label: string;
  /** Pixels; left out: as high as its place. */
  readonly height?: number;
}) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useMarketChart(place);
  const colours = useThemeColours();
  const series = useMarketSeries(chart, addCandles, lines);
  const liveNow = useRef(live);
  /** The series whose last candles were brought into view. */
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
    const rows = candles.map(({ start, open, high, low, close }) => ({
      time: chartTime(start),
      open: Number(open),
      high: Number(high),
      low: Number(low),
      close: Number(close),
    }));
    series.applyOptions({ priceFormat: figureFormat(rows.at(-1)?.close) });
    series.setData(rows);
    if (fitted.current !== series && rows.length > 0) {
      fitted.current = series;
      chart.timeScale().setVisibleLogicalRange({ from: Math.max(0, rows.length - 160), to: rows.length + 4 });
    }
  }, [chart, series, candles]);

  useEffect(() => {
    liveNow.current = live;
  }, [live]);

  useEffect(() => {
    const last = candles.at(-1);
    if (!stands(series) || last === undefined) return;
    const [open, base] = [Number(last.open), { high: Number(last.high), low: Number(last.low) }];
    let { high, low } = base;
    const timer = setInterval(() => {
      const close = liveNow.current;
      if (close === null || document.hidden) return;
      high = Math.max(high, close);
      low = Math.min(low, close);
      series.update({ time: chartTime(last.start), open, high, low, close });
    }, DRAW_MS);
    return () => clearInterval(timer);
  }, [series, candles]);

  return <ChartPlace ref={place} label={label} height={height} />;
}
