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
/** Of the level, by an arrow key; ten times as much with Shift. */
const STEP = 0.001;

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
    for (const line of movable) {
      const element = elements.current.get(line.id);
      const y = series.priceToCoordinate(levelOf(line));
      if (element === undefined || y === null || height === 0) continue;
      const shown = y < 0 ? TOP_PX : Math.min(height - EDGE_PX, Math.max(EDGE_PX, y));
      element.style.transform = `translateY(${shown}px)`;
      element.dataset['off'] = shown === y ? '' : y < shown ? '▲' : '▼';
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
        levelAt={(clientY, element) => {
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
  readonly levelAt: (clientY: number, element: HTMLElement) => number | null;
  readonly onMoving: (level: number | null) => void;
  readonly onLetGo: (level: number) => void;
}) {
  const from = useRef<{ readonly y: number; isDrag: boolean } | null>(null);
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { y: event.clientY, isDrag: false };
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (from.current === null) return;
    from.current.isDrag ||= Math.abs(event.clientY - from.current.y) > SLACK_PX;
    const next = from.current.isDrag ? levelAt(event.clientY, event.currentTarget) : null;
    if (next !== null && next > 0) onMoving(next);
  };
  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    const isDrag = from.current?.isDrag === true;
    from.current = null;
    const next = isDrag ? levelAt(event.clientY, event.currentTarget) : null;
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
      aria-valuetext={words === '' ? String(Number(level.toPrecision(6))) : `${words}. Enter to review`}
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
        {line.label}
        {words !== '' && ` ${words}`}
      </span>
    </div>
  );
}
