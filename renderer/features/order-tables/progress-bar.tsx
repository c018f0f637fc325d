/** Progress of an order as a bar, beside the gateway's figures. */
import css from './order-tables.module.css';

export function ProgressBar({
  share,
  label,
  figures,
}: {
  readonly share: number;
  readonly label: string;
  readonly figures: string;
}) {
  const percent = Math.round(share * 100);
  return (
    <span className={css['along']}>
      <span
        className={css['progress']}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <span style={{ width: `${percent}%` }} />
      </span>
      <span>{figures}</span>
    </span>
  );
}
