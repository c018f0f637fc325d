/** What a trigger waits for, and how it is watched. */
import { z } from 'zod';
import { decimal, instrumentId, positiveDecimalInput, timeInput } from './common.ts';
import { percentInput } from './decimal-digits.ts';

export const direction = z.enum(['MORE_THAN', 'LESS_THAN']).meta({
  id: 'Direction',
  description: 'Strictly: an equal value fires neither way',
});

const feedName = z.string().min(1).max(64).meta({ description: 'A prediction feed of the connector' });
const marketKey = z.string().min(1).max(128);

function conditionSchema<P extends z.ZodType, C extends z.ZodType>(price: P, percent: C) {
  return z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('PRICE').meta({ description: "The price of one of the basket's legs" }),
      direction,
      value: price,
      symbol: instrumentId,
    }),
    z.strictObject({
      type: z.literal('PRICE_RATIO').meta({
        description:
          'Long price ÷ short price of a basket with exactly one of each. Charts (`GET /candles/basket`) draw a ratio of that name for larger baskets too, of geometric means; a trigger on such a basket watches `WEIGHTED_RATIO`',
      }),
      direction,
      value: price,
    }),
    z.strictObject({
      type: z.literal('WEIGHTED_RATIO').meta({ description: "The basket's weightRatio" }),
      direction,
      value: price,
    }),
    z.strictObject({
      type: z
        .literal('CROSS_ASSET_PRICE')
        .meta({ description: 'The price of any instrument of the connector' }),
      direction,
      value: price,
      symbol: instrumentId,
    }),
    z.strictObject({
      type: z.literal('BTC_DOM').meta({ description: 'Bitcoin dominance in percent' }),
      direction,
      value: percent,
    }),
    z.strictObject({
      type: z
        .literal('PREDICTION_MARKET_OUTCOME')
        .meta({ description: "Probability of a prediction market's outcome in percent" }),
      direction,
      value: percent,
      source: feedName,
      marketKey,
    }),
  ]);
}

export const conditionInput = conditionSchema(positiveDecimalInput, percentInput).meta({
  id: 'ConditionInput',
  example: { type: 'PRICE', direction: 'MORE_THAN', value: '100000', symbol: 'BTC-PERP' },
});

export const condition = conditionSchema(decimal, decimal).meta({ id: 'Condition' });

/** When and on what a trigger fires; opening and closing ones alike. */
export const watchFields = {
  condition: conditionInput,
  priceSource: z.enum(['MARK', 'LAST', 'INDEX']).default('MARK'),
  expiresAt: timeInput
    .nullable()
    .optional()
    .meta({ description: 'Later than now; without it, it waits for ever' }),
  allowImmediate: z.boolean().default(false).meta({
    description: 'true: a condition that is met already fires at once; else it is refused (400)',
  }),
  onMissed: z.enum(['FIRE', 'SKIP']).default('FIRE').meta({
    description:
      'A condition met while the gateway was not watching. FIRE: fires late if it still holds. SKIP: waits for the next crossing.',
  }),
} as const;

/** PRICE watches one of the legs, PRICE_RATIO needs exactly one long and one short. */
export function checkConditionFits(
  asked: { readonly type: string; readonly symbol?: string | undefined },
  legs: readonly { readonly symbol: string; readonly side: string }[],
  context: z.RefinementCtx,
): void {
  if (asked.type === 'PRICE' && !legs.some(({ symbol }) => symbol === asked.symbol)) {
    context.addIssue({ code: 'custom', path: ['condition', 'symbol'], message: 'Must be one of the legs' });
  }
  if (asked.type === 'PRICE_RATIO' && !isPair(legs)) {
    context.addIssue({
      code: 'custom',
      path: ['condition', 'type'],
      message: 'PRICE_RATIO needs exactly one long and one short leg',
    });
  }
}

export function isPair(legs: readonly { readonly side: string }[]): boolean {
  const longs = legs.filter(({ side }) => side === 'BUY').length;
  return longs === 1 && legs.length === 2;
}
