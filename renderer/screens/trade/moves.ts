/** What a line that was dragged, or a level that was pressed, changes in the ticket. */
import type { Basket } from '../../features/basket/basket.ts';
import type { BracketDraft } from '../../features/brackets-form/bracket-draft.ts';
import type { BracketSide, BracketType } from '../../features/brackets-form/bracket-text.ts';
import { KIND, typeOfLevel } from '../../features/level-moves/proposals.ts';
import {
  bracketValueAt,
  type EntryFacts,
  type LineMove,
  levelText,
} from '../../features/ratio-chart/levels.ts';
import type { ChartSubject } from '../../features/ratio-chart/subject.ts';
import type { TicketDraft } from './ticket.ts';

/** The ticket's own bracket at a level; null: it cannot stand there. */
export function bracketPatch(
  side: BracketSide,
  ticket: TicketDraft,
  level: number,
  factsOf: (type: BracketType) => EntryFacts,
  { subject, basket }: { readonly subject: ChartSubject; readonly basket: Basket },
): Partial<TicketDraft> | null {
  const draft: BracketDraft = ticket[side];
  const type = draft.isOn ? draft.type : typeOfLevel(subject, basket.legs);
  const value = bracketValueAt(KIND[side], type, level, { ...factsOf(type), subject });
  return value === null ? null : { [side]: { ...draft, isOn: true, type, value } };
}

/** The ticket as a trigger at a level. */
export function triggerPatch(
  ticket: TicketDraft,
  subject: ChartSubject,
  level: number,
  now: number | null,
): Partial<TicketDraft> {
  const direction = now === null || level < now ? 'LESS_THAN' : 'MORE_THAN';
  const symbol = subject.metric === 'PRICE' ? subject.symbol : ticket.watch.symbol;
  return {
    kind: 'TRIGGER',
    watch: {
      ...ticket.watch,
      type: subject.metric,
      transform: '',
      symbol,
      direction,
      value: levelText(level),
    },
  };
}

/** What a dragged line of the draft changes in the ticket; null: nothing. */
export function draftPatch(
  move: LineMove,
  level: number,
  ticket: TicketDraft,
  bracketAt: (side: BracketSide) => Partial<TicketDraft> | null,
): Partial<TicketDraft> | null {
  const value = levelText(level);
  switch (move.of) {
    case 'typed-bracket':
      return bracketAt(move.side);
    case 'typed-trigger':
      return { watch: { ...ticket.watch, value } };
    case 'typed-limit':
      return { slicing: { ...ticket.slicing, limitRatio: value } };
    case 'typed-rung':
      return { ladder: { ...ticket.ladder, [move.end]: value } };
    default:
      return null;
  }
}
