/** Container of a market chart. */
import type { Ref } from 'react';
import css from './market-chart.module.css';

export function ChartPlace({
  ref,
  label,
  height,
}: {
  readonly ref: Ref<HTMLDivElement>;
  /** Description of the chart for screen readers. */
  readonly label: string;
  /** Pixels; left out: the height of the container. */
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
