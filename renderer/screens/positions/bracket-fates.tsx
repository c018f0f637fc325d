/** Effects on a position's take-profit and stop-loss, shown below the figures of a change. */
import layout from '../../components/layout.module.css';
import { BRACKET_SIDES } from '../../features/brackets-form/bracket-text.ts';
import { bracketFate, type LegChange } from './bracket-fate.ts';
import type { Position } from './use-position-data.ts';

export function BracketFates({
  position,
  of,
}: {
  readonly position: Pick<Position, 'takeProfit' | 'stopLoss'>;
  readonly of: LegChange;
}) {
  return (
    <BracketLines
      lines={BRACKET_SIDES.flatMap((side) => {
        const bracket = position[side];
        return bracket === null ? [] : [bracketFate(side, bracket, of)];
      })}
    />
  );
}

export function BracketLines({ lines }: { readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <ul className={layout['quiet']} aria-label="Take-profit and stop-loss">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
