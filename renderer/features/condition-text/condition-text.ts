/** The condition of a trigger, in words. */

import type { Row } from '../../../gateway/client/client.ts';
import { type Condition, conditionUnit, measureText } from '../../../gateway/domain/condition-table.ts';
import { sideWord } from '../../../gateway/words/conditions.ts';
import { shortLevel } from '../../components/format.ts';
import { standingText } from '../brackets-form/bracket-standing.ts';
import { type BracketSide, bracketText, isPnl } from '../brackets-form/bracket-text.ts';

export type Trigger = Row<'GET /triggers'>;

/** Instrument id → ticker. */
type TickerOf = (symbol: string) => string;

/** `Price ratio below 25`; with ` %` where the measure is a percentage. */
export function conditionText(condition: Condition, tickerOf: TickerOf, levelText = shortLevel): string {
  const word = sideWord(condition.direction);
  const unit = conditionUnit(condition) === 'PERCENT' ? ' %' : '';
  return `${measureText(condition, tickerOf)} ${word} ${levelText(condition.value)}${unit}`;
}

/** Joins figures with no-break spaces: between a level and its unit, and before the level. */
export const keptTogether = (text: string) =>
  text.replaceAll(' %', '\u00a0%').replace(/ (above|below) (?=\S+$)/, ' $1\u00a0');

/** Lower-cases the text for the inside of a sentence: `price ratio below 25`; names such as BTC stay as they are. */
export const inSentence = (text: string) => text.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());

/** Condition of any trigger, a take-profit or stop-loss included. */
export function triggerText(
  trigger: Pick<Trigger, 'condition' | 'bracket' | 'bracketType'>,
  tickerOf: TickerOf,
  levelText = shortLevel,
): string {
  if (trigger.condition !== null) return conditionText(trigger.condition, tickerOf, levelText);
  if (trigger.bracket === null) return '';
  const text = bracketText(sideOf(trigger), trigger.bracket);
  return isPnl(trigger.bracket.type) ? `PnL ${text}` : text;
}

/** Condition of a pending trigger, and a trailing one's present level: `PnL −3 %, trailing 1 %, fires at −0.96 %`. */
export function waitingText(
  trigger: Pick<Trigger, 'condition' | 'bracket' | 'bracketType' | 'legs' | 'status'>,
  tickerOf: TickerOf,
  levelText = shortLevel,
): string {
  const text = triggerText(trigger, tickerOf, levelText);
  const isOver = trigger.status !== 'ACTIVE' && trigger.status !== 'PAUSED';
  if (trigger.bracket === null || isOver) return text;
  const level = standingText(sideOf(trigger), trigger.bracket, trigger.legs);
  return level === null ? text : `${text}, fires at ${level}`;
}

function sideOf({ bracketType }: Pick<Trigger, 'bracketType'>): BracketSide {
  return bracketType === 'STOP_LOSS' ? 'stopLoss' : 'takeProfit';
}
