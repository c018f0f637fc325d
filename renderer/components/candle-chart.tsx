/** Candles with lines across them. The last candle follows `live`, at most four times a second. */
import { type AutoscaleInfo, CandlestickSeries, type ISeriesApi } from 'lightweight-charts';
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
  const [series, setSeries] = useState<ISeriesApi<'Candlestick'> | null>(null);
  const shown = useRef<readonly LevelLine[]>(lines);
  const liveNow = useRef(live);
  const isFitted = useRef(false);

  useEffect(() => {
    if (!stands(chart)) return;
    const made = chart.addSeries(CandlestickSeries, {
      borderVisible: false,
      lastValueVisible: true,
      autoscaleInfoProvider: (original: () => AutoscaleInfo | null) => {
        const info = original();
        if (info === null || info.priceRange === null) return info;
        return { ...info, priceRange: withLines(info.priceRange, shown.current) };
      },
    });
    setSeries(made);
    isFitted.current = false;
    return () => {
      markRemoved(made);
      setSeries(null);
    };
  }, [chart]);

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
    if (!isFitted.current && rows.length > 0) {
      isFitted.current = true;
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

  useEffect(() => {
    shown.current = lines;
    // Moves the scale to where the lines are now.
    if (stands(series)) series.priceScale().applyOptions({ autoScale: true });
  }, [series, lines]);
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
