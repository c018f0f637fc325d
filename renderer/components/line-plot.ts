/** Properties of a `LineChart`, and its drawing on a canvas: axes, lines, columns and the chosen time. */
import type { ReactNode } from 'react';
import { timeTicks, valueTicks } from './axis-ticks.ts';
import type { ThemeColours } from './theme-colours.ts';

export interface Line {
  readonly id: string;
  readonly label: string;
  /** One value per time; null is a gap. */
  readonly values: readonly (number | null)[];
  readonly colour?: 'series1' | 'series2' | 'series3' | 'series4' | 'profit' | 'loss' | 'quietText';
  /** The area between the line and zero is shaded. */
  readonly filled?: boolean;
  /** Columns from zero instead of a line. */
  readonly bars?: boolean;
}

export interface LineChartProps {
  /** Name of the chart for screen readers: with the last value, if that is useful. */
  readonly label: string;
  /** Epoch ms, rising. */
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly height: number;
  /** Text of a value at the value axis. */
  readonly axis: (value: number) => string;
  /** Text of a line's value at a time; default: `axis` of the value. */
  readonly read?: (line: Line, index: number) => ReactNode;
  /** The times are UTC days: they keep their dates in every zone. */
  readonly days?: boolean;
}

interface Picture extends Pick<LineChartProps, 'times' | 'lines' | 'axis' | 'days'> {
  /** Size of the picture, px. */
  readonly width: number;
  readonly height: number;
  readonly colours: ThemeColours;
  readonly zone: 'utc' | 'local';
  readonly timeText: (at: number) => string;
  /** Index of the chosen time. */
  readonly at: number | null;
}

interface Span {
  readonly from: number;
  readonly to: number;
}
type Scale = (value: number) => number;

const FONT = '11px "Inter Variable", system-ui, sans-serif';
/** Margins around the lines, px: values on the left, times below. */
const AROUND = { left: 64, right: 24, top: 8, bottom: 26 } as const;
const VALUE_MARK_PX = 34;
const TIME_MARK_PX = 76;
const LINE_PX = 1.5;
const DASH = [4, 4];
const FILL_ALPHA = '26';
const BAR_SHARE = 0.7;
const WIDEST_BAR_PX = 40;
const POINT_PX = 3;
const DAY_MS = 86_400_000;

/** Range of the value axis: it includes zero for filled lines and columns, and a flat line is centred. */
function valueSpan(lines: readonly Line[]): Span {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { values } of lines) {
    for (const value of values) {
      if (value === null) continue;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
  }
  if (min > max) [min, max] = [0, 0];
  const standsOnZero = lines.some(({ filled, bars }) => filled === true || bars === true);
  const [from, to] = standsOnZero ? [Math.min(0, min), Math.max(0, max)] : [min, max];
  const margin = from === to ? Math.max(0.01, Math.abs(from) * 0.01) : (to - from) * 0.06;
  return {
    from: standsOnZero && from === 0 && to > 0 ? 0 : from - margin,
    to: standsOnZero && to === 0 && from < 0 ? 0 : to + margin,
  };
}

/** Range of the time axis: columns are centred on their times, so the first and last need room for half a column. */
function timeSpan(times: readonly number[], lines: readonly Line[]): Span {
  const [from, to] = [times[0] ?? 0, times.at(-1) ?? 0];
  const needsRoom = times.length === 1 || lines.some(({ bars }) => bars === true);
  const room = needsRoom ? stepOf(times) / 2 : 0;
  return { from: from - room, to: to + room };
}

function stepOf(times: readonly number[]): number {
  return times.length > 1 ? ((times.at(-1) ?? 0) - (times[0] ?? 0)) / (times.length - 1) : DAY_MS;
}

function scaleX({ times, lines, width }: Pick<Picture, 'times' | 'lines' | 'width'>): Scale {
  const { from, to } = timeSpan(times, lines);
  const room = Math.max(1, width - AROUND.left - AROUND.right);
  return (time) => AROUND.left + ((time - from) / Math.max(1, to - from)) * room;
}

/** Index of the time nearest to `px` (px from the left); null: there is none. */
export function indexAt(picture: Pick<Picture, 'times' | 'lines' | 'width'>, px: number): number | null {
  const x = scaleX(picture);
  const distances = picture.times.map((time) => Math.abs(x(time) - px));
  const nearest = distances.indexOf(Math.min(...distances));
  return nearest === -1 ? null : nearest;
}

export function drawPicture(canvas: HTMLCanvasElement, picture: Picture): void {
  const ctx = canvas.getContext('2d');
  if (ctx === null) return;
  const { width, height, times, lines, colours } = picture;
  const sharp = devicePixelRatio;
  canvas.width = Math.round(width * sharp);
  canvas.height = Math.round(height * sharp);
  ctx.scale(sharp, sharp);
  ctx.font = FONT;
  if (times.length === 0) return;
  const x = scaleX(picture);
  const span = valueSpan(lines);
  const room = Math.max(1, height - AROUND.top - AROUND.bottom);
  const y: Scale = (value) => AROUND.top + ((span.to - value) / (span.to - span.from)) * room;
  drawAxes(ctx, picture, { x, y, span, room });
  ctx.save();
  ctx.beginPath();
  ctx.rect(AROUND.left, AROUND.top - LINE_PX, width - AROUND.left - AROUND.right, room + 2 * LINE_PX);
  ctx.clip();
  for (const line of lines) {
    const colour = colours[line.colour ?? 'series1'];
    if (line.bars === true) drawBars(ctx, times, line, colour, x, y);
    else drawLine(ctx, times, line, colour, x, y);
  }
  ctx.restore();
  drawMoment(ctx, picture, x, y);
}

function stroke(ctx: CanvasRenderingContext2D, colour: string, dash: number[], px: number): void {
  ctx.strokeStyle = colour;
  ctx.lineWidth = px;
  ctx.setLineDash(dash);
}

function rule(ctx: CanvasRenderingContext2D, from: number, to: number, y: number): void {
  ctx.beginPath();
  ctx.moveTo(from, y);
  ctx.lineTo(to, y);
  ctx.stroke();
}

function drawAxes(
  ctx: CanvasRenderingContext2D,
  { times, lines, width, height, colours, axis, zone, days, timeText }: Picture,
  { x, y, span, room }: { readonly x: Scale; readonly y: Scale; readonly span: Span; readonly room: number },
): void {
  ctx.fillStyle = colours.quietText;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'right';
  stroke(ctx, colours.grid, [], 1);
  const written = new Set<string>();
  for (const value of valueTicks(span.from, span.to, room / VALUE_MARK_PX)) {
    const text = axis(value);
    // Marks closer together than the printed precision would show the same text twice.
    if (written.has(text)) continue;
    written.add(text);
    const at = Math.round(y(value)) + 0.5;
    rule(ctx, AROUND.left, width - AROUND.right, at);
    ctx.fillText(text, AROUND.left - 8, at);
  }
  ctx.textAlign = 'center';
  const { from, to } = timeSpan(times, lines);
  const most = (width - AROUND.left - AROUND.right) / TIME_MARK_PX;
  for (const time of timeTicks(from, to, most, zone, days))
    ctx.fillText(timeText(time), x(time), height - AROUND.bottom / 2);
}

/** Draws a line, interrupted at gaps. */
function drawLine(
  ctx: CanvasRenderingContext2D,
  times: readonly number[],
  { values, filled }: Line,
  colour: string,
  x: Scale,
  y: Scale,
): void {
  const line = new Path2D();
  const area = new Path2D();
  let last: number | null = null;
  times.forEach((time, index) => {
    const value = values[index] ?? null;
    if (value === null) {
      if (last !== null) area.lineTo(x(last), y(0));
      last = null;
      return;
    }
    if (last === null) {
      // A single value between gaps is drawn as a point.
      line.moveTo(x(time), y(value));
      line.lineTo(x(time), y(value));
      area.moveTo(x(time), y(0));
    } else line.lineTo(x(time), y(value));
    area.lineTo(x(time), y(value));
    last = time;
  });
  if (last !== null) area.lineTo(x(last), y(0));
  if (filled === true) {
    ctx.fillStyle = `${colour}${FILL_ALPHA}`;
    ctx.fill(area);
  }
  stroke(ctx, colour, [], LINE_PX);
  ctx.lineJoin = 'round';
  ctx.lineCap = 'round';
  if (times.length === 1) ctx.lineWidth = 2 * POINT_PX;
  ctx.stroke(line);
}

function drawBars(
  ctx: CanvasRenderingContext2D,
  times: readonly number[],
  { values }: Line,
  colour: string,
  x: Scale,
  y: Scale,
): void {
  const wide = Math.max(1, Math.min(WIDEST_BAR_PX, (x(stepOf(times)) - x(0)) * BAR_SHARE));
  ctx.fillStyle = colour;
  times.forEach((time, index) => {
    const value = values[index] ?? null;
    if (value !== null)
      ctx.fillRect(x(time) - wide / 2, Math.min(y(value), y(0)), wide, Math.abs(y(value) - y(0)));
  });
}

/** Draws a vertical line at the chosen time, and a point on each line. */
function drawMoment(
  ctx: CanvasRenderingContext2D,
  { times, lines, at, height, colours }: Picture,
  x: Scale,
  y: Scale,
): void {
  const time = at === null ? undefined : times[at];
  if (at === null || time === undefined) return;
  stroke(ctx, colours.quietText, DASH, 1);
  ctx.beginPath();
  ctx.moveTo(Math.round(x(time)) + 0.5, AROUND.top);
  ctx.lineTo(Math.round(x(time)) + 0.5, height - AROUND.bottom);
  ctx.stroke();
  for (const { values, colour, bars } of lines) {
    const value = values[at] ?? null;
    if (value === null || bars === true) continue;
    ctx.fillStyle = colours[colour ?? 'series1'];
    ctx.beginPath();
    ctx.arc(x(time), y(value), POINT_PX, 0, 2 * Math.PI);
    ctx.fill();
  }
}
