/**
 * Names of the lines at the left end. Of those that can be moved it is a handle: dragged with the pointer, or with the arrow
 * keys and Enter. Each that stands for something which can be cancelled has a small × at the other end. Of a line that is off the scale both are at the edge of the picture.
 * Letting go only proposes a level: what follows is asked first, as is what the × cancels.
 */
import type { IChartApi, ISeriesApi, SeriesType } from 'lightweight-charts';
import { X } from 'lucide-react';
import {
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { readoutBottom } from './chart-readout-room.ts';
import { stands, useOnDraw } from './chart-standing.ts';
import { classNames } from './class-names.ts';
import { moveApart, nameShared } from './level-names.ts';
import { CANCEL_PX, levelPlaces } from './level-places.ts';
import { amountBoxes, keepClear } from './mark-amounts.ts';
import css from './market-chart.module.css';
import type { ChartMoves, LevelLine } from './market-chart.tsx';

/** The pointer has to go so far before a press is a drag. */
const SLACK_PX = 3;
/** Between two ×, and from the price axis. */
const GAP_PX = 4;
/** Of the level, by an arrow key; ten times as much with Shift. */
const STEP = 0.001;

interface Press {
  /** Of the pointer, in the window. */
  readonly y: number;
  /** Of the line. */
  readonly level: number;
}

interface Moved {
  readonly id: string;
  readonly level: number;
}

export function LevelHandles<T extends SeriesType>({
  chart,
  series,
  lines,
  moves,
}: {
  readonly chart: IChartApi;
  readonly series: ISeriesApi<T>;
  readonly lines: readonly LevelLine[];
  readonly moves: ChartMoves;
}) {
  const [moved, setMoved] = useState<Moved | null>(null);
  /** Handles, and names of the lines that have none. */
  const handles = useRef(new Map<string, HTMLElement>());
  const crosses = useRef(new Map<string, HTMLElement>());
  const levelOf = ({ id, level }: LevelLine) =>
    moved?.id === id ? moved.level : moves.proposed?.id === id ? moves.proposed.level : level;
  const place = useEffectEvent(() => {
    if (!stands(chart) || !stands(series)) return;
    const height = chart.panes()[0]?.getHeight() ?? 0;
    if (height === 0) return;
    const axis = chart.priceScale('right').width() + GAP_PX;
    const placed = levelPlaces(
      lines.map((line) => ({
        id: line.id,
        y: series.priceToCoordinate(levelOf(line)),
        hasHandle: line.isMovable === true || line.isOneOfMany !== true,
        hasCancel: line.isCancellable === true,
      })),
      height,
      readoutBottom(chart),
    );
    for (const [id, { y, off, shift }] of placed) {
      const [handle, cross] = [handles.current.get(id), crosses.current.get(id)];
      if (handle !== undefined) {
        handle.style.transform = `translateY(${y}px)`;
        if (off === null) delete handle.dataset['off'];
        else handle.dataset['off'] = off;
      }
      if (cross !== undefined) {
        cross.style.right = `${axis + shift * (CANCEL_PX + GAP_PX)}px`;
        cross.style.transform = `translateY(${y - CANCEL_PX / 2}px)`;
      }
    }
    keepClear(
      series,
      [...crosses.current].flatMap(([id, { offsetLeft: left, offsetWidth }]) => {
        const at = placed.get(id)?.y;
        const half = CANCEL_PX / 2;
        return at === undefined
          ? []
          : [{ left, right: left + offsetWidth, top: at - half, bottom: at + half }];
      }),
    );
    nameShared(lines, placed, handles.current);
    moveApart(placed, handles.current, crosses.current, amountBoxes(series));
  });
  useLayoutEffect(place);
  useOnDraw(series, place);
  const press = useEffectEvent((level: number, at: { readonly x: number; readonly y: number }) =>
    moves.onPress?.(level, at),
  );
  useEffect(() => {
    const onClick: Parameters<IChartApi['subscribeClick']>[0] = ({ point, paneIndex = 0 }) => {
      const level = point === undefined || paneIndex !== 0 ? null : series.coordinateToPrice(point.y);
      if (point !== undefined && level !== null) press(level, point);
    };
    chart.subscribeClick(onClick);
    return () => {
      if (stands(chart)) chart.unsubscribeClick(onClick);
    };
  }, [chart, series]);

  const letGo = (line: LevelLine, level: number) => {
    setMoved(null);
    moves.onMove(line.id, level);
  };
  const shownHandle = (line: LevelLine) => {
    const level = levelOf(line);
    const isMoved = level !== line.level;
    const words = isMoved ? moves.textOf(line.id, level) : '';
    return (
      <Handle
        key={line.id}
        line={line}
        level={level}
        isMoved={isMoved}
        words={words}
        figure={moves.figureOf(level)}
        keep={(element) => keepIn(handles.current, line.id, element)}
        levelAt={(clientY, element, from) => {
          const own = series.priceToCoordinate(from.level);
          const [by, height] = [clientY - from.y, chart.panes()[0]?.getHeight() ?? 0];
          // The handle of a line off the scale does not stand where the line is: farther out is farther.
          if (own !== null && ((own < 0 && by < 0) || (own > height && by > 0)))
            return series.coordinateToPrice(own + by);
          const top = element.parentElement?.getBoundingClientRect().top ?? 0;
          return series.coordinateToPrice(clientY - top);
        }}
        onMoving={(next) => setMoved(next === null ? null : { id: line.id, level: next })}
        onLetGo={(next) => letGo(line, next)}
      />
    );
  };
  // Each × lies over the strips of the handles.
  return (
    <>
      {lines
        .filter(({ isMovable }) => isMovable !== true)
        .map((line) => (
          <Name
            key={line.id}
            line={line}
            figure={moves.figureOf(line.level)}
            keep={(element) => keepIn(handles.current, line.id, element)}
          />
        ))}
      {lines.filter(({ isMovable }) => isMovable === true).map(shownHandle)}
      {lines
        .filter(({ isCancellable }) => isCancellable === true)
        .map((line) => (
          <Cross
            key={line.id}
            line={line}
            name={`Cancel ${line.label} at ${moves.figureOf(line.level)}`}
            keep={(element) => keepIn(crosses.current, line.id, element)}
            onPress={() => moves.onCancel(line.id)}
          />
        ))}
    </>
  );
}

/** A name of a line that cannot be moved. Screen readers have it from the picture, and from the × of the line. */
function Name({
  line,
  figure,
  keep,
}: {
  readonly line: LevelLine;
  readonly figure: string;
  readonly keep: (element: HTMLElement | null) => void;
}) {
  return (
    <div ref={keep} className={css['handle']} data-tone={line.tone} data-still aria-hidden="true">
      <span className={css['grip']}>
        {/* Of those in its row, where it stands for them. */}
        <span data-names className={css['names']} />
        <span className={classNames(css['own'], css['words'])}>{line.short ?? line.label}</span>
        <Far figure={figure} />
      </span>
    </div>
  );
}

/** Of a line off the scale: where it lies. On the scale the axis says it. */
function Far({ figure }: { readonly figure: string }) {
  return (
    <span className={css['far']} aria-hidden="true">
      <span className={css['own']}>{figure}</span>
      <span className={css['up']}>▲</span>
      <span className={css['down']}>▼</span>
    </span>
  );
}

function keepIn(elements: Map<string, HTMLElement>, id: string, element: HTMLElement | null): void {
  if (element === null) elements.delete(id);
  else elements.set(id, element);
}

function Cross({
  line,
  name,
  keep,
  onPress,
}: {
  readonly line: LevelLine;
  readonly name: string;
  readonly keep: (element: HTMLElement | null) => void;
  readonly onPress: () => void;
}) {
  return (
    <button
      ref={keep}
      type="button"
      className={css['cancel']}
      data-tone={line.tone}
      aria-label={name}
      title={name}
      onClick={onPress}
    >
      <X aria-hidden="true" />
    </button>
  );
}

function Handle({
  line,
  level,
  isMoved,
  words,
  figure,
  keep,
  levelAt,
  onMoving,
  onLetGo,
}: {
  readonly line: LevelLine;
  readonly level: number;
  readonly isMoved: boolean;
  readonly words: string;
  /** The level. */
  readonly figure: string;
  readonly keep: (element: HTMLElement | null) => void;
  readonly levelAt: (clientY: number, element: HTMLElement, from: Press) => number | null;
  readonly onMoving: (level: number | null) => void;
  readonly onLetGo: (level: number) => void;
}) {
  const from = useRef<(Press & { isDrag: boolean }) | null>(null);
  const [isByKey, setByKey] = useState(false);
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { y: event.clientY, level, isDrag: false };
    setByKey(false);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (from.current === null) return;
    from.current.isDrag ||= Math.abs(event.clientY - from.current.y) > SLACK_PX;
    const next = from.current.isDrag ? levelAt(event.clientY, event.currentTarget, from.current) : null;
    if (next !== null && next > 0) onMoving(next);
  };
  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    const pressed = from.current;
    from.current = null;
    const next = pressed?.isDrag === true ? levelAt(event.clientY, event.currentTarget, pressed) : null;
    if (next !== null && next > 0) onLetGo(next);
    else onMoving(null);
  };
  const giveUp = () => {
    from.current = null;
    onMoving(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = level * STEP * (event.shiftKey ? 10 : 1);
    if (event.key === 'ArrowUp') onMoving(level + step);
    else if (event.key === 'ArrowDown') onMoving(level - step);
    else if (event.key === 'Enter' && isMoved) onLetGo(level);
    else if (event.key === 'Escape' && isMoved) giveUp();
    else return;
    setByKey(true);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={keep}
      role="slider"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Move ${line.label}`}
      aria-valuenow={level}
      aria-valuetext={words === '' ? figure : `${words}. Enter to review`}
      className={css['handle']}
      data-tone={line.tone}
      data-moved={isMoved ? '' : undefined}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={giveUp}
      onLostPointerCapture={() => from.current !== null && giveUp()}
      onKeyDown={onKeyDown}
      onBlur={() => from.current === null && isMoved && onMoving(null)}
    >
      <span className={css['grip']}>
        <span aria-hidden="true">⋮⋮</span>
        <span className={css['words']}>
          {isMoved ? (line.name ?? line.label) : line.label}
          {words !== '' && ` ${words}`}
        </span>
        <Far figure={isMoved ? '' : figure} />
        {isMoved && isByKey && (
          <span className={css['hint']} aria-hidden="true">
            Enter to review, Esc to undo
          </span>
        )}
      </span>
    </div>
  );
}
