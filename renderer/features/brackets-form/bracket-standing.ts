/** Where a bracket stands now: a trailing one is not at the level that was asked, but behind the best value seen. */
import Big from 'big.js';
import type { Row } from '../../../gateway/client/client.ts';
import { levelText } from '../ratio-chart/levels.ts';
import { BRACKET_MEASURES, type BracketSide, bracketText, isPnl } from './bracket-text.ts';

export type Bracket = Pick<
  NonNullable<Row<'GET /positions'>['stopLoss']>,
  'type' | 'value' | 'trailing' | 'peak' | 'transform' | 'lookback'
>;

type Legs = readonly Pick<Row<'GET /positions'>['legs'][number], 'side'>[];

/** The direction in which the measure moves when the holder gains: only the price of shorts alone falls. */
export function gainSign(type: Bracket['type'], legs: Legs): 1 | -1 {
  return type === 'PRICE' && legs.every(({ side }) => side === 'SELL') ? -1 : 1;
}

/**
 * Level at which the bracket fires as things are, in the unit of its measure and signed; null: it cannot fire yet (a
 * trailing take-profit before it trails), or its level is none of a price (a transform).
 */
export function standingLevel(side: BracketSide, bracket: Bracket, legs: Legs): Big | null {
  const { type, value, trailing, peak, transform } = bracket;
  if (transform !== undefined) return null;
  const own = new Big(value).times(side === 'stopLoss' && isPnl(type) ? -1 : 1);
  if (trailing === null) return own;
  if (peak === null) return side === 'stopLoss' ? own : null;
  const sign = gainSign(type, legs);
  const behind = new Big(peak).minus(new Big(trailing.delta).times(sign));
  if (side === 'takeProfit') return behind;
  // A stop trails the gain, and never stands worse than it was asked.
  return behind.minus(own).times(sign).gt(0) ? behind : own;
}

/** The bracket as its line is drawn: where one that trails would fire now, not where it was asked to. */
export function standingBracket<One extends Bracket>(side: BracketSide, bracket: One, legs: Legs): One {
  const level = bracket.trailing === null ? null : standingLevel(side, bracket, legs);
  if (level === null) return bracket;
  const isLoss = side === 'stopLoss' && isPnl(bracket.type);
  return { ...bracket, value: (isLoss ? level.neg() : level).toFixed() };
}

/** `−3 %, trailing 1 %, fires at −0.96 %`: its terms, and where it would fire as things are if it trails. */
export function waitingBracketText(side: BracketSide, bracket: Bracket, legs: Legs): string {
  const level = standingText(side, bracket, legs);
  return `${bracketText(side, bracket)}${level === null ? '' : `, fires at ${level}`}`;
}

/** `−0.96 %`: where a trailing bracket stands now; null: it does not trail, or not yet. */
export function standingText(side: BracketSide, bracket: Bracket, legs: Legs): string | null {
  if (bracket.trailing === null || bracket.peak === null) return null;
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
