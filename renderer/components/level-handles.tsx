/**
 * Handles of the lines that can be moved: dragged with the pointer, or with the arrow keys and Enter. A line that is off
 * the scale has its handle at the edge of the picture. Letting go only proposes a level: what follows is asked first.
 */
import type { IChartApi, ISeriesApi, SeriesType } from 'lightweight-charts';
import {
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { stands, useOnDraw } from './chart-standing.ts';
import css from './market-chart.module.css';
import type { ChartMoves, LevelLine } from './market-chart.tsx';

/** The pointer has to go so far before a press is a drag. */
const SLACK_PX = 3;
const EDGE_PX = 9;
/** Below the readout, which stands at the top. */
const TOP_PX = 30;
/** Handles of lines that are off the same edge stand one under the other. */
const STACK_PX = 20;
/** Of the level, by an arrow key; ten times as much with Shift. */
const STEP = 0.001;

const figure = (level: number) => String(Number(level.toPrecision(6)));

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
  const elements = useRef(new Map<string, HTMLDivElement>());
  const movable = lines.filter(({ isMovable }) => isMovable === true);
  const levelOf = ({ id, level }: LevelLine) =>
    moved?.id === id ? moved.level : moves.proposed?.id === id ? moves.proposed.level : level;
  const place = useEffectEvent(() => {
    if (!stands(chart) || !stands(series)) return;
    const height = chart.panes()[0]?.getHeight() ?? 0;
    const at = movable
      .map((line) => ({ id: line.id, y: series.priceToCoordinate(levelOf(line)) }))
      .sort((a, b) => (a.y ?? 0) - (b.y ?? 0));
    // The farthest is nearest to the edge, above as below.
    const above = at.filter(({ y }) => y !== null && y < 0);
    const below = at.filter(({ y }) => y !== null && y > height).reverse();
    for (const one of at) {
      const element = elements.current.get(one.id);
      if (element === undefined || one.y === null || height === 0) continue;
      const [up, down] = [above.indexOf(one), below.indexOf(one)];
      const shown =
        up >= 0
          ? TOP_PX + up * STACK_PX
          : down >= 0
            ? height - EDGE_PX - down * STACK_PX
            : Math.min(height - EDGE_PX, Math.max(EDGE_PX, one.y));
      element.style.transform = `translateY(${shown}px)`;
      if (up < 0 && down < 0) delete element.dataset['off'];
      else element.dataset['off'] = up >= 0 ? 'up' : 'down';
    }
  });
  useLayoutEffect(place);
  useOnDraw(series, place);
  const press = useEffectEvent((level: number, at: { readonly x: number; readonly y: number }) =>
    moves.onPress(level, at),
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
  return movable.map((line) => {
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
        keep={(element) => {
          if (element === null) elements.current.delete(line.id);
          else elements.current.set(line.id, element);
        }}
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
  });
}

function Handle({
  line,
  level,
  isMoved,
  words,
  keep,
  levelAt,
  onMoving,
  onLetGo,
}: {
  readonly line: LevelLine;
  readonly level: number;
  readonly isMoved: boolean;
  readonly words: string;
  readonly keep: (element: HTMLDivElement | null) => void;
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
      aria-valuetext={words === '' ? figure(level) : `${words}. Enter to review`}
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
        {isMoved ? (line.name ?? line.label) : line.label}
        {words !== '' && ` ${words}`}
        {/* Of a line off the scale: where it lies. On the scale the axis says it. */}
        <span className={css['far']} aria-hidden="true">
          {!isMoved && figure(level)}
          <span className={css['up']}>▲</span>
          <span className={css['down']}>▼</span>
        </span>
        {isMoved && isByKey && (
          <span className={css['hint']} aria-hidden="true">
            Enter to review, Esc to undo
          </span>
        )}
      </span>
    </div>
  );
}
