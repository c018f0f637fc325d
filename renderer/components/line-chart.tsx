/**
 * Lines over time (uPlot): equity, drawdown, rolling figures. Numbers are for the pixels; what is read out under the
 * pointer comes from `read`, which may have the exact decimals. Drawn at most four times a second.
 */
import 'uplot/dist/uPlot.min.css';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import uPlot from 'uplot';
import { useSettings } from '../api/settings.ts';
import type { Settings } from '../api/settings-values.ts';
import { formatTime } from './format.ts';
import css from './line-chart.module.css';
import { type ThemeColours, useThemeColours } from './theme-colours.ts';

export interface Line {
  readonly id: string;
  readonly label: string;
  /** One per time; null is a gap. */
  readonly values: readonly (number | null)[];
  readonly colour?: 'series1' | 'series2' | 'series3' | 'series4' | 'profit' | 'loss' | 'quietText';
  /** Shaded down (or up) to zero. */
  readonly filled?: boolean;
  readonly dashed?: boolean;
  /** Columns from zero instead of a line. */
  readonly bars?: boolean;
}

export interface LineChartProps {
  /** What it shows, for those who do not see it: with the last value, if that says something. */
  readonly label: string;
  /** Epoch ms, rising. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly height: number;
  /** Text at the value axis. */
  readonly axis: (value: number) => string;
  /** Text for a line at a moment; default: `axis` of the value. */
  readonly read?: (line: Line, index: number) => ReactNode;
  /** Horizontal lines. */
  readonly levels?: readonly {
    readonly id: string;
    readonly value: number;
    readonly tone?: 'loss' | 'warn';
  }[];
  /** The times are UTC days: they keep their dates in every zone. */
  readonly days?: boolean;
}

const DRAW_EVERY_MS = 250;
const AXIS_FONT = '11px "Inter Variable", system-ui, sans-serif';
const FILL_ALPHA = '26';

function seriesOf(line: Line, colours: ThemeColours): uPlot.Series {
  const stroke = colours[line.colour ?? 'series1'];
  const bars = line.bars === true ? uPlot.paths.bars?.({ size: [0.7, 40, 1] }) : undefined;
  if (bars !== undefined)
    return { label: line.label, fill: stroke, width: 0, points: { show: false }, paths: bars };
  return {
    label: line.label,
    stroke,
    width: 1.5,
    points: { show: false },
    spanGaps: false,
    ...(line.filled === true ? { fill: `${stroke}${FILL_ALPHA}` } : {}),
    ...(line.dashed === true ? { dash: [4, 4] } : {}),
  };
}

/** What is filled stands on zero; a line takes the room that it needs, and a flat one lies in the middle. */
function rangeOf(lines: readonly Line[]): uPlot.Range.Function {
  const standsOnZero = lines.some(({ filled, bars }) => filled === true || bars === true);
  return (_, low, high) => {
    const [min, max] = [low ?? 0, high ?? 0];
    const [from, to] = standsOnZero ? [Math.min(0, min), Math.max(0, max)] : [min, max];
    const margin = from === to ? Math.max(0.01, Math.abs(from) * 0.01) : (to - from) * 0.06;
    return [
      standsOnZero && from === 0 && to > 0 ? 0 : from - margin,
      standsOnZero && to === 0 && from < 0 ? 0 : to + margin,
    ];
  };
}

/** Columns stand around their time: the first and the last one need room for their other half. */
function timesRange(lines: readonly Line[]): uPlot.Range.Function {
  const hasBars = lines.some(({ bars }) => bars === true);
  return ({ data: [times] }, low, high) => {
    const [from, to] = [low ?? 0, high ?? 0];
    const step = times.length > 1 ? (to - from) / (times.length - 1) : 86_400;
    const room = hasBars || times.length === 1 ? step / 2 : 0;
    return [from - room, to + room];
  };
}

function dataOf(times: readonly number[], lines: readonly Line[]): uPlot.AlignedData {
  return [times.map((time) => time / 1_000), ...lines.map(({ values }) => [...values])];
}

export function LineChart(props: LineChartProps) {
  const { label, times, lines, height, read, axis, levels = [], days = false } = props;
  const [at, setAt] = useState<number | null>(null);
  const colours = useThemeColours();
  const chosen = useSettings();
  // A UTC day shown in local time would be another day west of Greenwich.
  const settings = { locale: chosen.locale, zone: days ? 'utc' : chosen.zone } as const;
  const caption = useId();
  // Another set of lines, theme or zone is another chart; other values are not.
  const shape = JSON.stringify([
    lines.map(({ id, colour, filled, dashed, bars }) => [id, colour, filled, dashed, bars]),
    levels,
    height,
    days,
    colours,
    settings,
  ]);
  const index = at ?? times.length - 1;
  const moment = times[index];
  const values = useMemo(
    () =>
      lines.flatMap((line) => {
        const value = line.values[index];
        // Columns in two colours: only one of them stands there.
        if (value == null && line.bars === true) return [];
        return [{ line, text: value == null ? '–' : (read?.(line, index) ?? axis(value)) }];
      }),
    [lines, index, read, axis],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    const last = times.length - 1;
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: index - 1,
      ArrowRight: index + 1,
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    if (target === undefined || last < 0) return;
    event.preventDefault();
    setAt(Math.min(last, Math.max(0, target)));
  };
  return (
    <figure className={css['figure']} aria-labelledby={caption}>
      <figcaption id={caption} className="visually-hidden">
        {label}
      </figcaption>
      <div className={css['readout']}>
        {moment !== undefined && <span>{formatTime(settings, moment, days ? 'date' : 'short')}</span>}
        {values.map(({ line, text }) => (
          <span key={line.id} className={css['value']}>
            <span className={css['swatch']} style={{ background: colours[line.colour ?? 'series1'] }} />
            {line.label} <b>{text}</b>
          </span>
        ))}
      </div>
      <div
        role="slider"
        tabIndex={0}
        className={css['stage']}
        aria-labelledby={caption}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, times.length - 1)}
        aria-valuenow={Math.max(0, index)}
        {...(moment === undefined ? {} : { 'aria-valuetext': formatTime(settings, moment, 'date') })}
        onKeyDown={onKeyDown}
        onBlur={() => setAt(null)}
      >
        <Plot key={shape} chart={props} colours={colours} settings={settings} at={at} onPointer={setAt} />
      </div>
    </figure>
  );
}

interface PlotProps {
  readonly chart: LineChartProps;
  readonly colours: ThemeColours;
  readonly settings: Pick<Settings, 'locale' | 'zone'>;
  /** The moment that is read, by its index: under the pointer, or chosen with the keys. */
  readonly at: number | null;
  readonly onPointer: (index: number | null) => void;
}

/** The canvas. It is made once, with what it is mounted with; only values change afterwards. */
function Plot(props: PlotProps) {
  const { times, lines, height } = props.chart;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const drawnAt = useRef(Number.NEGATIVE_INFINITY);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const made = new uPlot(
      optionsOf(latest.current, element.clientWidth, () => latest.current),
      dataOf(latest.current.chart.times, latest.current.chart.lines),
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth > 0)
        made.setSize({ width: element.clientWidth, height: latest.current.chart.height });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, []);
  useEffect(() => {
    const wait = Math.max(0, drawnAt.current + DRAW_EVERY_MS - performance.now());
    const timer = setTimeout(() => {
      drawnAt.current = performance.now();
      plot.current?.setData(dataOf(times, lines));
    }, wait);
    return () => clearTimeout(timer);
  }, [times, lines]);
  const { at } = props;
  useEffect(() => {
    const chart = plot.current;
    if (chart === null || chart.cursor.idx === at) return;
    const second = at === null ? undefined : chart.data[0][at];
    const left = second === undefined ? -10 : chart.valToPos(second, 'x');
    chart.setCursor({ left, top: second === undefined ? -10 : 0 }, false);
  }, [at]);
  return <div ref={place} className={css['plot']} style={{ height }} aria-hidden="true" />;
}

function optionsOf(
  { chart, colours, settings }: PlotProps,
  width: number,
  latest: () => PlotProps,
): uPlot.Options {
  const axis = { stroke: colours.quietText, font: AXIS_FONT, ticks: { show: false } };
  return {
    width: Math.max(1, width),
    height: chart.height,
    legend: { show: false },
    padding: [8, 24, 0, 0],
    cursor: { y: false, points: { size: 6 }, drag: { setScale: false, x: false, y: false } },
    ...(settings.zone === 'utc'
      ? { tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1_000), 'UTC') }
      : {}),
    scales: { x: { range: timesRange(chart.lines) }, y: { range: rangeOf(chart.lines) } },
    series: [{}, ...chart.lines.map((line) => seriesOf(line, colours))],
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 26,
        values: (_, ticks) => ticks.map((tick) => tickText(settings, tick * 1_000, chart.days === true)),
      },
      {
        ...axis,
        grid: { stroke: colours.grid, width: 1 },
        size: 64,
        values: (_, ticks) => ticks.map((tick) => latest().chart.axis(tick)),
      },
    ],
    hooks: {
      setCursor: [({ cursor }) => latest().onPointer(cursor.idx ?? null)],
      draw: [(drawn) => drawLevels(drawn, chart.levels ?? [], colours)],
    },
  };
}

/** Midnight is the day that begins. */
function tickText(settings: PlotProps['settings'], at: number, days: boolean): string {
  const minute = formatTime(settings, at, 'minute');
  return days || minute === '00:00' ? formatTime(settings, at, 'day') : minute;
}

function drawLevels(
  { ctx, bbox, valToPos }: uPlot,
  levels: NonNullable<LineChartProps['levels']>,
  colours: ThemeColours,
): void {
  for (const { value, tone } of levels) {
    const y = Math.round(valToPos(value, 'y', true));
    if (!(y >= bbox.top && y <= bbox.top + bbox.height)) continue;
    ctx.save();
    ctx.strokeStyle = tone === undefined ? colours.line : colours[tone];
    ctx.setLineDash([4, 4]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.restore();
  }
}
