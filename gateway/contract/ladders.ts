/** Ladders: entries staggered across a price range, with one trigger per rung. */
import { z } from 'zod';
import { isPair } from '../domain/condition-table.ts';
import {
  LADDER_DISTRIBUTIONS,
  LADDER_METRICS,
  LADDER_SIZINGS,
  LADDER_STATUSES,
} from '../domain/enumerations.ts';
import { authority } from './authority.ts';
import { askedLeg, checkAmounts, clientId, slippage, totalUsd, tradeLegs } from './basket-order.ts';
import {
  connectorId,
  DOCS,
  decimal,
  instrumentId,
  isoTime,
  pathId,
  positiveDecimalInput,
  timeInput,
  uuid,
} from './common.ts';
import { direction } from './conditions.ts';
import { nextCursor, pageQuery } from './cursor.ts';
import { scaled18 } from './decimal-digits.ts';
import { LIMIT_ERRORS } from './error-codes.ts';
import { filledLeg } from './filled-legs.ts';
import { legFailurePolicy, unattendedLegFailure, unattendedPolicy } from './leg-failure.ts';
import { routesWith } from './route.ts';
import { triggerStatus } from './triggers.ts';

export const createLadderBody = z
  .strictObject({
    legs: tradeLegs,
    totalUsd: totalUsd.optional(),
    metric: z.enum(LADDER_METRICS),
    symbol: instrumentId.optional().register(DOCS, {
      description: 'Metric PRICE only: the leg whose price counts; needed where the basket has several',
    }),
    direction,
    start: positiveDecimalInput.meta({ description: 'Level of the first rung' }),
    end: positiveDecimalInput.meta({ description: 'Level of the last rung' }),
    levels: z.int().min(2, 'Must be at least 2').max(50, 'Must be at most 50'),
    distribution: z.enum(LADDER_DISTRIBUTIONS).register(DOCS, {
      description: 'LINEAR: equal distances between levels. GEOMETRIC: equal ratios.',
    }),
    sizing: z.enum(LADDER_SIZINGS).register(DOCS, {
      description: 'INCREASING: rung n of N gets n shares of the total. DECREASING: the other way round.',
    }),
    allowImmediate: z.boolean().default(false).register(DOCS, {
      description: 'true: rungs whose level is passed already fire at once; else they are refused (400)',
    }),
    expiresAt: timeInput
      .nullable()
      .optional()
      .register(DOCS, { description: 'Later than now; of all rungs' }),
    slippage: slippage.default('0.01'),
    onLegFailure: unattendedLegFailure,
    clientId: clientId.optional(),
  })
  .superRefine((body, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    checkAmounts(body, context);
    const [start, end] = [scaled18(body.start), scaled18(body.end)];
    if (start !== null && start === end) refuse('end', 'Must differ from start');
    if (body.metric === 'PRICE_RATIO' && !isPair(body.legs)) {
      refuse('metric', 'PRICE_RATIO needs exactly one long and one short leg');
    }
    if (body.metric !== 'PRICE') {
      if (body.symbol !== undefined) refuse('symbol', 'Only the metric PRICE takes a symbol');
    } else if (body.symbol === undefined) {
      if (body.legs.length > 1) refuse('symbol', 'Needed where the basket has several legs');
    } else if (body.legs.length > 0 && !body.legs.some(({ symbol }) => symbol === body.symbol)) {
      refuse('symbol', 'Must be one of the legs');
    }
  })
  .overwrite((body) => ({ ...body, onLegFailure: unattendedPolicy(body) }))
  .register(DOCS, {
    id: 'CreateLadder',
    example: {
      legs: [{ symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '5000' }],
      metric: 'PRICE',
      direction: 'LESS_THAN',
      start: '90000',
      end: '80000',
      levels: 5,
      distribution: 'LINEAR',
      sizing: 'EQUAL',
    },
  });

export const ladder = z
  .strictObject({
    id: uuid,
    connector: connectorId,
    tradeAccountId: uuid,
    basketKey: z.string(),
    legs: z.array(askedLeg),
    totalUsd: decimal,
    metric: z.enum(LADDER_METRICS),
    symbol: instrumentId.nullable(),
    direction,
    start: decimal,
    end: decimal,
    distribution: z.enum(LADDER_DISTRIBUTIONS),
    sizing: z.enum(LADDER_SIZINGS),
    expiresAt: isoTime.nullable(),
    slippage: decimal,
    onLegFailure: legFailurePolicy,
    clientId: z.string().nullable(),
    authority,
    status: z.enum(LADDER_STATUSES),
    levels: z.int(),
    filledLevels: z.int().register(DOCS, { description: 'Rungs that filled in full' }),
    filled: z.array(filledLeg).register(DOCS, { description: 'Fills of all rungs together, by leg' }),
    rungs: z
      .array(
        z.strictObject({
          index: z.int().nonnegative(),
          level: decimal,
          usd: decimal,
          triggerId: uuid,
          status: triggerStatus,
          filled: z.array(filledLeg),
        }),
      )
      .register(DOCS, { description: 'By index; the sizes sum exactly to totalUsd' }),
    createdAt: isoTime,
    updatedAt: isoTime,
  })
  .register(DOCS, { id: 'Ladder' });

const params = z.strictObject({ ladderId: pathId });

const route = routesWith({ auth: 'K', account: true, tag: 'Ladders' });

export const createLadder = route({
  method: 'POST',
  path: '/ladders',
  summary: 'Stagger entries across a range',
  description:
    "A parent and one trigger a rung, made together or not at all. Every rung of every leg must meet the venue's minimum (400).",
  body: createLadderBody,
  idempotent: true,
  success: { 200: ladder },
  errors: ['RESOURCE_BUSY', 'CONFIGURATION_ERROR', 'NOT_IMPLEMENTED_ERROR', ...LIMIT_ERRORS],
});

export const listLadders = route({
  method: 'GET',
  path: '/ladders',
  summary: 'Ladders, newest first',
  query: z.object({
    ...pageQuery(),
    connector: connectorId.optional(),
  }),
  success: { 200: z.strictObject({ ladders: z.array(ladder), nextCursor }) },
});

export const getLadder = route({
  method: 'GET',
  path: '/ladders/:ladderId',
  summary: 'One ladder with its rungs',
  params,
  success: { 200: ladder },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const cancelLadder = route({
  method: 'POST',
  path: '/ladders/:ladderId/cancel',
  summary: 'Cancel the ladder and all rungs that wait',
  description:
    'A rung that is firing ends as it will. One that has ended changes nothing (409 `NOOP_ERROR`).',
  params,
  idempotent: 'answer',
  success: { 202: ladder },
  errors: ['RESOURCE_NOT_FOUND', 'RESOURCE_BUSY', 'NOOP_ERROR'],
});
