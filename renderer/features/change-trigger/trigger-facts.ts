/** Entry facts for the brackets of a resting trigger, as if it had fired at the typed level. */
import type { Row } from '../../../gateway/client/client.ts';
import type { BracketType } from '../brackets-form/bracket-text.ts';
import { conditionLine, type EntryFacts, positionFacts, wholeFacts } from '../ratio-chart/levels.ts';
import { type ChartSubject, usualSubject } from '../ratio-chart/subject.ts';
import { triggerUsd } from '../trigger-figures/trigger-usd.ts';
import type { Trigger } from './trigger-change.ts';

type Opening = Pick<Trigger, 'legs' | 'totalUsd' | 'condition'>;
type Held = Pick<Row<'GET /positions'>, 'legs' | 'entryPrice' | 'entryRatio'>;

/**
 * @param level typed level of the condition
 * @param held open position that the trigger adds to; null: there is none
 */
export function triggerFacts(
  { legs: asked, totalUsd, condition }: Opening,
  level: string,
  held: Held | null,
  type: BracketType,
): EntryFacts {
  // Quantities have no weights until they have prices.
  const isWeighed = asked.every(({ mode }) => mode !== 'BASE');
  const legs = isWeighed
    ? asked.map(({ symbol, side, amount }) => ({ id: symbol, side, weight: Number(amount) }))
    : [];
  const subject: ChartSubject =
    type === 'WEIGHTED_RATIO' ? { metric: 'WEIGHTED_RATIO' } : usualSubject({ legs });
  const line = condition === null ? null : conditionLine({ ...condition, value: level.trim() }, subject);
  const usd = triggerUsd({ totalUsd, legs: asked });
  return wholeFacts(held === null ? null : positionFacts(held, subject, legs), {
    subject,
    legs,
    entry: line === null ? null : Number(line),
    gross: usd === null ? null : Number(usd),
  });
}
