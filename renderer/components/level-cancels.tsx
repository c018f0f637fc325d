/** A small × at the right end of each line that stands for something which can be cancelled. */

import type { IChartApi, ISeriesApi, SeriesType } from 'lightweight-charts';
import { X } from 'lucide-react';
import { useEffectEvent, useLayoutEffect, useRef } from 'react';
import { stands, useOnDraw } from './chart-standing.ts';
import css from './market-chart.module.css';
import type { LevelLine } from './market-chart.tsx';

const SIZE_PX = 18;
/** From the price axis. */
const GAP_PX = 4;
/** Below the readout, which stands at the top. */
const TOP_PX = 30;

export function LevelCancels<T extends SeriesType>({
  chart,
  series,
  lines,
  onCancel,
}: {
  readonly chart: IChartApi;
  readonly series: ISeriesApi<T>;
  readonly lines: readonly LevelLine[];
  readonly onCancel: (id: string) => void;
}) {
  const elements = useRef(new Map<string, HTMLButtonElement>());
  const cancellable = lines.filter(({ isCancellable }) => isCancellable === true);
  const place = useEffectEvent(() => {
    if (!stands(chart) || !stands(series)) return;
    const height = chart.panes()[0]?.getHeight() ?? 0;
    const right = chart.priceScale('right').width() + GAP_PX;
    const placed: { readonly y: number; readonly right: number }[] = [];
    for (const { id, level } of cancellable) {
      const element = elements.current.get(id);
      const at = series.priceToCoordinate(level);
      if (element === undefined || at === null || height === 0) continue;
      const y = Math.min(height - SIZE_PX / 2, Math.max(at < 0 ? TOP_PX : SIZE_PX / 2, at));
      // Of lines that lie close together the next one stands further left: each can be pressed.
      const near = placed.filter((one) => Math.abs(one.y - y) < SIZE_PX);
      const shift = Math.max(right, ...near.map((one) => one.right + SIZE_PX + GAP_PX));
      placed.push({ y, right: shift });
      element.style.right = `${shift}px`;
      element.style.transform = `translateY(${y - SIZE_PX / 2}px)`;
    }
  });
  useLayoutEffect(place);
  useOnDraw(series, place);
  return cancellable.map(({ id, label, level, tone }) => (
    <button
      key={id}
      ref={(element) => {
        if (element === null) elements.current.delete(id);
        else elements.current.set(id, element);
      }}
      type="button"
      className={css['cancel']}
      data-tone={tone}
      aria-label={`Cancel ${label} at ${Number(level.toPrecision(6))}`}
      onClick={() => onCancel(id)}
    >
      <X aria-hidden="true" />
    </button>
  ));
}
