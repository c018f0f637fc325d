/**
 * Hides axis labels that could be misread: on the time axis those that the edge would cut ("21:00" would read "1:00"),
 * on the price axis those half hidden by the label of a level.
 */
import type { IChartApi, ISeriesApi, SeriesType, Time } from 'lightweight-charts';
import { useEffect, useRef } from 'react';
import { stands } from './chart-standing.ts';
import { PERCENT_UNIT, withMinus } from './format.ts';

/** Half of the widest label, px. */
const HALF_LABEL_PX = 18;
/** Labels closer to each other than this overlap, px. */
const LABEL_PX = 15;

/** Range of times whose labels are whole, epoch seconds. */
interface WholeRange {
  readonly from: number;
  readonly to: number;
}
const EVERYWHERE: WholeRange = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

function wholeRange(chart: IChartApi): WholeRange {
  const scale = chart.timeScale();
  const from = scale.coordinateToTime(HALF_LABEL_PX);
  const to = scale.coordinateToTime(scale.width() - HALF_LABEL_PX);
  return {
    from: from === null ? EVERYWHERE.from : Number(from),
    to: to === null ? EVERYWHERE.to : Number(to),
  };
}

/**
 * Calls `apply` with the labels' formatter, and again when other labels are cut: the library keeps its texts until it
 * is given another formatter. Also follows the series' data: if candles are replaced by the same number of others, the
 * time scale reports no change.
 * @param textOf keeps its identity while texts stay the same
 */
export function useWholeTimeLabels<Kind, T extends SeriesType>(
  chart: IChartApi | null,
  series: ISeriesApi<T> | null,
  textOf: (time: Time, kind: Kind) => string,
  apply: (formatter: (time: Time, kind: Kind) => string) => void,
): void {
  const applied = useRef(apply);
  useEffect(() => {
    applied.current = apply;
  });
  useEffect(() => {
    if (!stands(chart) || !stands(series)) return;
    return followTimes(chart, series, textOf, (formatter) => applied.current(formatter));
  }, [chart, series, textOf]);
}

/** @returns a function that stops following */
export function followTimes<Kind, T extends SeriesType>(
  chart: IChartApi,
  series: ISeriesApi<T>,
  textOf: (time: Time, kind: Kind) => string,
  apply: (formatter: (time: Time, kind: Kind) => string) => void,
): () => void {
  let shown = EVERYWHERE;
  const renew = () => {
    const { from, to } = shown;
    apply((time, kind) => (Number(time) < from || Number(time) > to ? '' : textOf(time, kind)));
  };
  const follow = () => {
    if (!stands(chart)) return;
    const next = wholeRange(chart);
    if (next.from === shown.from && next.to === shown.to) return;
    shown = next;
    renew();
  };
  renew();
  follow();
  const scale = chart.timeScale();
  scale.subscribeVisibleLogicalRangeChange(follow);
  scale.subscribeSizeChange(follow);
  series.subscribeDataChanged(follow);
  return () => {
    if (stands(series)) series.unsubscribeDataChanged(follow);
    if (!stands(chart)) return;
    scale.unsubscribeVisibleLogicalRangeChange(follow);
    scale.unsubscribeSizeChange(follow);
  };
}

/** A number on an axis. Zero has no sign. */
export function axisFigure(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? (0).toFixed(decimals) : withMinus(text);
}

/** Label of a percent scale: the change from the base price. */
const percentFigure = (price: number, base: number): string => {
  const text = axisFigure((price / base - 1) * 100, 2);
  return `${Number.parseFloat(text) > 0 ? '+' : ''}${text}${PERCENT_UNIT}`;
};

export interface ClearTicks {
  /** Sets the format of the series' prices: number of decimals, and a unit after them. */
  readonly setDecimals: (decimals: number, unit?: string) => void;
  /** Labels are percent from this price; null: they are prices. */
  readonly setBase: (base: number | null) => void;
  /** Renews the ticks after a label of a level has moved. */
  readonly renew: () => void;
}

/** @param levelsOf levels that have a label on the price axis */
export function clearTicks<T extends SeriesType>(
  series: ISeriesApi<T>,
  levelsOf: () => readonly number[],
): ClearTicks {
  let decimals = 2;
  let after = '';
  let base: number | null = null;
  let ticks: readonly number[] = [];
  let hidden = '';
  const isHidden = (tick: number) => {
    const at = series.priceToCoordinate(tick);
    if (at === null) return false;
    return levelsOf().some((level) => {
      const y = series.priceToCoordinate(level);
      return y !== null && Math.abs(y - at) < LABEL_PX;
    });
  };
  const apply = () => {
    const formatter = (price: number) =>
      base === null ? `${axisFigure(price, decimals)}${after}` : percentFigure(price, base);
    const tickmarksFormatter = (prices: readonly number[]) => {
      ticks = [...prices];
      const texts = ticks.map((tick) => (isHidden(tick) ? '' : formatter(tick)));
      hidden = texts.map((text) => (text === '' ? '-' : '+')).join('');
      return texts;
    };
    series.applyOptions({
      priceFormat: { type: 'custom', formatter, tickmarksFormatter, minMove: 10 ** -decimals },
    } as Parameters<typeof series.applyOptions>[0]);
  };
  return {
    setDecimals(next, unit = '') {
      decimals = next;
      after = unit;
      apply();
    },
    setBase(next) {
      if (next === base) return;
      base = next;
      apply();
    },
    renew() {
      if (!stands(series)) return;
      const now = ticks.map((tick) => (isHidden(tick) ? '-' : '+')).join('');
      if (now !== hidden) apply();
    },
  };
}
