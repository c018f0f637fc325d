/** Legend over the picture with the levels of lines that have no name in it. */
import { useEffect, useState } from 'react';
import type { LineTone } from '../../components/level-line.ts';
import type { ChartLine, LineKind } from './levels.ts';
import css from './ratio-chart.module.css';
import { type LevelScale, PLAIN_SCALE } from './scale.ts';

export const TONES: Readonly<Record<LineKind, LineTone>> = {
  entry: 'quiet',
  trigger: 'warn',
  alert: 'alert',
  rung: 'series',
  'take-profit': 'profit',
  'stop-loss': 'loss',
  limit: 'warn',
};

/** Leaves rungs of a ladder out: they are listed in a table. */
export function Levels({
  lines,
  scale = PLAIN_SCALE,
}: {
  readonly lines: readonly ChartLine[];
  readonly scale?: LevelScale;
}) {
  const named = lines.filter(({ kind, value }) => kind !== 'rung' && scale.isLevel(Number(value)));
  if (named.length === 0) return null;
  return (
    <ul className={css['levels']} aria-label="Levels">
      {named.map(({ id, kind, label, value }) => (
        <li key={id} data-tone={TONES[kind]}>
          {label} <b>{scale.text(Number(value))}</b>
        </li>
      ))}
    </ul>
  );
}

const NONE: readonly string[] = [];
/** Delay before an unnamed line gets a row: a name may lack space for a moment while the picture moves. */
const SETTLED_MS = 1_000;

/**
 * Lines whose names do not fit into the picture. While the lines are the same, the list only grows: a row that comes
 * and goes with the price would move the picture.
 */
export function useUnnamed(lines: readonly ChartLine[]): {
  readonly lines: readonly ChartLine[];
  readonly onUnnamed: (ids: readonly string[]) => void;
} {
  const [unnamed, onUnnamed] = useState(NONE);
  const [listed, setListed] = useState({ of: '', ids: NONE });
  const all = lines.map(({ id }) => id).join();
  useEffect(() => {
    const settle = () =>
      setListed((last) => ({
        of: all,
        ids: last.of === all ? [...new Set([...last.ids, ...unnamed])] : unnamed,
      }));
    const timer = setTimeout(settle, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [unnamed, all]);
  return { lines: lines.filter(({ id }) => listed.ids.includes(id)), onUnnamed };
}
