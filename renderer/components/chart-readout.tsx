/** Open, high, low and close at the crosshair, or of the last candle; with the prices of the legs at that time. */
import type { DataChangedScope, IChartApi, ISeriesApi, MouseEventParams } from 'lightweight-charts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { axisFigure } from './chart-axes.ts';
import type { LowerPane } from './chart-extras.ts';
import { indicatorName } from './chart-indicator-values.ts';
import type { DrawnIndicator } from './chart-indicators.ts';
import type { DrawnLeg } from './chart-leg-lines.ts';
import { useReadoutRoom } from './chart-readout-room.ts';
import { stands } from './chart-standing.ts';
import { PERCENT_UNIT, withMinus } from './format.ts';
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

/** The newest candle as drawn, and the legs' prices at that moment. */
interface Running extends ReadoutCandle {
  readonly legs: readonly LegPrice[];
}

export function ChartReadout({
  chart,
  series,
  legs,
  legLines,
  lower,
  indicators,
  textOf,
}: {
  readonly chart: IChartApi | null;
  readonly series: ISeriesApi<'Candlestick'> | null;
  readonly legs: readonly ReadoutLeg[];
  /** Lines of the legs among the candles. */
  readonly legLines: readonly DrawnLeg[];
  /** Line below the candles, whose value is shown too; null: there is none. */
  readonly lower: LowerPane | null;
  readonly indicators: readonly DrawnIndicator[];
  readonly textOf: (value: number) => string;
}) {
  const [at, setAt] = useState<ReadoutCandle | null>(null);
  // The newest candle as drawn, with the live price: shown without a crosshair, or with the crosshair on it.
  const [newest, setNewest] = useState<Running | null>(null);
  const legsNow = useEffectEvent(() => livePrices(legs));
  useEffect(() => {
    if (!stands(chart) || !stands(series)) return;
    const onMove = ({ time, seriesData }: MouseEventParams) => {
      const bar = seriesData.get(series) as Omit<ReadoutCandle, 'time'> | undefined;
      setAt(bar === undefined || time === undefined ? null : { ...bar, time: Number(time) });
    };
    // Freshly read candles have no live close: leg prices are shown only beside a candle moved to the live price.
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
  const readout = useRef<HTMLParagraphElement>(null);
  useReadoutRoom(
    shown === null ? null : chart,
    series,
    readout,
    indicators.length + legLines.length + (lower === null ? 0 : 1),
  );
  if (shown === null) return null;
  // The read closes of the running candle are from another moment than its drawn close.
  const prices = shown === newest ? newest.legs : closingPrices(legs, shown.time);
  const below = lower?.points.findLast(({ time }) => time <= shown.time);
  return (
    <p ref={readout} className={css['readout']} data-readout>
      {(['open', 'high', 'low', 'close'] as const).map((name) => (
        <span key={name}>
          {name.charAt(0).toUpperCase()} <b>{textOf(shown[name])}</b>
        </span>
      ))}
      <span>
        <b>{changeText(shown.open > 0 ? (shown.close / shown.open - 1) * 100 : 0)}</b>
      </span>
      {lower !== null && below !== undefined && (
        <span>
          {lower.name} <b>{axisFigure(below.value, lower.digits)}</b>
        </span>
      )}
      {prices
        .filter(({ name }) => !legLines.some((leg) => leg.name === name))
        .map(({ name, price }) => (
          <span key={name} className={css['leg']}>
            {name} <b>{textOf(price)}</b>
          </span>
        ))}
      {legLines.map(({ id, name, colour, isDashed, percentAt }) => {
        const price = prices.find((one) => one.name === name)?.price;
        const percent = percentAt(shown.time);
        return (
          <span key={id} className={css['legLine']} data-colour={colour} data-dashed={isDashed || undefined}>
            {name} {price !== undefined && <b className={css['leg']}>{textOf(price)}</b>}{' '}
            <b>{percent === null ? '–' : changeText(percent)}</b>
          </span>
        );
      })}
      {indicators.map(({ indicator, at: figuresAt }) => {
        const figures = figuresAt(shown.time);
        const text = indicator.kind === 'rsi' ? (value: number) => value.toFixed(2) : textOf;
        return (
          <span key={indicator.id} className={css['indicator']} data-colour={indicator.colour}>
            {indicatorName(indicator)} <b>{figures === null ? '–' : figures.map(text).join(' · ')}</b>
          </span>
        );
      })}
    </p>
  );
}

/** `+0.12 %`. Zero has no sign. */
function changeText(percent: number): string {
  const text = percent.toFixed(2);
  if (Number(text) === 0) return `0.00${PERCENT_UNIT}`;
  return `${percent > 0 ? '+' : ''}${withMinus(text)}${PERCENT_UNIT}`;
}
