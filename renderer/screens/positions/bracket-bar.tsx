/** Where a position stands between its stop-loss and its take-profit. */

import css from './bracket-bar.module.css';
import { bracketProgress } from './bracket-progress.ts';
import type { Position } from './use-position-data.ts';

const WIDTH = 72;
const HALF = WIDTH / 2;

export function BracketBar({ position }: { readonly position: Position }) {
  const progress = bracketProgress(position);
  if (progress === null) return null;
  const { stop, target } = progress;
  // What has one level only shows the way back past the entry as long as the other half lets it.
  const share = target !== null && (stop === null || target >= 0) ? target : -(stop ?? 0);
  const at = HALF + Math.max(-1, Math.min(1, share)) * (HALF - 3);
  const words =
    share >= 0 && target !== null
      ? `${percent(share)} of the way to the take-profit`
      : share < 0 && stop !== null
        ? `${percent(-share)} of the way to the stop-loss`
        : `${stop === null ? 'away from the take-profit' : 'away from the stop-loss'}`;
  return (
    <svg className={css['bar']} viewBox={`0 0 ${WIDTH} 12`} role="img" aria-label={words}>
      <title>{words}</title>
      {stop !== null && <line className={css['stop']} x1="1" x2={HALF} y1="6" y2="6" />}
      {target !== null && <line className={css['target']} x1={HALF} x2={WIDTH - 1} y1="6" y2="6" />}
      <line className={css['entry']} x1={HALF} x2={HALF} y1="2" y2="10" />
      <circle className={css['now']} cx={at} cy="6" r="3" />
    </svg>
  );
}

function percent(share: number): string {
  return `${Math.min(100, Math.round(share * 100))} %`;
}
