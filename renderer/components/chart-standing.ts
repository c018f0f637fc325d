/** Tracks which charts and series still exist, and calls back when a chart is drawn. */
import type { ISeriesApi, ISeriesPrimitive, SeriesType, Time } from 'lightweight-charts';
import { useEffect, useEffectEvent } from 'react';

/** Removed charts and their series: the library throws when one of them is used. */
const removed = new WeakSet<object>();

export function hasGone(part: object): void {
  removed.add(part);
}

/**
 * True: the chart or series of an earlier render still exists. React may run effects again before it renders the state
 * that follows its removal.
 */
export function stands<Part extends object>(part: Part | null): part is Part {
  return part !== null && !removed.has(part);
}

/**
 * Calls `place` whenever the chart is about to draw: after a scroll, a zoom, new data or a resize.
 * @param series null: there is no chart yet
 */
export function useOnDraw<T extends SeriesType>(series: ISeriesApi<T> | null, place: () => void): void {
  const onDraw = useEffectEvent(place);
  useEffect(() => {
    if (!stands(series)) return;
    const follower: ISeriesPrimitive<Time> = { updateAllViews: () => requestAnimationFrame(() => onDraw()) };
    series.attachPrimitive(follower);
    return () => {
      if (stands(series)) series.detachPrimitive(follower);
    };
  }, [series]);
}
