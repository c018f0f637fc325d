/** Space for the readout over the top of the candles, which has as many rows as it needs. */
import type { IChartApi, ISeriesApi } from 'lightweight-charts';
import { type RefObject, useEffect } from 'react';
import { stands } from './chart-standing.ts';

/** Shares of the height that candles leave free above them, in the library's own measure. */
const USUAL = 0.2;
const MOST = 0.5;
const GAP_PX = 6;

/** Lower end of a chart's readout, px from the top; 0: there is no readout. */
export function readoutBottom(chart: IChartApi): number {
  const readout = chart.chartElement().parentElement?.parentElement?.querySelector('[data-readout]');
  return readout instanceof HTMLElement ? readout.offsetTop + readout.offsetHeight : 0;
}

/**
 * Keeps candles and lines below the readout. The space only grows while the width stays the same: the readout's rows
 * change from candle to candle, and the picture must not jump.
 * @param parts number of figures in the readout: a change resets the space
 */
export function useReadoutRoom(
  chart: IChartApi | null,
  series: ISeriesApi<'Candlestick'> | null,
  readout: RefObject<HTMLElement | null>,
  parts: number,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins anew with other figures
  useEffect(() => {
    const element = readout.current;
    if (!stands(chart) || !stands(series) || element === null) return;
    let [tallest, width, applied] = [0, 0, 0];
    const follow = () => {
      if (!stands(chart) || !stands(series)) return;
      const height = chart.panes()[0]?.getHeight() ?? 0;
      const nowWidth = chart.timeScale().width();
      tallest = Math.max(nowWidth === width ? tallest : 0, readoutBottom(chart));
      width = nowWidth;
      const share = height === 0 ? 0 : (tallest + GAP_PX) / height;
      const scale = series.priceScale();
      // Arrows of trades already take this margin below, and need as much above.
      const { bottom } = scale.options().scaleMargins;
      const top = Math.min(MOST, Math.max(USUAL, bottom, share));
      if (Math.abs(top - applied) < 0.005) return;
      applied = top;
      scale.applyOptions({ scaleMargins: { top, bottom } });
    };
    const observer = new ResizeObserver(follow);
    observer.observe(element);
    observer.observe(chart.chartElement());
    return () => observer.disconnect();
  }, [chart, series, readout, parts]);
}
