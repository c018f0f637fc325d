/** Bar that shows the place of a position between its stop-loss and its take-profit. */

import css from './bracket-bar.module.css';
import { bracketProgress } from './bracket-progress.ts';
import type { Position } from './use-position-data.ts';

const WIDTH = 72;
/** Space for half of the dot at each end, px. */
const END = 3;

export function BracketBar({ position }: { readonly position: Position }) {
  const progress = bracketProgress(position);
  if (progress === null) return null;
  const { words } = progress;
  const px = (place: number) => END + place * (WIDTH - 2 * END);
  const [now, entry] = [px(progress.now), px(progress.entry)];
  const stop = progress.stop === null ? null : px(progress.stop);
  const target = progress.target === null ? null : px(progress.target);
  return (
    <svg className={css['bar']} viewBox={`0 0 ${WIDTH} 12`} role="img" aria-label={words}>
      <title>{words}</title>
      {stop !== null && <line className={css['stop']} x1={stop} x2={now} y1="6" y2="6" />}
      {stop !== null && <line className={css['stop']} x1={stop} x2={stop} y1="3" y2="9" />}
      {target !== null && <line className={css['target']} x1={now} x2={target} y1="6" y2="6" />}
      {target !== null && <line className={css['target']} x1={target} x2={target} y1="3" y2="9" />}
      <line className={css['entry']} x1={entry} x2={entry} y1="2" y2="10" />
      <circle className={css['now']} cx={now} cy="6" r="3" />
    </svg>
  );
}
