/** What a trigger waits for, in words. */
import type { Row } from '../../../gateway/client/client.ts';
import { bracketText } from '../brackets-form/bracket-text.ts';

export type Trigger = Row<'GET /triggers'>;
type Condition = NonNullable<Trigger['condition']>;

/** Instrument id → ticker. */
type TickerOf = (symbol: string) => string;

/** What is compared: `BTC price`, `Price ratio`, … */
export function measureText(condition: Condition, tickerOf: TickerOf): string {
  switch (condition.type) {
    case 'PRICE':
    case 'CROSS_ASSET_PRICE':
      return `${tickerOf(condition.symbol)} price`;
    case 'PRICE_RATIO':
      return 'Price ratio';
    case 'WEIGHTED_RATIO':
      return 'Weighted ratio';
    case 'BTC_DOM':
      return 'BTC dominance';
    case 'PREDICTION_MARKET_OUTCOME':
      return `Outcome “${condition.marketKey}”`;
  }
}

const isPercent = (type: Condition['type']) => type === 'BTC_DOM' || type === 'PREDICTION_MARKET_OUTCOME';

/** `Price ratio below 25`; percent where the measure is one. */
export function conditionText(condition: Condition, tickerOf: TickerOf): string {
  const word = condition.direction === 'MORE_THAN' ? 'above' : 'below';
  return `${measureText(condition, tickerOf)} ${word} ${condition.value}${isPercent(condition.type) ? ' %' : ''}`;
}

const isPnl = (type: string) => type === 'PERCENTAGE' || type === 'DOLLAR';

/** Of any trigger, a take-profit or stop-loss included. */
export function triggerText(
  trigger: Pick<Trigger, 'condition' | 'bracket' | 'bracketType'>,
  tickerOf: TickerOf,
): string {
  if (trigger.condition !== null) return conditionText(trigger.condition, tickerOf);
  if (trigger.bracket === null) return '';
  const text = bracketText(trigger.bracketType === 'STOP_LOSS' ? 'stopLoss' : 'takeProfit', trigger.bracket);
  return isPnl(trigger.bracket.type) ? `PnL ${text}` : text;
}
