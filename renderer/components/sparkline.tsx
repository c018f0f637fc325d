/** The course of a figure, as high as a row. The figure itself stands beside it, so it is hidden from screen readers. */
import css from './sparkline.module.css';

export function Sparkline({
  values,
  width = 72,
  height = 18,
  tone = 'quiet',
}: {
  /** At least two, else nothing is drawn; null is a gap. */
  readonly values: readonly (number | null)[];
  readonly width?: number;
  readonly height?: number;
  readonly tone?: 'quiet' | 'profit' | 'loss' | 'accent';
}) {
  const path = sparkPath(values, width, height);
  if (path === null) return <span style={{ display: 'inline-block', width, height }} aria-hidden="true" />;
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className={css[tone]}
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}

const MARGIN = 1.5;

/** An SVG path over the whole box; null: fewer than two values. */
export function sparkPath(values: readonly (number | null)[], width: number, height: number): string | null {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return null;
  const low = Math.min(...known);
  const range = Math.max(...known) - low;
  const stepX = width / (values.length - 1);
  const y = (value: number) =>
    range === 0 ? height / 2 : MARGIN + (1 - (value - low) / range) * (height - 2 * MARGIN);
  let pen: 'M' | 'L' = 'M';
  const parts: string[] = [];
  for (const [index, value] of values.entries()) {
    if (value === null) {
      pen = 'M';
      continue;
    }
    parts.push(`${pen}${(index * stepX).toFixed(1)} ${y(value).toFixed(1)}`);
    pen = 'L';
  }
  return parts.join('');
}
