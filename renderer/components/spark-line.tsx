/** Small line of values around a reference level. For drawing only. */
import css from './spark-line.module.css';

const WIDTH = 96;
const HEIGHT = 20;

export function SparkLine({
  values,
  middle,
  reach = 0,
  label,
}: {
  readonly values: readonly number[];
  /** Reference level, drawn across the middle of the height. */
  readonly middle: number;
  /** Least distance from the middle that fills the height, so that a calm line looks calm. */
  readonly reach?: number;
  /** Description of the line for screen readers. */
  readonly label: string;
}) {
  if (values.length < 2) return null;
  const most = Math.max(reach, ...values.map((value) => Math.abs(value - middle)));
  const y = (value: number) => HEIGHT / 2 - (most === 0 ? 0 : ((value - middle) / most) * (HEIGHT / 2 - 1));
  const line = values.map(
    (value, index) => `${((index / (values.length - 1)) * WIDTH).toFixed(2)},${y(value).toFixed(2)}`,
  );
  return (
    <svg className={css['line']} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <line x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      <polyline points={line.join(' ')} />
    </svg>
  );
}
