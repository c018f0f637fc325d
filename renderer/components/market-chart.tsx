/** Shared parts of candle and value charts: container, theme, time axis and the lines across the picture. */
import {
  type AutoscaleInfoProvider,
  createChart,
  type IChartApi,
  type ISeriesApi,
  type SeriesType,
  TickMarkType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSettings } from '../api/settings.ts';
import type { Settings } from '../api/settings-values.ts';
import { endsOfMany } from './axis-labels.ts';
import { type ClearTicks, clearTicks, useWholeTimeLabels } from './chart-axes.ts';
import { hasGone, stands } from './chart-standing.ts';
import { formatTime } from './format.ts';
import { LevelHandles } from './level-handles.tsx';
import type { ChartMoves, LevelLine } from './level-line.ts';
import { useLevelLines } from './level-lines.ts';
import css from './market-chart.module.css';
import { type PriceScaleKind, usePriceScale } from './price-scale.ts';
import { type ThemeColours, useThemeColours } from './theme-colours.ts';

/** ISO time → seconds, the library's unit. */
export function chartTime(iso: string): UTCTimestamp {
  return Math.floor(Date.parse(iso) / 1_000) as UTCTimestamp;
}

/** Decimals for five significant figures, by the size of `sample`: ratios have any magnitude. */
export function figureDecimals(sample: number | undefined): number {
  const size = Math.abs(sample ?? 1);
  return size === 0 ? 2 : Math.min(10, Math.max(0, 5 - Math.floor(Math.log10(size)) - 1));
}

/** The chart lives as long as its container; a new theme or time zone is applied to the existing chart. */
function useMarketChart(place: RefObject<HTMLDivElement | null>): IChartApi | null {
  const [chart, setChart] = useState<IChartApi | null>(null);
  const colours = useThemeColours();
  const zone = useSettings((settings) => settings.zone);
  const locale = useSettings((settings) => settings.locale);

  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const made = createChart(element, {
      autoSize: true,
      layout: { attributionLogo: false, fontSize: 11 },
      // A label that the edge would cut is left out.
      rightPriceScale: { borderVisible: false, minimumWidth: 64, entireTextOnly: true },
      // Resizing keeps the visible time range and scales the picture.
      timeScale: { borderVisible: false, rightOffset: 4, lockVisibleTimeRangeOnResize: true },
      handleScroll: { vertTouchDrag: false },
    });
    setChart(made);
    return () => {
      setChart(null);
      hasGone(made);
      made.remove();
    };
  }, [place]);

  useEffect(() => {
    if (!stands(chart)) return;
    chart.applyOptions({
      layout: {
        background: { color: 'transparent' },
        textColor: colours.quietText,
        panes: { separatorColor: colours.line, separatorHoverColor: colours.line },
        fontFamily: getComputedStyle(document.body).fontFamily,
      },
      grid: { vertLines: { color: colours.grid }, horzLines: { color: colours.grid } },
      crosshair: {
        vertLine: { color: colours.line, labelBackgroundColor: colours.accent },
        horzLine: { color: colours.line, labelBackgroundColor: colours.accent },
      },
    });
  }, [chart, colours]);

  useEffect(() => {
    if (!stands(chart)) return;
    chart.applyOptions({
      localization: {
        timeFormatter: (time: Time) => formatTime({ zone, locale }, Number(time) * 1_000, 'short'),
      },
      timeScale: { timeVisible: true, secondsVisible: false },
    });
  }, [chart, zone, locale]);
  return chart;
}

/** Time labels of the chart, none of them cut by its edge. */
function useTimeLabels<T extends SeriesType>(chart: IChartApi | null, series: ISeriesApi<T> | null): void {
  const zone = useSettings((settings) => settings.zone);
  const locale = useSettings((settings) => settings.locale);
  const textOf = useCallback(
    (time: Time, type: TickMarkType) => tickText({ zone, locale }, Number(time) * 1_000, type),
    [zone, locale],
  );
  useWholeTimeLabels(chart, series, textOf, (tickMarkFormatter) => {
    if (stands(chart)) chart.applyOptions({ timeScale: { tickMarkFormatter } });
  });
}

function tickText(settings: Pick<Settings, 'zone' | 'locale'>, at: number, type: TickMarkType): string {
  if (type === TickMarkType.Time || type === TickMarkType.TimeWithSeconds) {
    return formatTime(settings, at, 'time').slice(0, 5);
  }
  return formatTime(settings, at, 'date').replace(/,? ?\d{4}$/, '');
}

interface MarketChart<T extends SeriesType> {
  readonly chart: IChartApi | null;
  readonly series: ISeriesApi<T> | null;
  readonly colours: ThemeColours;
  /** The labels of the price axis. */
  readonly ticks: ClearTicks | null;
  /** The value that is labelled at the end of the series; null: none. */
  readonly last: RefObject<number | null>;
  /** The chart's element for the page. */
  readonly place: ReactNode;
}

/** Properties of a chart. */
export interface ChartProps {
  readonly lines?: readonly LevelLine[];
  /** Description of the chart for screen readers. */
  readonly label: string;
  /** Pixels; left out: the height of the container. */
  readonly height?: number | undefined;
  readonly moves?: ChartMoves | undefined;
  /** Called with the lines whose names do not fit into the picture, whenever these change. */
  readonly onUnnamed?: ((ids: readonly string[]) => void) | undefined;
  /** Left out: `linear`. */
  readonly scale?: PriceScaleKind | undefined;
  /** Panes below the candles. */
  readonly panesBelow?: number | undefined;
  /** Layer over the picture, such as the readout at the crosshair. */
  readonly children?: ReactNode;
}

const NO_LINES: readonly LevelLine[] = [];

/**
 * A chart with one series, and with the lines across it in the picture.
 * @param make keeps its identity from render to render
 */
export function useMarketSeries<T extends SeriesType>(
  make: (chart: IChartApi, autoscaleInfoProvider: AutoscaleInfoProvider) => ISeriesApi<T>,
  {
    lines = NO_LINES,
    label,
    height,
    moves,
    onUnnamed,
    scale = 'linear',
    panesBelow = 0,
    children,
  }: ChartProps,
): MarketChart<T> {
  const element = useRef<HTMLDivElement>(null);
  const chart = useMarketChart(element);
  const colours = useThemeColours();
  const [series, setSeries] = useState<ISeriesApi<T> | null>(null);
  const shown = useRef(lines);
  const last = useRef<number | null>(null);
  const ticks = useMemo(
    () =>
      series === null
        ? null
        : clearTicks(series, () => [
            ...shown.current.map(({ level }) => level),
            ...(last.current === null ? [] : [last.current]),
          ]),
    [series],
  );
  useEffect(() => {
    if (!stands(chart)) return;
    const made = make(chart, (original) => {
      const info = original();
      if (info === null || info.priceRange === null) return info;
      return { ...info, priceRange: withLines(info.priceRange, shown.current) };
    });
    setSeries(made);
    return () => {
      hasGone(made);
      setSeries(null);
    };
  }, [chart, make]);
  useEffect(() => {
    shown.current = lines;
    // Rescales the price axis to the present levels of the lines.
    if (stands(series)) series.priceScale().applyOptions({ autoScale: true });
    ticks?.renew();
  }, [series, ticks, lines]);
  useTimeLabels(chart, series);
  usePriceScale(chart, series, ticks, scale);
  const cut = useLevelLines(series, lines, last, colours, moves === undefined);
  const place = (
    <div
      className={css['frame']}
      data-panes={panesBelow}
      {...(height === undefined ? {} : { style: { height, flex: 'none' } })}
    >
      <div ref={element} className={css['chart']} role="img" aria-label={label} />
      {children}
      {moves !== undefined && stands(chart) && stands(series) && (
        <LevelHandles
          {...{ chart, series, lines, moves, onUnnamed }}
          isUntagged={({ id }) => scale === 'percent' || cut.current.has(id)}
        />
      )}
    </div>
  );
  return { chart, series, colours, ticks, last, place };
}

const FARTHEST = 0.3;
/** Limit for the ends of a ladder, which show how far it reaches. */
const FARTHEST_END = 0.6;

/**
 * Price range of the axis: the shown prices, widened for lines within three tenths of its height, and for the first and
 * last line of each group within six tenths.
 * A line farther away would flatten the prices; its level is shown elsewhere.
 */
function withLines(
  range: { readonly minValue: number; readonly maxValue: number },
  lines: readonly Pick<LevelLine, 'id' | 'level' | 'oneOf'>[],
): { readonly minValue: number; readonly maxValue: number } {
  const height = range.maxValue - range.minValue || Math.abs(range.maxValue) * 0.01;
  const ends = endsOfMany(lines);
  const near = lines
    .filter(({ id, level }) => {
      const far = height * (ends.has(id) ? FARTHEST_END : FARTHEST);
      return level > range.minValue - far && level < range.maxValue + far;
    })
    .map(({ level }) => level);
  return { minValue: Math.min(range.minValue, ...near), maxValue: Math.max(range.maxValue, ...near) };
}
