/** Notice before the order: this basket is open already, so the order changes the position. */
import { Link } from 'wouter';
import { Amount, Pnl, Ratio } from '../../components/amount.tsx';
import type { HeldPosition } from './chart-lines.ts';
import css from './ticket-panel.module.css';

export function HeldNotice({ held }: { readonly held: HeldPosition | null }) {
  if (held === null) return null;
  return (
    <p className={css['held']} role="status">
      <strong>Adjusts your position</strong>
      <span>
        <Amount value={held.grossNotional} /> entered at <Ratio value={held.entryPrice} />,{' '}
        <Pnl value={held.unrealizedPnl} />
      </span>
      <Link href={`/positions/${held.id}`}>Show it</Link>
    </p>
  );
}
