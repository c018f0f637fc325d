/** Conditions that a trigger waits for, and how the gateway watches them. */
import { z } from 'zod';
import { CONDITIONS, type ConditionType, conditionUnit, misfit } from '../domain/condition-table.ts';
import { DOCS, decimal, instrumentId, positiveDecimalInput, timeInput } from './common.ts';
import { percentInput } from './decimal-digits.ts';

export const direction = z.enum(['MORE_THAN', 'LESS_THAN']).register(DOCS, {
  id: 'Direction',
  description: 'Strictly: an equal value fires neither way',
});

const feedName = z
  .string()
  .min(1)
  .max(64)
  .register(DOCS, { description: 'A prediction feed of the connector' });
const marketKey = z.string().min(1).max(128);

/** Fields that name what a condition watches, by the `names` of its row in `CONDITIONS`. */
const NAMED = {
  nothing: {},
  leg: { symbol: instrumentId },
  instrument: { symbol: instrumentId },
  prediction: { source: feedName, marketKey },
} as const;

function conditionSchema<P extends z.ZodType, C extends z.ZodType>(price: P, percent: C) {
  const of = <Type extends ConditionType>(type: Type) =>
    z.strictObject({
      type: z.literal(type).meta({ description: CONDITIONS[type].description }),
      direction,
      value: conditionUnit(type) === 'PERCENT' ? percent : price,
      ...NAMED[CONDITIONS[type].names],
    });
  return z.discriminatedUnion('type', [
    of('PRICE'),
    of('PRICE_RATIO'),
    of('WEIGHTED_RATIO'),
    of('CROSS_ASSET_PRICE'),
    of('BTC_DOM'),
    of('PREDICTION_MARKET_OUTCOME'),
  ]);
}

export const conditionInput = conditionSchema(positiveDecimalInput, percentInput).register(DOCS, {
  id: 'ConditionInput',
  example: { type: 'PRICE', direction: 'MORE_THAN', value: '100000', symbol: 'BTC-PERP' },
});

export const condition = conditionSchema(decimal, decimal).register(DOCS, { id: 'Condition' });

/** Condition, price source and expiry of a trigger, whether it opens or closes a position. */
export const watchFields = {
  condition: conditionInput,
  priceSource: z.enum(['MARK', 'LAST', 'INDEX']).default('MARK'),
  expiresAt: timeInput
    .nullable()
    .optional()
    .register(DOCS, { description: 'Later than now; without it, it waits for ever' }),
  allowImmediate: z.boolean().default(false).register(DOCS, {
    description: 'true: a condition that is met already fires at once; else it is refused (400)',
  }),
  onMissed: z.enum(['FIRE', 'SKIP']).default('FIRE').register(DOCS, {
    description:
      'A condition met while the gateway was not watching. FIRE: fires late if it still holds. SKIP: waits for the next crossing.',
  }),
} as const;

export function checkConditionFits(
  asked: { readonly type: ConditionType; readonly symbol?: string | undefined },
  legs: readonly { readonly symbol: string; readonly side: string }[],
  context: z.RefinementCtx,
): void {
  const wrong = misfit(asked, legs);
  if (wrong === null) return;
  context.addIssue({ code: 'custom', path: ['condition', wrong.field], message: wrong.message });
}
