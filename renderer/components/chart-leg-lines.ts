/**
 * Legs of a basket among its candles: the price of each as a line in percent from the left edge of the view, on a scale
 * that they share and that has no axis.
 */
import {
  type DataChangedScope,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  PriceScaleMode,
  type UTCTimestamp,
} from 'lightweight-charts';
import { useEffect, useEffectEvent, useState } from 'react';
import type { ChartIndicator } from './chart-indicator-values.ts';
import { hasGone, stands, useOnDraw } from './chart-standing.ts';
import { type LegRead, legPoints } from './readout-legs.ts';
import type { ThemeColours } from './theme-colours.ts';

export interface LegLine extends LegRead {
  /** Instrument id. */
  readonly id: string;
  readonly name: string;
}

interface Bar {
  readonly time: UTCTimestamp;
}

type Colour = ChartIndicator['colour'];

/** A leg in the picture. */
export interface DrawnLeg {
  readonly id: string;
  readonly name: string;
  readonly colour: Colour;
  readonly isDashed: boolean;
  /** Change from the first candle in view to the candle at `time`, percent; null: no price at one of them. */
  readonly percentAt: (time: number) => number | null;
  readonly line: ISeriesApi<'Line'>;
  readonly values: Map<number, number>;
  /** Last live prices of recent candles, until their closes are read. */
  readonly lived: Map<number, number>;
}

const SCALE = 'legs';
const COLOURS: readonly Colour[] = [1, 2, 3, 4];
const NONE: readonly DrawnLeg[] = [];

/**
 * @param rows candles of the basket: a leg has points at their times only, or the time axis would get more times
 * @param legs must keep their identity until one is read again
 * @param priceOf present price of an instrument, to which its last point is moved; null: not known
 * @param indicators whose colours the lines avoid while other colours are free
 * @returns the drawn legs, for the readout
 */
export function useLegLines(
  chart: IChartApi | null,
  series: ISeriesApi<'Candlestick'> | null,
  rows: readonly Bar[],
  legs: readonly LegLine[],
  priceOf: (id: string) => number | null,
  indicators: readonly ChartIndicator[],
  colours: ThemeColours,
): readonly DrawnLeg[] {
  const [drawn, setDrawn] = useState(NONE);
  // New prices must not recreate the lines.
  const named = JSON.stringify(legs.map(({ id, name }) => ({ id, name })));
  useEffect(() => {
    const names: readonly Pick<LegLine, 'id' | 'name'>[] = JSON.parse(named);
    if (!stands(chart) || names.length === 0) return;
    const isTaken = (colour: Colour) => indicators.some((one) => one.colour === colour);
    const order = COLOURS.toSorted((a, b) => Number(isTaken(a)) - Number(isTaken(b)));
    const made = names.map((leg, index) => drawnLeg(chart, leg, order[index % 4] ?? 1, index >= 4, colours));
    setDrawn(made);
    return () => {
      setDrawn(NONE);
      for (const { line } of made) {
        // Others hold it until the next render. Without this mark the library would take its points in again, for good.
        hasGone(line);
        // A removed chart has removed its series too.
        if (stands(chart)) chart.removeSeries(line);
      }
    };
  }, [chart, named, indicators, colours]);
  const now = useEffectEvent(priceOf);
  useEffect(() => {
    if (!stands(series) || drawn.length === 0) return;
    const last = rows.at(-1)?.time;
    const follow = () => {
      for (const { id, line, values, lived } of drawn) {
        const value = now(id);
        if (last === undefined || value === null || !stands(line)) continue;
        values.set(last, value);
        lived.set(last, value);
        line.update({ time: last, value });
      }
    };
    for (const { id, line, values, lived } of drawn) {
      if (!stands(line)) continue;
      const leg = legs.find((one) => one.id === id);
      const points = leg === undefined ? [] : legPoints(rows, leg, lived);
      values.clear();
      for (const { time, value } of points) values.set(time, value);
      line.setData(points);
    }
    follow();
    const onData = (scope: DataChangedScope) => {
      if (scope === 'update') follow();
    };
    series.subscribeDataChanged(onData);
    return () => {
      if (stands(series)) series.unsubscribeDataChanged(onData);
    };
  }, [series, rows, legs, drawn]);
  useOnDraw(series, () => {
    const first = drawn.find(({ line }) => stands(line));
    if (!stands(chart) || !stands(series) || first === undefined) return;
    // Keeps the lines below the readout, as the candles are.
    const { top, bottom } = series.priceScale().options().scaleMargins;
    const scale = first.line.priceScale();
    const own = scale.options().scaleMargins;
    if (own.top !== top || own.bottom !== bottom) scale.applyOptions({ scaleMargins: { top, bottom } });
  });
  return drawn;
}

function drawnLeg(
  chart: IChartApi,
  leg: Pick<LegLine, 'id' | 'name'>,
  colour: Colour,
  isDashed: boolean,
  colours: ThemeColours,
): DrawnLeg {
  const line = chart.addSeries(LineSeries, {
    priceScaleId: SCALE,
    color: colours[`series${colour}`],
    lineWidth: 2,
    lineStyle: isDashed ? LineStyle.Dashed : LineStyle.Solid,
    // The readout shows the figures: axis labels are for levels and the price.
    lastValueVisible: false,
    priceLineVisible: false,
    crosshairMarkerVisible: false,
  });
  // The library's percent scale starts at the first candle in view.
  line.priceScale().applyOptions({ mode: PriceScaleMode.Percentage });
  const values = new Map<number, number>();
  const lived = new Map<number, number>();
  return {
    ...leg,
    colour,
    isDashed,
    line,
    values,
    lived,
    percentAt(time) {
      const edge = stands(chart) && stands(line) ? chart.timeScale().getVisibleLogicalRange() : null;
      if (edge === null) return null;
      const first = line.dataByIndex(Math.floor(edge.from), 1);
      const value = values.get(time);
      if (first === null || !('value' in first) || value === undefined) return null;
      return (value / first.value - 1) * 100;
    },
  };
}
