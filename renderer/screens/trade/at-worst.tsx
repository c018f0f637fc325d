/** Worst entry that the slippage allows, among the figures of the head. */

import type { Basket } from '../../features/basket/basket.ts';
import { figureText } from '../../features/ratio-chart/figure.ts';
import type { Plan } from './chart-lines.ts';
import type { TicketDraft } from './ticket.ts';
import { ticketWaits, type WorstAt, type WorstEntry, worstEntry } from './worst-entry.ts';

const WHERE: Readonly<Record<WorstAt, string>> = {
  NOW: '',
  SLICE: ' of a slice now',
  LIMIT: ' at its limit',
  IF_NOW: ' if it fired now',
  LEVEL: ' if fired at its level',
  RUNG: ' at the dearest rung',
};

const WHY =
  'What the basket is entered at with each leg at its worst price: longs above their mark by the slippage, shorts below';
const WHY_LATER = `${WHY}, by the marks of that moment`;

/** A single leg has an entry price. */
export const worstName = ({ legs }: Basket): string =>
  legs.length === 1 ? 'Worst entry price' : 'Worst entry ratio';

export function AtWorst({
  entry,
  isNamed = false,
}: {
  readonly entry: WorstEntry | null;
  /** True: the figure stands without another name before it. */
  readonly isNamed?: boolean;
}) {
  // Keeps the line's place until there are prices.
  if (entry === null) return <span aria-hidden="true">{'\u00a0'}</span>;
  return (
    <span title={entry.at === 'NOW' ? WHY : WHY_LATER}>
      {isNamed && <>Worst&nbsp;entry&nbsp;</>}
      {figureText(entry.value)}
      {WHERE[entry.at]}
    </span>
  );
}

/** Worst entry of the ticket as typed, at the latest prices of a plan. */
export function TicketAtWorst({
  basket,
  ticket,
  plan,
}: {
  readonly basket: Basket;
  readonly ticket: TicketDraft;
  readonly plan: Plan | null;
}) {
  return <AtWorst isNamed entry={worstEntry(basket, plan, ticket.kind, ticketWaits(ticket, basket))} />;
}
