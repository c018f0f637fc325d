/** Take-profit and stop-loss of a position: one cancels the other. */
import { z } from 'zod';
import { decimal, isoTime, positiveDecimalInput, uuid } from './common.ts';
import { route } from './route.ts';

const METRICS = ['PERCENTAGE', 'DOLLAR', 'POSITION_VALUE', 'PRICE', 'PRICE_RATIO', 'WEIGHTED_RATIO'] as const;

const metric = z.enum(METRICS).meta({
  description:
    "What is watched. PERCENTAGE: PnL in percent of the gross notional at entry. DOLLAR: PnL in USD. POSITION_VALUE: gross notional at entry plus PnL, USD. PRICE: the basket's price. PRICE_RATIO: long price ÷ short price (exactly one of each). WEIGHTED_RATIO: the basket's weightRatio.",
});

export const bracketInput = z
  .strictObject({
    type: metric,
    value: positiveDecimalInput.meta({
      description:
        "In the metric's unit. Of PERCENTAGE and DOLLAR it is the size of the gain (take-profit) or of the loss (stop-loss).",
    }),
    trailing: z
      .strictObject({
        delta: positiveDecimalInput.meta({ description: 'Distance kept from the best value seen' }),
        activation: positiveDecimalInput
          .optional()
          .meta({ description: 'Trailing begins when the metric has reached this value' }),
      })
      .optional(),
  })
  .meta({ id: 'Bracket', example: { type: 'PERCENTAGE', value: '5' } });

/** A bracket as it was asked for, in answers. */
export const askedBracket = z
  .strictObject({
    type: metric,
    value: decimal,
    trailing: z.strictObject({ delta: decimal, activation: decimal.nullable() }).nullable(),
  })
  .meta({ id: 'AskedBracket' });

/** A bracket that watches an open position. */
export const positionBracket = askedBracket
  .extend({
    triggerId: uuid.meta({ description: 'The trigger that carries it out: `GET /triggers/{id}`' }),
    status: z.enum(['ACTIVE', 'PAUSED', 'TRIGGERED']),
    peak: decimal
      .nullable()
      .meta({ description: 'Best value seen since trailing began; null before and without trailing' }),
    createdAt: isoTime,
    updatedAt: isoTime,
  })
  .meta({ id: 'PositionBracket' });

export const positionBrackets = z
  .strictObject({
    positionId: uuid,
    takeProfit: positionBracket.nullable(),
    stopLoss: positionBracket.nullable(),
  })
  .meta({ id: 'PositionBrackets' });

export const putBrackets = route({
  method: 'PUT',
  path: '/positions/:id/brackets',
  auth: 'K',
  account: true,
  tag: 'Positions',
  summary: 'Set, replace or remove take-profit and stop-loss',
  description:
    'A bracket that is left out stays as it is, `null` removes it. Each is a trigger that closes the whole position; when one fires, the other is cancelled. A level that is reached already is refused (400), and a removal of what is not there changes nothing (409 `NOOP_ERROR`).',
  params: z.strictObject({ id: uuid }),
  body: z
    .strictObject({
      takeProfit: bracketInput.nullable().optional(),
      stopLoss: bracketInput.nullable().optional(),
    })
    .refine(
      (body) => body.takeProfit !== undefined || body.stopLoss !== undefined,
      'At least one of takeProfit and stopLoss is needed',
    )
    .meta({
      id: 'PutBrackets',
      example: {
        takeProfit: { type: 'PERCENTAGE', value: '5' },
        stopLoss: { type: 'PERCENTAGE', value: '2' },
      },
    }),
  idempotent: 'answer',
  success: { 200: positionBrackets },
  errors: ['RESOURCE_NOT_FOUND', 'RESOURCE_BUSY', 'NOOP_ERROR', 'CONFIGURATION_ERROR'],
});
