/** The line of a bracket on a chart, the same on every chart of a position. */
import { shortLevel } from '../../components/format.ts';
import { bracketLevel, type ChartLine, type EntryFacts } from '../ratio-chart/levels.ts';
import { type Bracket, standingBracket, standingText, waitingBracketText } from './bracket-standing.ts';
import { BRACKET_MEASURES, type BracketSide, bracketText, isPnl } from './bracket-text.ts';

type BracketLine = Pick<ChartLine, 'kind' | 'value' | 'label' | 'short' | 'name'>;

/**
 * Stands where the bracket fires as things are: one that trails is not where it was asked, and its label says both.
 * null: it cannot be drawn on the subject of `facts`.
 */
export function bracketLine(side: BracketSide, bracket: Bracket, facts: EntryFacts): BracketLine | null {
  const kind = side === 'takeProfit' ? 'take-profit' : 'stop-loss';
  const level = bracketLevel(kind, standingBracket(side, bracket, facts.legs), facts);
  if (level === null) return null;
  const name = side === 'takeProfit' ? 'TP' : 'SL';
  const now = standingText(side, bracket, facts.legs);
  const words = waitingBracketText(side, bracket, facts.legs);
  // A level in the chart's own unit is on its axis; one that trails is not all of what was asked.
  const isSaid = level.isNear || bracket.trailing !== null;
  const label = isSaid ? `${name} ${level.isNear ? '≈ ' : ''}${words}` : name;
  const trails = bracket.trailing === null ? '' : ', trailing';
  const short = now === null ? undefined : `${name} ${level.isNear ? '≈ ' : ''}${now}${trails}`;
  return { kind, value: level.value, label, short, name };
}

/** `−3 %`, `+5.00 %` of one that has moved, `31.2`: where it fires as things are. */
export function firesAt(side: BracketSide, bracket: Bracket, facts: Pick<EntryFacts, 'legs'>): string {
  const now = standingText(side, bracket, facts.legs);
  if (now !== null) return now;
  const { type, value } = bracket;
  if (isPnl(type)) return bracketText(side, { type, value, trailing: null });
  if (bracket.transform !== undefined) return bracketText(side, bracket);
  return `${shortLevel(value)} ${BRACKET_MEASURES[type].unit}`.trim();
}
