/**
 * Lines over time: equity, drawdown, rolling figures. Numbers are for drawing only; the text under the pointer comes
 * from `read`, which may have the exact decimals. New values are drawn at most four times a second.
 */
import {
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useSettings } from '../api/settings.ts';
import type { Settings } from '../api/settings-values.ts';
import { formatTime } from './format.ts';
import css from './line-chart.module.css';
import { drawPicture, indexAt, type LineChartProps } from './line-plot.ts';
import { type ThemeColours, useThemeColours } from './theme-colours.ts';
import { Unbroken } from './unbroken.tsx';

const DRAW_EVERY_MS = 250;

export function LineChart(props: LineChartProps) {
  const { label, times, lines, read, axis, days = false } = props;
  const [at, setAt] = useState<number | null>(null);
  const colours = useThemeColours();
  const chosen = useSettings();
  // A UTC day shown in local time would be another day west of Greenwich.
  const settings = { locale: chosen.locale, zone: days ? 'utc' : chosen.zone } as const;
  const caption = useId();
  const index = at ?? times.length - 1;
  const moment = times[index];
  const values = useMemo(
    () =>
      lines.flatMap((line) => {
        const value = line.values[index];
        // Positive and negative columns are two series of different colours, so only one has a value at each time.
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
            {line.label} <b>{typeof text === 'string' ? <Unbroken text={text} /> : text}</b>
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
        <Plot chart={props} colours={colours} settings={settings} at={at} onPointer={setAt} />
      </div>
    </figure>
  );
}

interface PlotProps {
  readonly chart: LineChartProps;
  readonly colours: ThemeColours;
  readonly settings: Pick<Settings, 'locale' | 'zone'>;
  /** Index of the time whose values are shown: under the pointer, or chosen with the keys. */
  readonly at: number | null;
  readonly onPointer: (index: number | null) => void;
}

function Plot({ chart, colours, settings, at, onPointer }: PlotProps) {
  const { times, lines, height } = chart;
  const canvas = useRef<HTMLCanvasElement | null>(null);
  const [width, setWidth] = useState(0);
  const drawn = useRef({ times, lines, at: Number.NEGATIVE_INFINITY });
  const place = useCallback((element: HTMLCanvasElement) => {
    canvas.current = element;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const draw = () => {
      drawn.current = { times, lines, at: performance.now() };
      if (canvas.current === null || width === 0) return;
      drawPicture(canvas.current, {
        ...chart,
        width,
        colours,
        zone: settings.zone,
        timeText: (time) => tickText(settings, time, chart.days === true),
        at,
      });
    };
    // Changes of pointer, size or settings are drawn at once, new values at most once per `DRAW_EVERY_MS`.
    const isNew = drawn.current.times !== times || drawn.current.lines !== lines;
    const wait = isNew ? drawn.current.at + DRAW_EVERY_MS - performance.now() : 0;
    if (wait <= 0) return draw();
    const timer = setTimeout(draw, wait);
    return () => clearTimeout(timer);
  });
  const onPointerMove = ({ currentTarget, clientX }: PointerEvent<HTMLCanvasElement>) =>
    onPointer(indexAt({ times, lines, width }, clientX - currentTarget.getBoundingClientRect().left));
  return (
    <canvas
      ref={place}
      className={css['plot']}
      style={{ height }}
      onPointerMove={onPointerMove}
      onPointerLeave={() => onPointer(null)}
    />
  );
}

/** A mark at midnight shows the day that begins. */
function tickText(settings: PlotProps['settings'], at: number, days: boolean): string {
  const minute = formatTime(settings, at, 'minute');
  return days || minute === '00:00' ? formatTime(settings, at, 'day') : minute;
}
