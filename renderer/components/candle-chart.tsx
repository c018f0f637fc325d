/** Candles with lines across them. The last candle follows `live`, at most four times a second. */
import { type AutoscaleInfoProvider, CandlestickSeries, type IChartApi } from 'lightweight-charts';
import { useEffect, useEffectEvent, useRef } from 'react';
import { type ChartProps, chartTime, figureFormat, stands, useMarketSeries } from './market-chart.tsx';

/** A candle as the gateway sends it: decimal strings, ISO times. */
interface ChartCandle {
  readonly start: string;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
}

const DRAW_MS = 250;

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
  ...chartProps
}: ChartProps & {
  /** Candles, oldest first. */
  readonly candles: readonly ChartCandle[];
  /** Present value, to which the last candle is moved. */
  readonly live?: number | null;
}) {
  const { chart, series, colours, place } = useMarketSeries(addCandles, chartProps);
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
    const last = candles.at(-1);
    if (!stands(series) || last === undefined) return;
    const [open, base] = [Number(last.open), { high: Number(last.high), low: Number(last.low) }];
    let { high, low } = base;
    const timer = setInterval(() => {
      const close = liveNow();
      if (close === null || document.hidden) return;
      high = Math.max(high, close);
      low = Math.min(low, close);
      series.update({ time: chartTime(last.start), open, high, low, close });
    }, DRAW_MS);
    return () => clearInterval(timer);
  }, [series, candles]);

  return place;
}
