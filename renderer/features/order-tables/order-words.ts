/** Actions and origins of orders in words, the same wherever they are listed. */
import type { Execution, Row } from '../../../gateway/client/client.ts';

export const INTENTS: Readonly<Record<Execution['intent'], string>> = {
  OPEN: 'Open',
  ADJUST: 'Adjust',
  REDUCE: 'Reduce',
  CLOSE: 'Close',
  REVERSE: 'Reverse',
};
export const ORIGINS: Readonly<Record<Execution['origin'], string>> = {
  API: 'Market',
  TRIGGER: 'Trigger',
  SCHEDULE: 'TWAP',
  LADDER: 'Ladder',
  REBALANCE: 'Rebalance',
  BRACKET: 'TP / SL',
};
export const BRACKETS = { TAKE_PROFIT: 'Take-profit', STOP_LOSS: 'Stop-loss' } as const;

/** Action of an order, with its origin unless it is a market order: `Close`, `Open, TWAP`, `Stop-loss`. */
export function orderAction({
  bracketType,
  origin,
  intent,
}: Pick<Row<'GET /orders'>, 'bracketType' | 'origin' | 'intent'>): string {
  if (bracketType !== null) return BRACKETS[bracketType];
  if (origin === 'REBALANCE') return ORIGINS.REBALANCE;
  return origin === 'API' ? INTENTS[intent] : `${INTENTS[intent]}, ${ORIGINS[origin]}`;
}
