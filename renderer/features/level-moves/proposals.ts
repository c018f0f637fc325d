/** What becomes of a line that was dragged: a change of something that is there already, to be reviewed. */
import type { Row } from '../../../gateway/client/client.ts';
import { isPair } from '../../../gateway/domain/condition-table.ts';
import type { Settings } from '../../api/settings-values.ts';
import { formatMoney, formatPercent } from '../../components/format.ts';
import type { Alert } from '../alerts/alert.ts';
import type { BracketSide, BracketType } from '../brackets-form/bracket-text.ts';
import { figureText } from '../ratio-chart/figure.ts';
import { bracketValueAt, type ChartLine, type EntryFacts } from '../ratio-chart/levels.ts';
import { type ChartSubject, pnlShare, type WeighedLeg } from '../ratio-chart/subject.ts';

export const KIND = { takeProfit: 'take-profit', stopLoss: 'stop-loss' } as const;
export const NAMES = { takeProfit: 'take-profit', stopLoss: 'stop-loss' } as const;

/** A change of something that is there already. It is sent when its review was confirmed. */
export type Proposal =
  | {
      readonly what: 'bracket';
      readonly side: BracketSide;
      readonly position: Row<'GET /positions'>;
      readonly type: BracketType;
      readonly value: string;
      /** Level of the chart's subject. */
      readonly level: number;
      /** Gain or loss at it, USD, signed; null: not known. */
      readonly usd: string | null;
    }
  | {
      readonly what: 'trigger';
      readonly trigger: Row<'GET /triggers'>;
      readonly value: string;
      readonly level: number;
    }
  | { readonly what: 'alert'; readonly alert: Alert; readonly value: string; readonly level: number };

/** The measure of a bracket that is set by a level of this subject. */
export function typeOfLevel(subject: ChartSubject, legs: readonly WeighedLeg[]): BracketType {
  if (subject.metric === 'WEIGHTED_RATIO') return 'WEIGHTED_RATIO';
  if (subject.metric === 'PRICE') return 'PERCENTAGE';
  return isPair(legs) ? 'PRICE_RATIO' : 'PRICE';
}

/** Whether the basket gains when the subject goes from one level to the other; null: the subject does not say. */
export function gains(facts: EntryFacts, from: number | null, to: number): boolean | null {
  if (from === null) return null;
  const share = pnlShare(facts.subject, facts.legs);
  // How much a pair of unequal sides gains by its ratio depends on which leg moves; which way it is meant does not.
  if (share === null) return facts.subject.metric === 'PRICE_RATIO' && isPair(facts.legs) ? to > from : null;
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
  position: Row<'GET /positions'>,
  level: number,
  facts: EntryFacts,
): Proposal | null {
  const type = position[side]?.type ?? typeOfLevel(facts.subject, facts.legs);
  const value = bracketValueAt(KIND[side], type, level, facts);
  if (value === null) return null;
  return { what: 'bracket', side, position, type, value, level, usd: usdAt(facts, level) };
}

/**
 * Which of the position's brackets a level of the line stands for. Dragging the entry away sets what the position does not
 * have there: a target where it gains, a stop where it loses. null: neither.
 */
export function sideOfLine(line: ChartLine, level: number, held: EntryFacts | null): BracketSide | null {
  const { move } = line;
  if (move?.of === 'bracket' || move?.of === 'typed-bracket') return move.side;
  if (move?.of !== 'entry' || held === null) return null;
  const gain = gains(held, held.entry, level);
  return gain === null ? null : gain ? 'takeProfit' : 'stopLoss';
}

/**
 * Words beside a line while it is moved: `31.2000 · −$30.00 (−3.00 %)`.
 * @param side the bracket that it stands for, whose gain is by `facts`; null: none
 */
export function moveText(
  settings: Settings,
  line: ChartLine | undefined,
  level: number,
  side: BracketSide | null,
  facts: EntryFacts | null,
): string {
  const usd = side === null || facts === null ? null : usdAt(facts, level);
  const share = usd === null || facts?.gross == null ? null : Number(usd) / facts.gross;
  const percent = share === null ? '' : ` (${formatPercent(settings, share.toFixed(6), 'always')})`;
  const name = line?.move?.of === 'entry' && side !== null ? `→ ${side === 'takeProfit' ? 'TP' : 'SL'} ` : '';
  return `${name}${figureText(level)}${usd === null ? '' : ` · ${formatMoney(settings, usd, 'always')}${percent}`}`;
}
