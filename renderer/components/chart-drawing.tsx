/** A level or a trend line over a chart, with its ends and the × of the one that has the focus. */
import { Pencil, X } from 'lucide-react';
import { type ComponentProps, type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef } from 'react';
import {
  type Drawing,
  type DrawingPlane,
  type DrawnPoint,
  type Place,
  textEnd,
  turned,
} from './chart-drawing-places.ts';
import css from './chart-drawings.module.css';

/** Step of an arrow key as a fraction of the level; ten times as much with Shift. */
const STEP = 0.001;
const SLACK_PX = 3;
/** The × beside the end of its line, within the picture. */
const CROSS_PX = 22;
/** Space before the price axis for the × of each line. */
const CROSS_ROOM_PX = 48;
/** Gap between a level's line and the figure above it. */
const FIGURE_PX = 2;

/** Part that is moved: the whole drawing, or one of its ends. */
type Part = 'all' | 0 | 1;

export function DrawnLine({
  drawing,
  textOf,
  plane,
  keep,
  onMoving,
  onMoved,
  onRemove,
}: {
  readonly drawing: Drawing;
  readonly textOf: (level: number) => string;
  readonly plane: () => DrawingPlane;
  /** Receives the function that positions the drawing; null: the drawing was removed. */
  readonly keep: (place: ((plane: DrawingPlane) => void) | null) => void;
  /** null: the drawing stays where it was. */
  readonly onMoving: (drawing: Drawing | null) => void;
  readonly onMoved: (drawing: Drawing) => void;
  readonly onRemove: () => void;
}) {
  const root = useRef<HTMLDivElement>(null);
  const from = useRef<{
    readonly part: Part;
    readonly at: Place;
    isDrag: boolean;
    readonly start: Drawing;
  } | null>(null);
  const { kind, points } = drawing;
  const name = kind === 'level' ? 'Drawn level' : 'Trend line';
  const figures = points.map(({ level }) => textOf(level)).join(' to ');

  useLayoutEffect(() => {
    keep((now) => {
      if (root.current !== null) placeParts(root.current, drawing, now);
    });
    return () => keep(null);
  });

  const onKeyDown = (part: Part) => (event: KeyboardEvent<HTMLElement>) => {
    const { key, shiftKey } = event;
    const rise = key === 'ArrowUp' ? 1 : key === 'ArrowDown' ? -1 : 0;
    const aside = kind === 'trend' ? (key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0) : 0;
    if (key === 'Delete' || key === 'Backspace') onRemove();
    else if (key === 'Escape') {
      giveUp();
      event.currentTarget.blur();
    } else if (aside !== 0) {
      const next = shifted(
        drawing,
        part,
        { dx: aside * plane().spacing * (shiftKey ? 10 : 1), dy: 0 },
        plane(),
      );
      if (next !== null) onMoved(next);
    } else if (rise !== 0) {
      const by = rise * (points[part === 'all' ? 0 : part]?.level ?? 0) * STEP * (shiftKey ? 10 : 1);
      const next = points.map((point, index) =>
        part === 'all' || part === index ? { ...point, level: point.level + by } : point,
      );
      if (next.every(({ level }) => level > 0)) onMoved({ ...drawing, points: next });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onPointerDown = (part: Part) => (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { part, at: { x: event.clientX, y: event.clientY }, isDrag: false, start: drawing };
  };
  /** The drawing under the pointer; null: the press is not a drag, or it leads off the scale. */
  const draggedTo = (event: PointerEvent) => {
    const press = from.current;
    if (press === null) return null;
    const [dx, dy] = [event.clientX - press.at.x, event.clientY - press.at.y];
    press.isDrag ||= Math.hypot(dx, dy) > SLACK_PX;
    if (!press.isDrag) return null;
    return shifted(press.start, press.part, { dx: kind === 'level' ? 0 : dx, dy }, plane());
  };
  const onPointerMove = (event: PointerEvent) => {
    const next = draggedTo(event);
    if (next !== null) onMoving(next);
  };
  const onPointerUp = (event: PointerEvent) => {
    // Uses the release position: the last move may not be drawn yet.
    const next = draggedTo(event);
    const isDrag = from.current?.isDrag === true;
    from.current = null;
    if (isDrag) onMoved(next ?? drawing);
  };
  const giveUp = () => {
    from.current = null;
    onMoving(null);
  };
  const handlers = (part: Part) => ({
    onKeyDown: onKeyDown(part),
    onPointerDown: onPointerDown(part),
    onPointerMove,
    onPointerUp,
    onPointerCancel: giveUp,
  });
  return (
    <div ref={root} className={css['drawing']}>
      <Grip
        {...handlers('all')}
        name={name}
        level={points[0]?.level ?? 0}
        figures={figures}
        data-drawing={drawing.id}
        data-part="line"
        data-kind={kind}
        className={css['line']}
      >
        {kind === 'level' && (
          <span className={css['figure']} data-part="figure" aria-hidden="true">
            <Pencil />
            {figures}
          </span>
        )}
      </Grip>
      {kind === 'trend' &&
        ([0, 1] as const).map((part) => (
          <Grip
            key={part}
            {...handlers(part)}
            name={part === 0 ? 'Start of the trend line' : 'End of the trend line'}
            level={points[part]?.level ?? 0}
            figures={textOf(points[part]?.level ?? 0)}
            data-part={part === 0 ? 'start' : 'end'}
            className={css['end']}
          />
        ))}
      <button
        type="button"
        data-part="cross"
        className={css['cross']}
        aria-label={`Remove ${name.toLowerCase()} ${figures}`}
        title="Remove (Delete)"
        onClick={onRemove}
      >
        <X aria-hidden="true" />
      </button>
    </div>
  );
}

/** Handle of a drawing or of one of its ends, for pointer and arrow keys. */
function Grip({
  name,
  level,
  figures,
  ...rest
}: Omit<ComponentProps<'div'>, 'role' | 'tabIndex'> & {
  readonly name: string;
  readonly level: number;
  readonly figures: string;
  readonly 'data-part': string;
}) {
  return (
    <div
      {...rest}
      role="slider"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={name}
      aria-valuenow={level}
      aria-valuetext={figures}
      aria-keyshortcuts="Delete"
    />
  );
}

/** The drawing with one part moved by pixels; null: the new place is off the scale. */
function shifted(
  start: Drawing,
  part: Part,
  { dx, dy }: { readonly dx: number; readonly dy: number },
  plane: DrawingPlane,
): Drawing | null {
  const points = start.points.flatMap((point, index): readonly DrawnPoint[] => {
    if (part !== 'all' && part !== index) return [point];
    const at = plane.placeOf(point);
    const there = at === null ? null : plane.pointAt({ x: at.x + dx, y: at.y + dy });
    // A purely vertical move keeps the time, which may lie between the candles of this interval.
    return there === null ? [] : [{ level: there.level, time: dx === 0 ? point.time : there.time }];
  });
  return points.length === start.points.length ? { ...start, points } : null;
}

/** Positions the parts. A drawing outside the picture is hidden and unfocusable: the drawings menu removes it. */
function placeParts(root: HTMLElement, { kind, points }: Drawing, plane: DrawingPlane): void {
  const part = (name: string) => root.querySelector<HTMLElement>(`[data-part="${name}"]`);
  const places = points.map(plane.placeOf);
  const [from = null, to = null] = kind === 'level' ? levelEnds(places[0] ?? null, plane) : places;
  const isIn = from !== null && to !== null && crosses(from, to, plane);
  root.style.visibility = isIn ? '' : 'hidden';
  if (from === null || to === null) return;
  const { length, angle } = turned(from, to);
  const line = part('line');
  if (line !== null) {
    line.style.width = `${length}px`;
    line.style.transform = `translate(${from.x}px, ${from.y}px) rotate(${angle}rad)`;
  }
  const figure = part('figure');
  if (figure !== null) {
    const { offsetWidth: length, offsetHeight } = figure;
    const bottom = from.y - FIGURE_PX;
    const end = textEnd(
      { length, top: bottom - offsetHeight, bottom },
      plane.width - CROSS_ROOM_PX,
      plane.taken,
    );
    figure.style.right = `${plane.width - end}px`;
  }
  for (const [name, at] of [
    ['start', from],
    ['end', to],
  ] as const) {
    const end = part(name);
    if (end !== null) end.style.transform = `translate(${at.x}px, ${at.y}px)`;
  }
  const cross = part('cross');
  const x = Math.min(
    plane.width - CROSS_PX,
    Math.max(0, kind === 'level' ? plane.width - CROSS_PX : to.x + 6),
  );
  const y = Math.min(plane.height - CROSS_PX, Math.max(0, to.y + 6));
  if (cross !== null) cross.style.transform = `translate(${x}px, ${y}px)`;
}

function levelEnds(at: Place | null, { width }: DrawingPlane): readonly (Place | null)[] {
  return at === null
    ? []
    : [
        { x: 0, y: at.y },
        { x: width, y: at.y },
      ];
}

function crosses(from: Place, to: Place, { width, height }: DrawingPlane): boolean {
  const [left, right] = [Math.min(from.x, to.x), Math.max(from.x, to.x)];
  const [top, bottom] = [Math.min(from.y, to.y), Math.max(from.y, to.y)];
  return left <= width && right >= 0 && top <= height && bottom >= 0;
}
