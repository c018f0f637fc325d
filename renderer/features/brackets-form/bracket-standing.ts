/** Present level of a bracket: it may have moved with its position's size, or trail behind the best value so far. */
import Big from 'big.js';
import type { Row } from '../../../gateway/client/client.ts';
import { levelText } from '../ratio-chart/levels.ts';
import { BRACKET_MEASURES, type BracketSide, bracketText, isPnl } from './bracket-text.ts';

export type Bracket = Pick<
  NonNullable<Row<'GET /positions'>['stopLoss']>,
  'type' | 'value' | 'trailing' | 'peak' | 'transform' | 'lookback'
> & { readonly level?: string | null | undefined };

type Legs = readonly Pick<Row<'GET /positions'>['legs'][number], 'side'>[];

/** Direction in which the measure moves when the holder gains: only the price of a shorts-only basket falls. */
export function gainSign(type: Bracket['type'], legs: Legs): 1 | -1 {
  return type === 'PRICE' && legs.every(({ side }) => side === 'SELL') ? -1 : 1;
}

/**
 * Signed level at which the bracket would fire now, in the unit of its measure. null: it cannot fire yet (a trailing
 * take-profit before it trails), or its level is not a price (a transform).
 */
export function standingLevel(side: BracketSide, bracket: Bracket, legs: Legs): Big | null {
  const { type, value, trailing, peak, transform } = bracket;
  if (transform !== undefined) return null;
  if (bracket.level !== undefined && bracket.level !== null) return new Big(bracket.level);
  const own = askedLevel(side, type, value);
  if (trailing === null) return own;
  if (peak === null) return side === 'stopLoss' ? own : null;
  const sign = gainSign(type, legs);
  const behind = new Big(peak).minus(new Big(trailing.delta).times(sign));
  if (side === 'takeProfit') return behind;
  // A stop trails the gain, and is never worse than its set level.
  return behind.minus(own).times(sign).gt(0) ? behind : own;
}

function askedLevel(side: BracketSide, type: Bracket['type'], value: string): Big {
  return new Big(value).times(side === 'stopLoss' && isPnl(type) ? -1 : 1);
}

/** True: the bracket's level differs from the one that the user set. */
function isMoved(side: BracketSide, { type, value, level }: Bracket): boolean {
  return level !== undefined && level !== null && !askedLevel(side, type, value).eq(level);
}

/** The bracket with its line's level, where it would fire now. */
export function standingBracket<One extends Bracket>(side: BracketSide, bracket: One, legs: Legs): One {
  const isAsAsked = bracket.trailing === null && !isMoved(side, bracket);
  const level = isAsAsked ? null : standingLevel(side, bracket, legs);
  if (level === null) return bracket;
  const isLoss = side === 'stopLoss' && isPnl(bracket.type);
  return { ...bracket, value: (isLoss ? level.neg() : level).toFixed() };
}

/** `−3 %, trailing 1 %, fires at −0.96 %`: the terms, and the present level if it differs. */
export function waitingBracketText(side: BracketSide, bracket: Bracket, legs: Legs): string {
  const level = standingText(side, bracket, legs);
  return `${bracketText(side, bracket)}${level === null ? '' : `, fires at ${level}`}`;
}

/** `−0.96 %`: the present level of a bracket; null: it is the level that the user set. */
export function standingText(side: BracketSide, bracket: Bracket, legs: Legs): string | null {
  const trails = bracket.trailing !== null && bracket.peak !== null;
  if (!trails && !isMoved(side, bracket)) return null;
  const level = standingLevel(side, bracket, legs);
  if (level === null) return null;
  const { type } = bracket;
  const { unit } = BRACKET_MEASURES[type];
  const after = unit === '' ? '' : ` ${unit}`;
  if (!isPnl(type))
    return `${level.gt(0) ? new Big(levelText(level.toNumber())).toFixed() : level.toFixed(2)}${after}`;
  const text = level.abs().toFixed(2);
  const sign = Number(text) === 0 ? '' : level.lt(0) ? '\u2212' : '+';
  return `${sign}${text}${after}`;
}
