/** Alerts: conditions of the market that are told of and trade nothing. */
import { z } from 'zod';
import { MISSED_TRIGGER_POLICIES, PRICE_SOURCES } from '../domain/enumerations.ts';
import { authority } from './authority.ts';
import { checkInstruments, ONE } from './basket-order.ts';
import {
  arrayQuery,
  connectorId,
  DOCS,
  decimal,
  idParams,
  instrumentId,
  isoTime,
  levelInput,
  positiveDecimalInput,
  side,
  timeInput,
  uuid,
} from './common.ts';
import { checkConditionFits, condition, transformWindow, watchFields } from './conditions.ts';
import { nextCursor, pageQuery } from './cursor.ts';
import { scaled18 } from './decimal-digits.ts';
import { routesWith } from './route.ts';

/** Alerts of an account that may wait at a time. */
export const MOST_ALERTS = 200;
/** Of these, those of one connected agent, or of one API key with a mandate; and what it may set within 24 hours. */
export const ALERTS_OF_AGENT = { waiting: 50, aDay: 100 } as const;
/** The same of one API key without a mandate: it never takes all places of its user, and floods no phone. */
export const ALERTS_OF_KEY = { waiting: 150, aDay: 500 } as const;

const askedAlertLeg = z
  .strictObject({ symbol: instrumentId, side, weight: positiveDecimalInput.optional() })
  .register(DOCS, { id: 'AskedAlertLeg' });

function checkWeights(legs: readonly { readonly weight?: string | undefined }[], context: z.RefinementCtx) {
  const weights = legs.flatMap(({ weight }) => (weight === undefined ? [] : [scaled18(weight) ?? 0n]));
  if (weights.length === 0) return;
  const sum = weights.reduce((total, weight) => total + weight, 0n);
  if (weights.length !== legs.length || sum !== ONE)
    context.addIssue({
      code: 'custom',
      message: 'All legs have a weight, and their sum is exactly 1, or none has',
    });
}

export const openAlertBody = z
  .strictObject({
    legs: z
      .array(askedAlertLeg)
      .max(20, 'A basket has at most 20 legs')
      .superRefine(checkInstruments)
      .superRefine(checkWeights)
      .default([])
      .register(DOCS, {
        description:
          'The basket that a ratio is of; a condition that names its instrument needs none. `weight`: of WEIGHTED_RATIO, legs alike where it is left out',
      }),
    ...watchFields,
  })
  .superRefine(({ condition: asked, legs }, context) => {
    if (asked.type === 'WEIGHTED_RATIO' && legs.length === 0)
      context.addIssue({ code: 'custom', path: ['legs'], message: 'A basket needs at least one leg' });
    // The price of one instrument needs no basket around it.
    if (asked.type !== 'PRICE' || legs.length > 0) checkConditionFits(asked, legs, context);
  })
  .register(DOCS, {
    id: 'OpenAlert',
    example: {
      legs: [
        { symbol: 'BTC-PERP', side: 'BUY' },
        { symbol: 'ETH-PERP', side: 'SELL' },
      ],
      condition: {
        type: 'PRICE_RATIO',
        direction: 'MORE_THAN',
        value: '2',
        transform: 'Z_SCORE',
        lookback: 720,
      },
    },
  });

const STATUSES = ['ACTIVE', 'PAUSED', 'COMPLETED', 'CANCELLED', 'EXPIRED'] as const;

export const alert = z
  .strictObject({
    id: uuid,
    connector: connectorId,
    tradeAccountId: uuid,
    legs: z.array(z.strictObject({ symbol: instrumentId, side, weight: decimal })),
    condition,
    window: transformWindow.nullable(),
    priceSource: z.enum(PRICE_SOURCES),
    onMissed: z.enum(MISSED_TRIGGER_POLICIES),
    authority,
    expiresAt: isoTime.nullable(),
    status: z.enum(STATUSES).register(DOCS, {
      id: 'AlertStatus',
      description: 'PAUSED: the prices that it watches are stale, it goes on by itself. COMPLETED: told',
    }),
    lastValue: decimal.nullable().register(DOCS, {
      description: 'Of what is compared, as last seen; of one that was told, the value that it was told at',
    }),
    lastCheckedAt: isoTime.nullable(),
    triggeredAt: isoTime.nullable(),
    createdAt: isoTime,
    updatedAt: isoTime,
  })
  .register(DOCS, { id: 'Alert' });

const route = routesWith({ auth: 'K', account: true, tag: 'Alerts' });

export const openAlert = route({
  method: 'POST',
  path: '/alerts',
  summary: 'Be told when a market condition is met: nothing is traded',
  description: `Watched as a trigger is, and told at most once, across restarts too: the notification \`ALERT_HIT\` and the event \`alert.completed\`. Pausing trading does not hold it back, and no mandate limits it, on any account of its user. At most ${MOST_ALERTS} of an account wait at a time, ${ALERTS_OF_AGENT.waiting} of them of one connected agent or API key with a mandate, ${ALERTS_OF_KEY.waiting} of one API key without: one more is a 409 \`RESOURCE_BUSY\` (\`details.reason\` \`TOO_MANY\`). Whatever became of them, one agent or key with a mandate sets ${ALERTS_OF_AGENT.aDay} within 24 hours at most, a key without ${ALERTS_OF_KEY.aDay}, on all accounts together: \`ALERT_RATE\`, until \`details.retryAt\`. A connector without a feed for the condition answers 501.`,
  body: openAlertBody,
  idempotent: true,
  success: { 200: alert },
  errors: ['RESOURCE_BUSY', 'CONFIGURATION_ERROR', 'NOT_IMPLEMENTED_ERROR'],
});

export const listAlerts = route({
  method: 'GET',
  path: '/alerts',
  summary: 'Alerts, newest first',
  query: z.object({
    ...pageQuery(),
    connector: connectorId.optional(),
    status: arrayQuery(STATUSES).optional(),
  }),
  success: { 200: z.strictObject({ alerts: z.array(alert), nextCursor }) },
});

export const getAlert = route({
  method: 'GET',
  path: '/alerts/:id',
  summary: 'One alert',
  params: idParams,
  success: { 200: alert },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const changeAlert = route({
  method: 'PATCH',
  path: '/alerts/:id',
  summary: 'Change the level or expiry of a waiting alert',
  description:
    'What is left out stays; `null` removes an expiry. What is told is told of the terms on disk: a change that comes while the alert is met is made before, and binds, or is answered that it was told. One that was told, has expired or is cancelled changes nothing (409 `NOOP_ERROR`).',
  params: idParams,
  idempotent: 'answer',
  body: z
    .strictObject({
      condition: z
        .strictObject({ value: levelInput })
        .optional()
        .register(DOCS, { description: 'The level; everything else of the condition stays' }),
      allowImmediate: z.boolean().default(false).register(DOCS, {
        description: 'true: a new level that is passed already is told of at once; else it is refused (400)',
      }),
      expiresAt: timeInput.nullable().optional(),
    })
    .refine(
      ({ condition: level, expiresAt }) => level !== undefined || expiresAt !== undefined,
      'At least one of condition and expiresAt is needed',
    )
    .register(DOCS, { id: 'ChangeAlert', example: { condition: { value: '2.5' } } }),
  success: { 200: alert },
  errors: ['RESOURCE_NOT_FOUND', 'NOOP_ERROR', 'RESOURCE_BUSY'],
});

export const cancelAlert = route({
  method: 'POST',
  path: '/alerts/:id/cancel',
  summary: 'Cancel an alert',
  description: 'One that was told, has expired or is cancelled already changes nothing (409 `NOOP_ERROR`).',
  params: idParams,
  idempotent: 'answer',
  success: { 200: alert },
  errors: ['RESOURCE_NOT_FOUND', 'NOOP_ERROR', 'RESOURCE_BUSY'],
});
