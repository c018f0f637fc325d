/**
 * Names of the lines, at the left end. The name of a movable line is a handle for the pointer, or for arrow keys and
 * Enter. A line that can be cancelled has a small × at the other end. For a line off the scale both are at the edge of
 * the picture. Releasing a line only proposes a level: moving and cancelling are confirmed first.
 */
import type { IChartApi, ISeriesApi, SeriesType } from 'lightweight-charts';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { readoutBottom } from './chart-readout-room.ts';
import { stands, useOnDraw } from './chart-standing.ts';
import { Cross, Handle, Name } from './level-handle.tsx';
import type { ChartMoves, LevelLine } from './level-line.ts';
import { isNamed, moveApart, nameShared } from './level-names.ts';
import { CANCEL_PX, levelPlaces, readoutStrip } from './level-places.ts';
import { amountBoxes, keepClear } from './mark-amounts.ts';

/** Gap between two ×, and between × and price axis. */
const GAP_PX = 4;

interface Moved {
  readonly id: string;
  readonly level: number;
}

export function LevelHandles<T extends SeriesType>({
  chart,
  series,
  lines,
  moves,
  onUnnamed,
  isUntagged,
}: {
  readonly chart: IChartApi;
  readonly series: ISeriesApi<T>;
  readonly lines: readonly LevelLine[];
  readonly moves: ChartMoves;
  readonly onUnnamed: ((ids: readonly string[]) => void) | undefined;
  /** True: the axis does not show the line's price, so its name does. */
  readonly isUntagged: (line: LevelLine) => boolean;
}) {
  const [moved, setMoved] = useState<Moved | null>(null);
  /** Handles, and names of lines without a handle. */
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
        hasHandle: line.isMovable === true || line.oneOf === undefined,
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
    for (const line of lines) {
      const handle = handles.current.get(line.id);
      if (handle !== undefined) handle.toggleAttribute('data-untagged', isUntagged(line));
    }
    nameShared(lines, placed, handles.current);
    moveApart(placed, handles.current, crosses.current, amountBoxes(series));
    // The name of a moved line is longer only while it is moved.
    if (moved === null && moves.proposed === null) tellUnnamed();
  });
  const told = useRef<string | null>(null);
  const tellUnnamed = () => {
    const unnamed = lines.map(({ id }) => id).filter((id) => !isNamed(handles.current.get(id)));
    if (unnamed.join() === told.current) return;
    told.current = unnamed.join();
    onUnnamed?.(unnamed);
  };
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
        more={isMoved ? null : (moves.moreOf?.(line.id) ?? null)}
        figure={moves.figureOf(level)}
        step={moves.step}
        keep={(element) => keepIn(handles.current, line.id, element)}
        levelAt={(clientY, element, from) => {
          const own = series.priceToCoordinate(from.level);
          const [by, height] = [clientY - from.y, chart.panes()[0]?.getHeight() ?? 0];
          // The handle of a line off the scale, or behind the readout, is not at its line. There, a drag outwards moves
          // the level by the pointer's distance.
          const isBehind = own !== null && own >= 0 && own < readoutStrip(readoutBottom(chart));
          if (own !== null && (isBehind || (own < 0 && by < 0) || (own > height && by > 0)))
            return series.coordinateToPrice(own + by);
          const top = element.parentElement?.getBoundingClientRect().top ?? 0;
          return series.coordinateToPrice(clientY - top);
        }}
        onMoving={(next) => setMoved(next === null ? null : { id: line.id, level: next })}
        onLetGo={(next) => letGo(line, next)}
      />
    );
  };
  // The × of each line lies over the handles.
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

function keepIn(elements: Map<string, HTMLElement>, id: string, element: HTMLElement | null): void {
  if (element === null) elements.delete(id);
  else elements.set(id, element);
}
