/** Open, high, low and close at the crosshair, or of the last candle; with the prices of the legs at that time. */
import type { IChartApi, ISeriesApi, MouseEventParams } from 'lightweight-charts';
import { useEffect, useState } from 'react';
import type { LowerPane } from './candle-chart.tsx';
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
  legs,
  lower,
  textOf,
}: {
  readonly chart: IChartApi | null;
  readonly series: ISeriesApi<'Candlestick'> | null;
  readonly legs: readonly ReadoutLeg[];
  /** The line below the candles, whose value at that time is told too; null: there is none. */
  readonly lower: LowerPane | null;
  readonly textOf: (value: number) => string;
}) {
  const [at, setAt] = useState<ReadoutCandle | null>(null);
  // As it is drawn, with the live price in it: shown while no crosshair is there.
  const [newest, setNewest] = useState<ReadoutCandle | null>(null);
  useEffect(() => {
    if (!stands(chart) || !stands(series)) return;
    const onMove = ({ time, seriesData }: MouseEventParams) => {
      const bar = seriesData.get(series) as Omit<ReadoutCandle, 'time'> | undefined;
      setAt(bar === undefined || time === undefined ? null : { ...bar, time: Number(time) });
    };
    const onData = () => {
      const bar = series.dataByIndex(Number.MAX_SAFE_INTEGER, -1) as ReadoutCandle | null;
      setNewest(bar === null ? null : { ...bar, time: Number(bar.time) });
    };
    onData();
    chart.subscribeCrosshairMove(onMove);
    series.subscribeDataChanged(onData);
    return () => {
      if (stands(chart)) chart.unsubscribeCrosshairMove(onMove);
      if (stands(series)) series.unsubscribeDataChanged(onData);
    };
  }, [chart, series]);
  const shown = at ?? newest;
  if (shown === null) return null;
  const below = lower?.points.findLast(({ time }) => time <= shown.time);
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
      {lower !== null && below !== undefined && (
        <span>
          {lower.name} <b>{below.value.toFixed(lower.digits).replace('-', '\u2212')}</b>
        </span>
      )}
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
