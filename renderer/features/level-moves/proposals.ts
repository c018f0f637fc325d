/** Changes proposed by dragging a line: each changes an existing bracket, trigger or alert, and is reviewed first. */
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

/** Proposed change of an existing bracket, trigger or alert. It is sent after its review is confirmed. */
export type Proposal =
  | {
      readonly what: 'bracket';
      readonly side: BracketSide;
      readonly position: Row<'GET /positions'>;
      readonly type: BracketType;
      readonly value: string;
      /** Transform of the ratio that the level belongs to; undefined: a level of the subject itself. */
      readonly transformed: Transformed | undefined;
      /** Level of the chart. */
      readonly level: number;
      /** Level in words. */
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
 * Measure for a new bracket that is set by a level of this subject.
 * @param weights set: the subject's weights differ from the position's, and only a gain means the same on both
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

/** True: the basket gains when the subject moves from one level to the other; null: the subject does not tell. */
export function gains(facts: EntryFacts, from: number | null, to: number): boolean | null {
  if (from === null) return null;
  const share = gainOf(facts);
  // The gain of a pair with unequal sides depends on which leg moves, but its direction does not.
  if (share === null) return facts.subject.metric === 'PRICE_RATIO' && isPair(facts.legs) ? to > from : null;
  return (to - from) * share > 0;
}

/** Gain or loss at a level, USD, signed; null: not known. */
export function usdAt(facts: EntryFacts, level: number): string | null {
  const share = gainOf(facts);
  if (share === null || facts.entry === null || facts.gross === null) return null;
  return (Math.log(level / facts.entry) * share * facts.gross).toFixed(2);
}

/** The position's bracket at a level; null: the level is not possible. */
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

/** Measure of a bracket on a transform of the subject: only ratios have one. */
export const amongType = ({ metric }: ChartSubject) =>
  metric === 'WEIGHTED_RATIO' ? ('WEIGHTED_RATIO' as const) : ('PRICE_RATIO' as const);

/**
 * The position's bracket that a level of this line sets. Dragging the entry line sets a take-profit where the position
 * gains, and a stop-loss where it loses. null: neither.
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
 * Text beside a line while it is moved: `31.2000 · −$30.00 (−3.00 %)`; on a transform `−2.00 · ≈ −$30.00 (−3.00 %)`,
 * which holds for this hour.
 * @param side bracket that the line sets, whose gain is computed from `facts`; null: none
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
