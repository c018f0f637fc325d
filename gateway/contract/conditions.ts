/** Conditions that a trigger waits for, and how the gateway watches them. */
import { z } from 'zod';
import { CONDITIONS, type ConditionType, conditionUnit, misfit } from '../domain/condition-table.ts';
import { DIRECTIONS, MISSED_TRIGGER_POLICIES, PRICE_SOURCES } from '../domain/enumerations.ts';
import { LOOKBACK_HOURS, TRANSFORM_METRICS, type TransformKind } from '../domain/metrics.ts';
import {
  DOCS,
  decimal,
  instrumentId,
  isoTime,
  levelInput,
  positiveDecimalInput,
  timeInput,
} from './common.ts';
import { percentInput, scaled18 } from './decimal-digits.ts';

export const direction = z.enum(DIRECTIONS).register(DOCS, {
  id: 'Direction',
  description: 'Strictly: an equal value fires neither way',
});

const feedName = z
  .string()
  .min(1)
  .max(64)
  .register(DOCS, { description: 'A prediction feed of the connector' });
const marketKey = z.string().min(1).max(128);

/** `transform` and `lookback` of a condition or bracket on a ratio: both or neither. */
export const transformFields = {
  transform: z
    .enum(Object.keys(TRANSFORM_METRICS) as [TransformKind, ...TransformKind[]])
    .optional()
    .register(DOCS, {
      description:
        'Compares the ratio with its own past, the mark prices at the ends of the last `lookback` full hours (UTC; `GET /candles`, 1h). x = ln(ratio), m the mean of x, s its sample standard deviation. SPREAD: 100 × (ln(ratio now) − m), in percent. Z_SCORE: (ln(ratio now) − m) ÷ s. Within an hour m and s stand still; when the next hour is over they are computed anew, and until they are, which takes milliseconds, nothing fires. Hours without a price of every leg are left out; with fewer than half of them known, nothing fires. An hour that becomes known later counts from the next full hour on.',
    }),
  lookback: z
    .int()
    .min(LOOKBACK_HOURS.least, `Must be at least ${LOOKBACK_HOURS.least}`)
    .max(LOOKBACK_HOURS.most, `Must be at most ${LOOKBACK_HOURS.most}`)
    .optional()
    .register(DOCS, { description: 'Full hours that `transform` looks back on; needed with it' }),
} as const;

/** Comparison of a watched transform. */
export const transformWindow = z
  .strictObject({
    until: isoTime.meta({ description: 'End of the last hour that was looked back on' }),
    observations: z.int().nonnegative().register(DOCS, { description: 'Hours that are known' }),
    needed: z.int().positive().register(DOCS, { description: 'Known hours without which nothing fires' }),
    ratioLevel: decimal.nullable().register(DOCS, {
      description:
        'The ratio at which it fires in this hour; null: too few hours, or a ratio that stood still',
    }),
  })
  .register(DOCS, {
    id: 'TransformWindow',
    description: 'Of a transformed ratio; null: none, or not watched, or not computed for this hour yet',
  });

const FARTHEST = 1_000n * 10n ** 18n;

/** Refuses a transform without a lookback and the reverse, and levels that the measure cannot have. */
export function checkTransform(
  asked: {
    readonly value: string;
    readonly transform?: TransformKind | undefined;
    readonly lookback?: number | undefined;
  },
  context: z.RefinementCtx,
): void {
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message });
  const { transform, lookback, value } = asked;
  if (transform !== undefined && lookback === undefined) refuse('lookback', 'Is needed with transform');
  if (transform === undefined && lookback !== undefined) refuse('transform', 'Is needed with lookback');
  const size = scaled18(value.replace(/^-/, ''));
  if (size === null) return;
  if (transform === undefined && (size === 0n || value.startsWith('-')))
    refuse('value', 'Must be greater than 0');
  if (transform !== undefined && size > FARTHEST) refuse('value', 'Must be between -1000 and 1000');
}

/** Fields that name what a condition watches, by the `names` of its row in `CONDITIONS`. */
const NAMED = {
  nothing: {},
  ratio: transformFields,
  leg: { symbol: instrumentId },
  instrument: { symbol: instrumentId },
  prediction: { source: feedName, marketKey },
} as const;

interface Levels<P, C, R> {
  readonly price: P;
  readonly percent: C;
  readonly ratio: R;
}

function conditionSchema<P extends z.ZodType, C extends z.ZodType, R extends z.ZodType>(
  levels: Levels<P, C, R>,
) {
  const levelOf = (type: ConditionType) => {
    if (CONDITIONS[type].names === 'ratio') return levels.ratio;
    return conditionUnit({ type }) === 'PERCENT' ? levels.percent : levels.price;
  };
  const of = <Type extends ConditionType>(type: Type) =>
    z.strictObject({
      type: z.literal(type).meta({ description: CONDITIONS[type].description }),
      direction,
      value: levelOf(type),
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

export const conditionInput = conditionSchema({
  price: positiveDecimalInput,
  percent: percentInput,
  ratio: levelInput,
})
  .superRefine((asked, context) => {
    if (CONDITIONS[asked.type].names === 'ratio') checkTransform(asked, context);
  })
  .register(DOCS, {
    id: 'ConditionInput',
    example: { type: 'PRICE', direction: 'MORE_THAN', value: '100000', symbol: 'BTC-PERP' },
  });

export const condition = conditionSchema({ price: decimal, percent: decimal, ratio: decimal }).register(
  DOCS,
  { id: 'Condition' },
);

/** Condition, price source and expiry of a trigger, whether it opens or closes a position. */
export const watchFields = {
  condition: conditionInput,
  priceSource: z.enum(PRICE_SOURCES).default('MARK'),
  expiresAt: timeInput
    .nullable()
    .optional()
    .register(DOCS, { description: 'Later than now; without it, it waits for ever' }),
  allowImmediate: z.boolean().default(false).register(DOCS, {
    description: 'true: a condition that is met already fires at once; else it is refused (400)',
  }),
  onMissed: z.enum(MISSED_TRIGGER_POLICIES).default('FIRE').register(DOCS, {
    description:
      'A condition met while the gateway was not watching, or while it was paused. FIRE: fires late if it still holds. SKIP: waits for the next crossing.',
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
