/** Open, high, low and close at the crosshair, or of the last candle; with the prices of the legs at that time. */
import type { DataChangedScope, IChartApi, ISeriesApi, MouseEventParams } from 'lightweight-charts';
import { useEffect, useEffectEvent, useState } from 'react';
import type { LowerPane } from './candle-chart.tsx';
import { stands } from './chart-standing.ts';
import css from './market-chart.module.css';
import { closingPrices, type LegPrice, livePrices, type ReadoutLeg } from './readout-legs.ts';

export interface ReadoutCandle {
  /** Epoch seconds. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** The newest candle as it is drawn, and the legs' prices of that moment. */
interface Running extends ReadoutCandle {
  readonly legs: readonly LegPrice[];
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
  // As it is drawn, with the live price in it: shown while no crosshair is there, or on it.
  const [newest, setNewest] = useState<Running | null>(null);
  const legsNow = useEffectEvent(() => livePrices(legs));
  useEffect(() => {
    if (!stands(chart) || !stands(series)) return;
    const onMove = ({ time, seriesData }: MouseEventParams) => {
      const bar = seriesData.get(series) as Omit<ReadoutCandle, 'time'> | undefined;
      setAt(bar === undefined || time === undefined ? null : { ...bar, time: Number(time) });
    };
    // Candles as they were read have no live close: legs stand beside the one that was moved to the live price.
    const onData = (scope: DataChangedScope) => {
      const bar = series.dataByIndex(Number.MAX_SAFE_INTEGER, -1) as ReadoutCandle | null;
      setNewest(
        bar === null ? null : { ...bar, time: Number(bar.time), legs: scope === 'update' ? legsNow() : [] },
      );
    };
    onData('full');
    chart.subscribeCrosshairMove(onMove);
    series.subscribeDataChanged(onData);
    return () => {
      if (stands(chart)) chart.unsubscribeCrosshairMove(onMove);
      if (stands(series)) series.unsubscribeDataChanged(onData);
    };
  }, [chart, series]);
  const shown = at === null || at.time === newest?.time ? newest : at;
  if (shown === null) return null;
  // Of the running candle the closes are of another moment than the close that is drawn.
  const prices = shown === newest ? newest.legs : closingPrices(legs, shown.time);
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
      {prices.map(({ name, price }) => (
        <span key={name} className={css['leg']}>
          {name} <b>{textOf(price)}</b>
        </span>
      ))}
    </p>
  );
}
