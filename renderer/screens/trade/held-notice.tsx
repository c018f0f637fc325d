/** Notice before the order: this basket is open already, so the order changes the position. */
import { Link } from 'wouter';
import { Amount, Pnl, Ratio } from '../../components/amount.tsx';
import { waitingBracketText } from '../../features/brackets-form/bracket-standing.ts';
import { BRACKET_SIDES } from '../../features/brackets-form/bracket-text.ts';
import { offWeights } from '../../features/off-weights/off-weights.ts';
import { positionEntry } from '../../features/ratio-chart/levels.ts';
import type { HeldPosition } from './chart-lines.ts';
import { sizeAfter } from './size-after.ts';
import type { TicketDraft } from './ticket.ts';
import css from './ticket-panel.module.css';
import type { PlanRead } from './use-plan.ts';

export function HeldNotice({
  held,
  ticket,
  read,
}: {
  readonly held: HeldPosition | null;
  readonly ticket: TicketDraft;
  readonly read: PlanRead;
}) {
  if (held === null) return null;
  const entry = positionEntry(held, { metric: 'PRICE_RATIO' });
  const adds = ticket.kind !== 'TWAP' || !ticket.reduceOnly;
  const after = adds ? sizeAfter(held, ticket.notional, read.isOld ? null : read.plan) : null;
  const weights = offWeights(held);
  return (
    <p className={css['held']} role="status">
      <strong>Adjusts your position</strong>
      <span>
        <Amount value={held.grossNotional} />
        {entry !== null && (
          <>
            {' '}
            entered at <Ratio value={entry} />
          </>
        )}
        , <Pnl value={held.unrealizedPnl} />
      </span>
      {after !== null && (
        <span>
          → <Amount value={after} /> with this order
        </span>
      )}
      {weights !== null && <span>{weights}</span>}
      <HeldBrackets held={held} />
      <Link href={`/positions/${held.id}`}>Show it</Link>
    </p>
  );
}

/** The brackets that the position has already: they hold for all of it, also for what is added. */
function HeldBrackets({ held }: { readonly held: HeldPosition }) {
  const texts = BRACKET_SIDES.flatMap((side) => {
    const bracket = held[side];
    const name = side === 'takeProfit' ? 'TP' : 'SL';
    return bracket === null ? [] : [`${name} ${waitingBracketText(side, bracket, held.legs)}`];
  });
  // A sign alone on the next line says nothing.
  const text = texts.join(' · ').replaceAll(' %', '\u00a0%');
  return texts.length === 0 ? null : <span>{text}, of the whole position</span>;
}
