/** The condition of a trigger, in words. */
import type { Row } from '../../../gateway/client/client.ts';
import { type Condition, conditionUnit, measureText } from '../../../gateway/domain/condition-table.ts';
import { shortLevel } from '../../components/format.ts';
import { bracketText, isPnl } from '../brackets-form/bracket-text.ts';

export type Trigger = Row<'GET /triggers'>;

/** Instrument id → ticker. */
type TickerOf = (symbol: string) => string;

/** `Price ratio below 25`; with ` %` where the measure is a percentage. */
export function conditionText(condition: Condition, tickerOf: TickerOf): string {
  const word = condition.direction === 'MORE_THAN' ? 'above' : 'below';
  const unit = conditionUnit(condition) === 'PERCENT' ? ' %' : '';
  return `${measureText(condition, tickerOf)} ${word} ${shortLevel(condition.value)}${unit}`;
}

/** The same inside a sentence: `price ratio below 25`; names such as BTC stay as they are. */
export const inSentence = (text: string) => text.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());

/** Condition of any trigger, a take-profit or stop-loss included. */
export function triggerText(
  trigger: Pick<Trigger, 'condition' | 'bracket' | 'bracketType'>,
  tickerOf: TickerOf,
): string {
  if (trigger.condition !== null) return conditionText(trigger.condition, tickerOf);
  if (trigger.bracket === null) return '';
  const text = bracketText(trigger.bracketType === 'STOP_LOSS' ? 'stopLoss' : 'takeProfit', trigger.bracket);
  return isPnl(trigger.bracket.type) ? `PnL ${text}` : text;
}
