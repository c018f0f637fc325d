/**
 * Notice when the opposite of the basket is held: the order would open beside it, and both would stay open at the cost
 * of two. The trader has to choose one.
 */
import { Link } from 'wouter';
import { Amount, Pnl } from '../../components/amount.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { useBasketText } from '../../features/basket-name/use-basket-text.ts';
import type { HeldPosition } from './chart-lines.ts';
import { isUndecided } from './refusal.ts';
import type { TicketDraft } from './ticket.ts';
import css from './ticket-panel.module.css';

export function OppositeNotice({
  opposite,
  ticket,
  onChange,
}: {
  readonly opposite: HeldPosition | null;
  readonly ticket: TicketDraft;
  readonly onChange: (patch: Partial<TicketDraft>) => void;
}) {
  const name = useBasketText(opposite?.legs ?? []);
  if (opposite === null) return null;
  return (
    <div className={css['opposite']} role="status">
      <strong>You hold the opposite</strong>
      <span>
        {name}, <Amount value={opposite.grossNotional} />, <Pnl value={opposite.unrealizedPnl} />
      </span>
      <Link href={`/positions/${opposite.id}`}>Reduce or reverse it</Link>
      <Checkbox
        checked={!isUndecided(opposite, ticket)}
        onChange={(isBeside) => onChange({ beside: isBeside ? opposite.id : null })}
      >
        Open beside it
      </Checkbox>
    </div>
  );
}
