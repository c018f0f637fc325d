/** Progress of an order as a bar; the figures beside the bar are the gateway's. */
import css from './orders.module.css';

export function ProgressBar({ share, label }: { readonly share: number; readonly label: string }) {
  const percent = Math.round(share * 100);
  return (
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
  );
}
