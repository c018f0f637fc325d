/** What becomes of a line that was dragged: a change of something that is there already, to be reviewed. */
import type { Row } from '../../../gateway/client/client.ts';
import { isOneSided, isPair } from '../../../gateway/domain/condition-table.ts';
import type { Settings } from '../../api/settings-values.ts';
import { formatMoney, formatPercent } from '../../components/format.ts';
import type { Alert } from '../alerts/alert.ts';
import type { BracketSide, BracketType } from '../brackets-form/bracket-text.ts';
import { figureText } from '../ratio-chart/figure.ts';
import { bracketValueAt, type ChartLine, type EntryFacts, gainOf } from '../ratio-chart/levels.ts';
import { type LevelScale, PLAIN_SCALE } from '../ratio-chart/scale.ts';
import type { ChartSubject, WeighedLeg } from '../ratio-chart/subject.ts';
import type { Transformed } from '../ratio-chart/transform.ts';

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
      /** Of a level among the ratio's past. */
      readonly transformed: Transformed | undefined;
      /** Level of the chart. */
      readonly level: number;
      /** The same in words. */
      readonly at: string;
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

/**
 * The measure of a bracket that is set by a level of this subject.
 * @param weights of the subject, other than those that the position's bracket would be compared at: a gain alone means the same
 */
export function typeOfLevel(
  subject: ChartSubject,
  legs: readonly WeighedLeg[],
  weights?: EntryFacts['weights'],
): BracketType {
  if (weights !== undefined) return 'PERCENTAGE';
  if (subject.metric === 'WEIGHTED_RATIO') return 'WEIGHTED_RATIO';
  if (subject.metric === 'PRICE') return 'PERCENTAGE';
  if (isPair(legs)) return 'PRICE_RATIO';
  return isOneSided(legs) ? 'PRICE' : 'PERCENTAGE';
}

/** Whether the basket gains when the subject goes from one level to the other; null: the subject does not say. */
export function gains(facts: EntryFacts, from: number | null, to: number): boolean | null {
  if (from === null) return null;
  const share = gainOf(facts);
  // How much a pair of unequal sides gains by its ratio depends on which leg moves; which way it is meant does not.
  if (share === null) return facts.subject.metric === 'PRICE_RATIO' && isPair(facts.legs) ? to > from : null;
  return (to - from) * share > 0;
}

/** USD at a level, signed; null: not known. */
export function usdAt(facts: EntryFacts, level: number): string | null {
  const share = gainOf(facts);
  if (share === null || facts.entry === null || facts.gross === null) return null;
  return (Math.log(level / facts.entry) * share * facts.gross).toFixed(2);
}

/** The position's bracket at a level; null: it cannot stand there. */
export function bracketProposal(
  side: BracketSide,
  position: Row<'GET /positions'>,
  level: number,
  facts: EntryFacts,
  scale: LevelScale = PLAIN_SCALE,
): Proposal | null {
  const common = { what: 'bracket', side, position, level } as const;
  if (scale.among !== null) {
    const ratio = scale.ratioOf(level);
    if (ratio === null || facts.weights !== undefined) return null;
    return {
      ...common,
      type: amongType(facts.subject),
      value: scale.typed(level),
      transformed: scale.among,
      at: `${scale.text(level)}, a ratio of ${figureText(ratio)} in this hour`,
      usd: usdAt(facts, ratio),
    };
  }
  const type = position[side]?.type ?? typeOfLevel(facts.subject, facts.legs, facts.weights);
  const value = bracketValueAt(KIND[side], type, level, facts);
  if (value === null) return null;
  return {
    ...common,
    type,
    value,
    transformed: undefined,
    at: figureText(level),
    usd: usdAt(facts, level),
  };
}

/** Measure of a bracket among the past of the subject: only a ratio has one. */
export const amongType = ({ metric }: ChartSubject) =>
  metric === 'WEIGHTED_RATIO' ? ('WEIGHTED_RATIO' as const) : ('PRICE_RATIO' as const);

/**
 * Which of the position's brackets a level of the line stands for. Dragging the entry away sets what the position does not
 * have there: a target where it gains, a stop where it loses. null: neither.
 */
export function sideOfLine(
  line: ChartLine,
  level: number,
  held: EntryFacts | null,
  scale: LevelScale = PLAIN_SCALE,
): BracketSide | null {
  const { move } = line;
  if (move?.of === 'bracket' || move?.of === 'typed-bracket') return move.side;
  const ratio = scale.ratioOf(level);
  if (move?.of !== 'entry' || held === null || ratio === null) return null;
  const gain = gains(held, held.entry, ratio);
  return gain === null ? null : gain ? 'takeProfit' : 'stopLoss';
}

/**
 * Words beside a line while it is moved: `31.2000 · −$30.00 (−3.00 %)`; among the past `−2.00 · ≈ −$30.00 (−3.00 %)`, as
 * things are in this hour.
 * @param side the bracket that it stands for, whose gain is by `facts`; null: none
 */
export function moveText(
  settings: Settings,
  line: ChartLine | undefined,
  level: number,
  side: BracketSide | null,
  facts: EntryFacts | null,
  scale: LevelScale = PLAIN_SCALE,
): string {
  const ratio = scale.ratioOf(level);
  const usd = side === null || facts === null || ratio === null ? null : usdAt(facts, ratio);
  const share = usd === null || facts?.gross == null ? null : Number(usd) / facts.gross;
  const percent = share === null ? '' : ` (${formatPercent(settings, share.toFixed(6), 'always')})`;
  const name = line?.move?.of === 'entry' && side !== null ? `→ ${side === 'takeProfit' ? 'TP' : 'SL'} ` : '';
  const near = scale.among === null ? '' : '≈ ';
  const gain = usd === null ? '' : ` · ${near}${formatMoney(settings, usd, 'always')}${percent}`;
  return `${name}${scale.text(level)}${gain}`;
}
