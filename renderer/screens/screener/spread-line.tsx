/** The z-score of a pair over the last 90 days as a small line, with its mean. */
import css from './screener.module.css';

const WIDTH = 96;
const HEIGHT = 20;
/** Deviations shown at least to either side of the mean, so that a calm spread looks calm. */
const LEAST = 2;

export function SpreadLine({ points }: { readonly points: readonly string[] }) {
  const values = points.map(Number);
  if (values.length < 2) return null;
  const most = Math.max(LEAST, ...values.map(Math.abs));
  const y = (value: number) => HEIGHT / 2 - (value / most) * (HEIGHT / 2 - 1);
  const line = values.map(
    (value, index) => `${(index / (values.length - 1)) * WIDTH},${y(value).toFixed(2)}`,
  );
  const [least, top] = [Math.min(...values).toFixed(1), Math.max(...values).toFixed(1)];
  return (
    <svg
      className={css['line']}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`From ${least} to ${top} deviations`}
    >
      <line x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      <polyline points={line.join(' ')} />
    </svg>
  );
}
