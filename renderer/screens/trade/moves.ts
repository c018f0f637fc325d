/** What becomes of a line that was dragged, or of a level that was pressed: a change of the ticket, or one to be reviewed. */
import { isPair } from '../../../gateway/domain/condition-table.ts';
import type { Alert } from '../../features/alerts/alert.ts';
import type { Basket } from '../../features/basket/basket.ts';
import type { BracketDraft } from '../../features/brackets-form/bracket-draft.ts';
import type { BracketSide, BracketType } from '../../features/brackets-form/bracket-text.ts';
import {
  bracketValueAt,
  type EntryFacts,
  type LineMove,
  levelText,
} from '../../features/ratio-chart/levels.ts';
import { type ChartSubject, pnlShare } from '../../features/ratio-chart/subject.ts';
import type { HeldPosition, RestingTrigger } from './chart-lines.ts';
import type { TicketDraft } from './ticket.ts';

export const KIND = { takeProfit: 'take-profit', stopLoss: 'stop-loss' } as const;
export const NAMES = { takeProfit: 'take-profit', stopLoss: 'stop-loss' } as const;

/** A change of something that is there already. It is sent when its review was confirmed. */
export type Proposal =
  | {
      readonly what: 'bracket';
      readonly side: BracketSide;
      readonly position: HeldPosition;
      readonly type: BracketType;
      readonly value: string;
      /** Level of the chart's subject. */
      readonly level: number;
      /** Gain or loss at it, USD, signed; null: not known. */
      readonly usd: string | null;
    }
  | {
      readonly what: 'trigger';
      readonly trigger: RestingTrigger;
      readonly value: string;
      readonly level: number;
    }
  | { readonly what: 'alert'; readonly alert: Alert; readonly value: string; readonly level: number };

/** The measure of a bracket that is set by a level of this subject. */
export function typeOfLevel(subject: ChartSubject, basket: Basket): BracketType {
  if (subject.metric === 'WEIGHTED_RATIO') return 'WEIGHTED_RATIO';
  if (subject.metric === 'PRICE') return 'PERCENTAGE';
  return isPair(basket.legs) ? 'PRICE_RATIO' : 'PRICE';
}

/** Whether the basket gains when the subject goes from one level to the other; null: the subject does not say. */
export function gains(facts: EntryFacts, from: number | null, to: number): boolean | null {
  const share = pnlShare(facts.subject, facts.legs);
  if (share === null || from === null) return null;
  return (to - from) * share > 0;
}

/** USD at a level, signed; null: not known. */
export function usdAt(facts: EntryFacts, level: number): string | null {
  const share = pnlShare(facts.subject, facts.legs);
  if (share === null || facts.entry === null || facts.gross === null) return null;
  return (Math.log(level / facts.entry) * share * facts.gross).toFixed(2);
}

/** The position's bracket at a level; null: it cannot stand there. */
export function bracketProposal(
  side: BracketSide,
  position: HeldPosition,
  level: number,
  facts: EntryFacts,
  basket: Basket,
): Proposal | null {
  const type = position[side]?.type ?? typeOfLevel(facts.subject, basket);
  const value = bracketValueAt(KIND[side], type, level, facts);
  if (value === null) return null;
  return { what: 'bracket', side, position, type, value, level, usd: usdAt(facts, level) };
}

/** The ticket's own bracket at a level; null: it cannot stand there. */
export function bracketPatch(
  side: BracketSide,
  ticket: TicketDraft,
  level: number,
  factsOf: (type: BracketType) => EntryFacts,
  { subject, basket }: { readonly subject: ChartSubject; readonly basket: Basket },
): Partial<TicketDraft> | null {
  const draft: BracketDraft = ticket[side];
  const type = draft.isOn ? draft.type : typeOfLevel(subject, basket);
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
