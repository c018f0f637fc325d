/** Open, high, low and close at the crosshair, or of the last candle; with the prices of the legs at that time. */
import type { IChartApi, ISeriesApi, MouseEventParams } from 'lightweight-charts';
import { useEffect, useState } from 'react';
import { stands } from './chart-standing.ts';
import css from './market-chart.module.css';

export interface ReadoutCandle {
  /** Epoch seconds. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

export interface ReadoutLeg {
  readonly name: string;
  /** Closing price by the start of a candle, epoch seconds. */
  readonly closes: ReadonlyMap<number, number>;
}

export function ChartReadout({
  chart,
  series,
  last,
  legs,
  textOf,
}: {
  readonly chart: IChartApi | null;
  readonly series: ISeriesApi<'Candlestick'> | null;
  /** Shown while no crosshair is there. */
  readonly last: ReadoutCandle | undefined;
  readonly legs: readonly ReadoutLeg[];
  readonly textOf: (value: number) => string;
}) {
  const [at, setAt] = useState<ReadoutCandle | null>(null);
  useEffect(() => {
    if (!stands(chart) || !stands(series)) return;
    const onMove = ({ time, seriesData }: MouseEventParams) => {
      const bar = seriesData.get(series) as Omit<ReadoutCandle, 'time'> | undefined;
      setAt(bar === undefined || time === undefined ? null : { ...bar, time: Number(time) });
    };
    chart.subscribeCrosshairMove(onMove);
    return () => {
      if (stands(chart)) chart.unsubscribeCrosshairMove(onMove);
    };
  }, [chart, series]);
  const shown = at ?? last;
  if (shown === undefined) return null;
  const change = shown.open > 0 ? ((shown.close / shown.open - 1) * 100).toFixed(2) : '0.00';
  const sign = Number(change) > 0 ? '+' : '';
  return (
    <p className={css['readout']} data-readout>
      {(['open', 'high', 'low', 'close'] as const).map((name) => (
        <span key={name}>
          {name.charAt(0).toUpperCase()} <b>{textOf(shown[name])}</b>
        </span>
      ))}
      <span>
        <b>
          {sign}
          {change.replace('-', '\u2212')}%
        </b>
      </span>
      {legs.map(({ name, closes }) => {
        const price = closes.get(shown.time);
        return (
          price !== undefined && (
            <span key={name} className={css['leg']}>
              {name} <b>{textOf(price)}</b>
            </span>
          )
        );
      })}
    </p>
  );
}
