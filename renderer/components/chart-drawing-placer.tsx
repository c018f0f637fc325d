/** Layer over a chart during drawing: a click, or arrow keys and Enter, set each point. */
import { type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import {
  type Drawing,
  type DrawingPlane,
  type DrawnPoint,
  type Place,
  turned,
} from './chart-drawing-places.ts';
import css from './chart-drawings.module.css';

/** Vertical step of an arrow key; five times as much with Shift. The horizontal step is one candle. */
const STEP_PX = 4;
const FAST = 5;

export function DrawingPlacer({
  kind,
  plane,
  textOf,
  onPlaced,
  onStop,
}: {
  readonly kind: Drawing['kind'];
  readonly plane: () => DrawingPlane;
  readonly textOf: (level: number) => string;
  readonly onPlaced: (points: readonly DrawnPoint[]) => void;
  readonly onStop: () => void;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const preview = useRef<HTMLSpanElement>(null);
  const [first, setFirst] = useState<DrawnPoint | null>(null);
  const [at, setAt] = useState<Place>(() => {
    const { width, height } = plane();
    return { x: width / 2, y: height / 2 };
  });
  useEffect(() => button.current?.focus(), []);
  const point = plane().pointAt(at);
  useLayoutEffect(() => {
    const start = first === null ? null : plane().placeOf(first);
    if (preview.current === null || start === null) return;
    const { length, angle } = turned(start, at);
    preview.current.style.width = `${length}px`;
    preview.current.style.transform = `translate(${start.x}px, ${start.y}px) rotate(${angle}rad)`;
  });
  const put = (there: DrawnPoint | null) => {
    if (there === null) return;
    if (kind === 'level') onPlaced([there]);
    else if (first === null) setFirst(there);
    else if (first.time !== there.time || first.level !== there.level) onPlaced([first, there]);
  };
  const placeOf = ({ clientX, clientY }: Pick<MouseEvent, 'clientX' | 'clientY'>): Place => {
    const { left = 0, top = 0 } = button.current?.getBoundingClientRect() ?? {};
    return { x: clientX - left, y: clientY - top };
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey } = event;
    const { width, height, spacing } = plane();
    const aside = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
    const down = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    if (key === 'Escape') onStop();
    else if (aside !== 0 || down !== 0) {
      const times = shiftKey ? FAST : 1;
      setAt({
        x: Math.min(width, Math.max(0, at.x + aside * spacing * times)),
        y: Math.min(height, Math.max(0, at.y + down * STEP_PX * times)),
      });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const what = kind === 'level' ? 'the level' : first === null ? 'the start of the line' : 'its end';
  const figure = point === null ? '' : textOf(point.level);
  const words = `Set ${what} at ${figure}`;
  return (
    <>
      <button
        ref={button}
        type="button"
        className={css['placer']}
        onPointerMove={(event) => setAt(placeOf(event))}
        // Enter clicks without a pointer position.
        onClick={(event) => put(event.detail === 0 ? point : plane().pointAt(placeOf(event)))}
        onKeyDown={onKeyDown}
      >
        <span className={css['across']} style={{ transform: `translateY(${at.y}px)` }} />
        <span className={css['down']} style={{ transform: `translateX(${at.x}px)` }} />
        {first !== null && <span ref={preview} className={css['preview']} />}
        <span className={css['hint']}>
          {words}
          <span aria-hidden="true"> · Esc ends</span>
        </span>
      </button>
      <output className="visually-hidden">{words}</output>
    </>
  );
}
