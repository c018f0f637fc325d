/** Triggers: baskets that wait for a market condition. */
import { z } from 'zod';
import {
  BRACKET_KINDS,
  MISSED_TRIGGER_POLICIES,
  PRICE_SOURCES,
  TRIGGER_STATUSES,
} from '../domain/enumerations.ts';
import { authority } from './authority.ts';
import { askedLeg, checkAmounts, clientId, slippage, totalUsd, tradeLegs } from './basket-order.ts';
import {
  askedBracket,
  bracketInput,
  bracketLevel,
  bracketsMode,
  pausedBy,
  pauseReason,
  roundFields,
  trailingNow,
  whenFilled,
} from './brackets.ts';
import { cancelReport } from './cancel-report.ts';
import {
  arrayQuery,
  connectorId,
  DOCS,
  decimal,
  idParams,
  isoTime,
  levelInput,
  timeInput,
  uuid,
} from './common.ts';
import { checkConditionFits, condition, transformWindow, watchFields } from './conditions.ts';
import { nextCursor, pageQuery } from './cursor.ts';
import { LIMIT_ERRORS } from './error-codes.ts';
import { filledLeg } from './filled-legs.ts';
import { legFailurePolicy, unattendedLegFailure, unattendedPolicy } from './leg-failure.ts';
import { routesWith } from './route.ts';

export const openTriggerBody = z
  .strictObject({
    legs: tradeLegs,
    totalUsd: totalUsd.optional(),
    ...watchFields,
    slippage: slippage.default('0.01'),
    onLegFailure: unattendedLegFailure,
    takeProfit: bracketInput.optional(),
    stopLoss: bracketInput.optional(),
    brackets: bracketsMode.default('KEEP'),
    clientId: clientId.optional(),
  })
  .superRefine((body, context) => {
    checkAmounts(body, context);
    checkConditionFits(body.condition, body.legs, context);
  })
  .overwrite((body) => ({ ...body, onLegFailure: unattendedPolicy(body) }))
  .register(DOCS, {
    id: 'OpenTrigger',
    example: {
      legs: [
        { symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '500' },
        { symbol: 'ETH-PERP', side: 'SELL', mode: 'USD', amount: '500' },
      ],
      condition: { type: 'PRICE_RATIO', direction: 'LESS_THAN', value: '20' },
    },
  });

export const triggerStatus = z.enum(TRIGGER_STATUSES).register(DOCS, {
  id: 'TriggerStatus',
  description:
    'PARTIALLY_COMPLETED: a part filled, see `filled`; its event is `trigger.completed`. FAILED: nothing filled.',
});

export const trigger = z
  .strictObject({
    id: uuid,
    connector: connectorId,
    tradeAccountId: uuid,
    basketKey: z.string(),
    kind: z.enum(['OPEN', 'CLOSE']),
    bracketType: z.enum(BRACKET_KINDS).nullable(),
    positionId: uuid
      .nullable()
      .register(DOCS, { description: 'The position that it closes, or that it led to' }),
    ladderId: uuid.nullable(),
    rungIndex: z.int().nullable(),
    legs: z.array(askedLeg),
    totalUsd: decimal.nullable(),
    fraction: decimal.nullable().register(DOCS, { description: 'Share of the position that it closes' }),
    condition: condition.nullable().register(DOCS, { description: 'null: a bracket, see `bracket`' }),
    bracket: askedBracket
      .extend({ peak: decimal.nullable(), level: bracketLevel, trailingNow, ...roundFields })
      .nullable()
      .register(DOCS, { description: 'Of a take-profit or stop-loss; null: see `condition`' }),
    window: transformWindow.nullable(),
    priceSource: z.enum(PRICE_SOURCES),
    slippage: decimal.meta({ description: 'Of a bracket: of its first round' }),
    onLegFailure: legFailurePolicy,
    takeProfit: askedBracket.nullable(),
    stopLoss: askedBracket.nullable(),
    brackets: bracketsMode,
    protection: whenFilled,
    onMissed: z.enum(MISSED_TRIGGER_POLICIES),
    clientId: z.string().nullable(),
    authority,
    expiresAt: isoTime.nullable(),
    status: triggerStatus,
    pauseReason,
    pausedBy,
    lastValue: decimal.nullable().register(DOCS, {
      description: 'Of what is compared (the transform, where there is one), as last seen',
    }),
    lastCheckedAt: isoTime.nullable(),
    triggeredAt: isoTime.nullable(),
    executionId: uuid.nullable().register(DOCS, { description: 'Of a bracket: of its latest round' }),
    filled: z.array(filledLeg).register(DOCS, {
      description:
        'Fills of its execution, by leg; of a bracket, those of all its rounds. Empty until an execution has ended.',
    }),
    error: z.string().nullable().register(DOCS, {
      description:
        'Why it failed, was cancelled, or was not placed when its condition was met. An `ACTIVE` trigger with an error waits',
    }),
    createdAt: isoTime,
    updatedAt: isoTime,
  })
  .register(DOCS, { id: 'Trigger' });

const STATE_ERRORS = ['RESOURCE_NOT_FOUND', 'RESOURCE_BUSY', 'NOOP_ERROR'] as const;
const STATE_TEXT =
  'One that is firing is busy (409 `RESOURCE_BUSY`), one that has ended or is so already changes nothing (409 `NOOP_ERROR`).';

const TRIGGERS = { auth: 'K', account: true, tag: 'Triggers' } as const;
const route = routesWith(TRIGGERS);
const changeRoute = routesWith({
  ...TRIGGERS,
  params: idParams,
  idempotent: 'answer',
  success: { 200: trigger },
});

export const openTrigger = route({
  method: 'POST',
  path: '/triggers/open',
  summary: 'Open a basket when a market condition is met',
  description:
    'Fires at most once, across restarts too. A connector without a feed for the condition answers 501. What comes of it: the events `trigger.*`, then the execution of `executionId`.',
  body: openTriggerBody,
  idempotent: true,
  success: { 200: trigger },
  errors: ['RESOURCE_BUSY', 'CONFIGURATION_ERROR', 'NOT_IMPLEMENTED_ERROR', ...LIMIT_ERRORS],
});

export const listTriggers = route({
  method: 'GET',
  path: '/triggers',
  summary: 'Triggers, newest first',
  query: z.object({
    ...pageQuery(),
    connector: connectorId.optional(),
    status: arrayQuery(TRIGGER_STATUSES).optional(),
    kind: z.enum(['OPEN', 'CLOSE']).optional(),
  }),
  success: { 200: z.strictObject({ triggers: z.array(trigger), nextCursor }) },
});

export const getTrigger = route({
  method: 'GET',
  path: '/triggers/:id',
  summary: 'One trigger',
  params: idParams,
  success: { 200: trigger },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const changeTrigger = changeRoute({
  method: 'PATCH',
  path: '/triggers/:id',
  summary: 'Change the level, expiry or brackets of a waiting trigger',
  description: `What is left out stays; \`null\` removes an expiry or a bracket. A take-profit or stop-loss of a position is changed with \`PUT /positions/{id}/brackets\`. ${STATE_TEXT}`,
  body: z
    .strictObject({
      condition: z
        .strictObject({ value: levelInput })
        .optional()
        .register(DOCS, { description: 'The level; everything else of the condition stays' }),
      allowImmediate: z.boolean().default(false).register(DOCS, {
        description: 'true: a new level that is passed already fires at once; else it is refused (400)',
      }),
      expiresAt: timeInput.nullable().optional(),
      takeProfit: bracketInput.nullable().optional(),
      stopLoss: bracketInput.nullable().optional(),
      brackets: bracketsMode.optional(),
    })
    .refine(
      (body) =>
        [body.condition, body.expiresAt, body.takeProfit, body.stopLoss, body.brackets].some(
          (field) => field !== undefined,
        ),
      'At least one of condition, expiresAt, takeProfit, stopLoss and brackets is needed',
    )
    .register(DOCS, { id: 'ChangeTrigger', example: { condition: { value: '19.5' } } }),
  errors: [...STATE_ERRORS, ...LIMIT_ERRORS],
});

export const cancelTrigger = changeRoute({
  method: 'POST',
  path: '/triggers/:id/cancel',
  summary: 'Cancel a trigger',
  description: STATE_TEXT,
  errors: STATE_ERRORS,
});

export const pauseTrigger = changeRoute({
  method: 'POST',
  path: '/triggers/:id/pause',
  summary: 'Stop watching until it is resumed',
  description: STATE_TEXT,
  errors: STATE_ERRORS,
});

export const resumeTrigger = changeRoute({
  method: 'POST',
  path: '/triggers/:id/resume',
  summary: 'Watch again',
  description: `A condition that holds by then fires at once where \`onMissed\` is FIRE. ${STATE_TEXT}`,
  errors: [...STATE_ERRORS, ...LIMIT_ERRORS],
});

export const cancelAllTriggers = route({
  method: 'POST',
  path: '/triggers/cancel-all',
  summary: "Cancel all of the account's waiting triggers, brackets and rungs included",
  description: 'For an agent, or a key with a mandate: those that open. What closes a position stays.',
  idempotent: 'answer',
  success: { 200: cancelReport },
  errors: ['NOOP_ERROR'],
});
