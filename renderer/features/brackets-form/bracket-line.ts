/** Line of a bracket, the same on every chart of a position. */
import { shortLevel } from '../../components/format.ts';
import { bracketLevel, type ChartLine, type EntryFacts } from '../ratio-chart/levels.ts';
import { type Bracket, standingBracket, standingText, waitingBracketText } from './bracket-standing.ts';
import { BRACKET_MEASURES, type BracketSide, bracketText, isPnl } from './bracket-text.ts';

type BracketLine = Pick<ChartLine, 'kind' | 'value' | 'label' | 'short' | 'name'>;

/**
 * Line at the level where the bracket would fire now. A trailing bracket is not at its set level, so its label shows
 * both. null: it cannot be drawn on the subject of `facts`.
 */
export function bracketLine(side: BracketSide, bracket: Bracket, facts: EntryFacts): BracketLine | null {
  const kind = side === 'takeProfit' ? 'take-profit' : 'stop-loss';
  const level = bracketLevel(kind, standingBracket(side, bracket, facts.legs), facts);
  if (level === null) return null;
  const name = side === 'takeProfit' ? 'TP' : 'SL';
  const now = standingText(side, bracket, facts.legs);
  const words = waitingBracketText(side, bracket, facts.legs);
  // The axis shows a level in the chart's own unit. For a trailing bracket that is not enough: its terms are shown too.
  const isSaid = level.isNear || bracket.trailing !== null;
  const label = isSaid ? `${name} ${level.isNear ? '≈ ' : ''}${words}` : name;
  const trails = bracket.trailing === null ? '' : ', trailing';
  const short = now === null ? undefined : `${name} ${level.isNear ? '≈ ' : ''}${now}${trails}`;
  return { kind, value: level.value, label, short, name };
}

/** Level at which the bracket would fire now: `−3 %`, `31.2`; `+5.00 %` for one that has moved. */
export function firesAt(side: BracketSide, bracket: Bracket, facts: Pick<EntryFacts, 'legs'>): string {
  const now = standingText(side, bracket, facts.legs);
  if (now !== null) return now;
  const { type, value } = bracket;
  if (isPnl(type)) return bracketText(side, { type, value, trailing: null });
  if (bracket.transform !== undefined) return bracketText(side, bracket);
  return `${shortLevel(value)} ${BRACKET_MEASURES[type].unit}`.trim();
}
