/** Where a chart is drawn. */
import type { Ref } from 'react';
import css from './market-chart.module.css';

export function ChartPlace({
  ref,
  label,
  height,
}: {
  readonly ref: Ref<HTMLDivElement>;
  /** What the picture shows, for those who cannot see it. */
  readonly label: string;
  /** Pixels; left out: as high as its place. */
  readonly height?: number | undefined;
}) {
  return (
    <div
      ref={ref}
      className={css['chart']}
      role="img"
      aria-label={label}
      {...(height === undefined ? {} : { style: { height, flex: 'none' } })}
    />
  );
}
