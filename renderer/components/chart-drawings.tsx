/**
 * Drawings over a candle chart: levels and trend lines. They look unlike orders: dotted, with a pencil and without a
 * name. Arrow keys move the focused drawing or one of its ends; Delete removes it.
 */
import type { IChartApi, ISeriesApi } from 'lightweight-charts';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { DrawnLine } from './chart-drawing.tsx';
import { DrawingPlacer } from './chart-drawing-placer.tsx';
import {
  type Drawing,
  type DrawingPlane,
  type DrawnPoint,
  placeOfTime,
  type TimeAxis,
  timeOfPlace,
} from './chart-drawing-places.ts';
import css from './chart-drawings.module.css';
import { stands, useOnDraw } from './chart-standing.ts';
import { amountBoxes } from './mark-amounts.ts';

export interface DrawingTools {
  /** Must keep their identity while none changes. */
  readonly drawings: readonly Drawing[];
  /** Kind of drawing that is being placed; null: none. */
  readonly placing: Drawing['kind'] | null;
  readonly onPlaced: (points: readonly DrawnPoint[]) => void;
  /** Ends placing. */
  readonly onStop: () => void;
  readonly onChange: (drawing: Drawing) => void;
  readonly onRemove: (id: string) => void;
}

export function ChartDrawings({
  chart,
  series,
  times,
  textOf,
  tools,
}: {
  readonly chart: IChartApi;
  readonly series: ISeriesApi<'Candlestick'>;
  /** Starts of the candles, oldest first, epoch seconds. */
  readonly times: readonly number[];
  readonly textOf: (level: number) => string;
  readonly tools: DrawingTools;
}) {
  const { drawings, placing } = tools;
  const [moved, setMoved] = useState<Drawing | null>(null);
  const element = useRef<HTMLDivElement>(null);
  /** Functions that position the drawings, by id. */
  const placers = useRef(new Map<string, (plane: DrawingPlane) => void>());
  const isNew = useRef(false);
  const plane = (): DrawingPlane => {
    const scale = chart.timeScale();
    const { barSpacing } = scale.options();
    const axis: TimeAxis = {
      times,
      spacing: barSpacing,
      xOf: (time) => scale.timeToCoordinate(time as Parameters<typeof scale.timeToCoordinate>[0]),
    };
    return {
      width: scale.width(),
      height: chart.panes()[0]?.getHeight() ?? 0,
      spacing: barSpacing,
      taken: amountBoxes(series),
      placeOf({ time, level }) {
        const [x, y] = [placeOfTime(time, axis), series.priceToCoordinate(level)];
        return x === null || y === null ? null : { x, y };
      },
      pointAt({ x, y }) {
        const [time, level] = [timeOfPlace(x, axis), series.coordinateToPrice(y)];
        return time === null || level === null || !(level > 0) ? null : { time, level };
      },
    };
  };
  const place = useEffectEvent(() => {
    if (!stands(chart) || !stands(series) || element.current === null) return;
    const now = plane();
    element.current.style.width = `${now.width}px`;
    element.current.style.height = `${now.height}px`;
    for (const placer of placers.current.values()) placer(now);
  });
  useLayoutEffect(place);
  useOnDraw(series, place);
  // A new drawing gets the focus, so that it can be corrected or removed at once.
  useEffect(() => {
    if (!isNew.current) return;
    isNew.current = false;
    const id = CSS.escape(drawings.at(-1)?.id ?? '');
    element.current?.querySelector<HTMLElement>(`[data-drawing="${id}"]`)?.focus();
  }, [drawings]);
  return (
    <div ref={element} className={css['plane']}>
      {drawings.map((drawing) => (
        <DrawnLine
          key={drawing.id}
          drawing={moved?.id === drawing.id ? moved : drawing}
          textOf={textOf}
          plane={plane}
          keep={(placer) => {
            if (placer === null) placers.current.delete(drawing.id);
            else placers.current.set(drawing.id, placer);
          }}
          onMoving={setMoved}
          onMoved={(next) => {
            setMoved(null);
            tools.onChange(next);
          }}
          onRemove={() => tools.onRemove(drawing.id)}
        />
      ))}
      {placing !== null && (
        <DrawingPlacer
          key={placing}
          kind={placing}
          plane={plane}
          textOf={textOf}
          onPlaced={(points) => {
            isNew.current = true;
            tools.onPlaced(points);
          }}
          onStop={tools.onStop}
        />
      )}
    </div>
  );
}
