/** Changes of the ticket by a dragged line or a clicked level. */
import type { Basket } from '../../features/basket/basket.ts';
import type { BracketDraft } from '../../features/brackets-form/bracket-draft.ts';
import type { BracketSide, BracketType } from '../../features/brackets-form/bracket-text.ts';
import { amongType, KIND, typeOfLevel } from '../../features/level-moves/proposals.ts';
import { bracketValueAt, type EntryFacts, type LineMove } from '../../features/ratio-chart/levels.ts';
import type { LevelScale } from '../../features/ratio-chart/scale.ts';
import type { ChartSubject } from '../../features/ratio-chart/subject.ts';
import type { TicketDraft } from './ticket.ts';

/** Change that sets the ticket's own bracket to a level; null: it cannot be there. */
export function bracketPatch(
  side: BracketSide,
  ticket: TicketDraft,
  level: number,
  factsOf: (type: BracketType) => EntryFacts,
  {
    subject,
    basket,
    scale,
  }: { readonly subject: ChartSubject; readonly basket: Basket; readonly scale: LevelScale },
): Partial<TicketDraft> | null {
  const draft: BracketDraft = ticket[side];
  if (scale.among !== null) {
    const type = amongType(subject);
    const value = scale.typed(level);
    return { [side]: { ...draft, isOn: true, type, value, transformed: scale.among, isTrailing: false } };
  }
  const type = draft.isOn ? draft.type : typeOfLevel(subject, basket.legs);
  const value = bracketValueAt(KIND[side], type, level, { ...factsOf(type), subject });
  return value === null ? null : { [side]: { ...draft, isOn: true, type, value, transformed: undefined } };
}

/**
 * Change that makes the ticket a trigger at a level.
 * @param now value of the subject itself; null: not known
 */
export function triggerPatch(
  ticket: TicketDraft,
  subject: ChartSubject,
  level: number,
  now: number | null,
  scale: LevelScale,
): Partial<TicketDraft> {
  const { among } = scale;
  const direction = now === null || (scale.ratioOf(level) ?? 0) < now ? 'LESS_THAN' : 'MORE_THAN';
  const symbol = subject.metric === 'PRICE' ? subject.symbol : ticket.watch.symbol;
  return {
    kind: 'TRIGGER',
    watch: {
      ...ticket.watch,
      type: subject.metric,
      transform: among?.transform ?? '',
      lookback: among === null ? ticket.watch.lookback : String(among.lookback),
      symbol,
      direction,
      value: scale.typed(level),
    },
  };
}

/** Change of the ticket by a dragged line of the draft; null: none. */
export function draftPatch(
  move: LineMove,
  level: number,
  ticket: TicketDraft,
  bracketAt: (side: BracketSide) => Partial<TicketDraft> | null,
  scale: LevelScale,
): Partial<TicketDraft> | null {
  const value = scale.typed(level);
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
