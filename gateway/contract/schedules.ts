/** TWAP schedules: a basket traded in timed slices. */
import { z } from 'zod';
import {
  AFTER_BRACKET_POLICIES,
  MISSED_SLICE_POLICIES,
  SCHEDULE_PAUSE_REASONS,
  SCHEDULE_STATUSES,
  SLICE_STATUSES,
} from '../domain/enumerations.ts';
import { authority } from './authority.ts';
import { askedLeg, checkAmounts, clientId, slippage, totalUsd, tradeLegs } from './basket-order.ts';
import { askedBracket, bracketInput, bracketsMode, pausedBy, whenFilled } from './brackets.ts';
import {
  arrayQuery,
  connectorId,
  DOCS,
  decimal,
  idParams,
  isoTime,
  positiveDecimalInput,
  uuid,
} from './common.ts';
import { nextCursor, pageQuery } from './cursor.ts';
import { LIMIT_ERRORS } from './error-codes.ts';
import { filledLeg } from './filled-legs.ts';
import { checkReducingFailure, legFailurePolicy } from './leg-failure.ts';
import { routesWith } from './route.ts';

const SHORTEST_SECONDS = 60;
const LONGEST_SECONDS = 86_400;

function seconds(least: number, most: number) {
  return z.int().min(least, `Must be at least ${least}`).max(most, `Must be at most ${most}`);
}

/** Timing and ratio limit of a schedule's slices, whether the schedule opens or closes a position. */
export const slicingFields = {
  durationSeconds: seconds(SHORTEST_SECONDS, LONGEST_SECONDS),
  intervalSeconds: seconds(5, 3_600).default(30),
  randomize: z
    .boolean()
    .default(false)
    .register(DOCS, { description: 'true: slice times vary by ±10 % of the interval' }),
  limitRatio: positiveDecimalInput.optional().register(DOCS, {
    description:
      "Slices are held back while the basket's weightRatio is worse than this: above it for one that buys the ratio, below it for one that sells what is held, by closing it or with reduceOnly (it is then the ratio of the basket that is held, whose sides the legs reverse)",
  }),
  missedSlicePolicy: z.enum(MISSED_SLICE_POLICIES).default('CATCH_UP').register(DOCS, {
    description:
      'After the gateway was away. CATCH_UP: later slices grow, at most to 3 times a slice. SKIP: what was missed is not traded. PAUSE: waits to be resumed.',
  }),
} as const;

/** Refuses an interval that is longer than the whole schedule. */
export function checkSlicing(
  body: { readonly durationSeconds: number; readonly intervalSeconds: number },
  context: z.RefinementCtx,
): void {
  if (body.intervalSeconds <= body.durationSeconds) return;
  context.addIssue({
    code: 'custom',
    path: ['intervalSeconds'],
    message: 'Must be at most durationSeconds',
  });
}

const afterBracket = z.enum(AFTER_BRACKET_POLICIES);

export const createScheduleBody = z
  .strictObject({
    legs: tradeLegs,
    totalUsd: totalUsd.optional(),
    ...slicingFields,
    slippage: slippage.default('0.01'),
    onLegFailure: legFailurePolicy.default('RETRY').register(DOCS, {
      description:
        'Of each slice. What is not filled goes into the later slices. UNWIND: what filled of a slice is closed again before the next one; the schedule pauses after two such slices in a row.',
    }),
    takeProfit: bracketInput.optional(),
    stopLoss: bracketInput.optional(),
    brackets: bracketsMode.default('KEEP'),
    afterBracket: afterBracket.default('STOP').register(DOCS, {
      description:
        'When a take-profit or stop-loss has closed what the schedule opened. STOP: it ends, STOPPED_BY_BRACKET. GO_ON: its other slices open a position anew, with the same brackets.',
    }),
    reduceOnly: z.boolean().default(false).register(DOCS, {
      description: 'true: slices only take out of what the account holds, they never open or turn a leg over',
    }),
    clientId: clientId.optional(),
  })
  .superRefine((body, context) => {
    checkAmounts(body, context);
    checkSlicing(body, context);
    checkReducingFailure(body.reduceOnly, body, context);
  })
  .register(DOCS, {
    id: 'CreateSchedule',
    example: {
      legs: [
        { symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '5000' },
        { symbol: 'ETH-PERP', side: 'SELL', mode: 'USD', amount: '5000' },
      ],
      durationSeconds: 600,
      intervalSeconds: 60,
    },
  });

const scheduleFields = {
  id: uuid,
  connector: connectorId,
  tradeAccountId: uuid,
  basketKey: z.string(),
  kind: z.enum(['OPEN', 'CLOSE']),
  positionId: uuid
    .nullable()
    .register(DOCS, { description: 'The position that it closes, or that it led to' }),
  legs: z.array(askedLeg),
  fraction: decimal.nullable().register(DOCS, { description: 'Share of the position that it closes' }),
  durationSeconds: z.int(),
  intervalSeconds: z.int(),
  randomize: z.boolean(),
  slippage: decimal,
  onLegFailure: legFailurePolicy,
  limitRatio: decimal.nullable(),
  missedSlicePolicy: z.enum(MISSED_SLICE_POLICIES),
  takeProfit: askedBracket.nullable(),
  stopLoss: askedBracket.nullable(),
  brackets: bracketsMode,
  protection: whenFilled,
  afterBracket,
  reduceOnly: z.boolean(),
  clientId: z.string().nullable(),
  authority,
  status: z.enum(SCHEDULE_STATUSES),
  pauseReason: z.enum(SCHEDULE_PAUSE_REASONS).nullable().register(DOCS, {
    description:
      'LEG_IMBALANCE: a leg is behind the others and its last slice filled nothing; `error` says which and by how much. Resume it to try again, cancel it, or close what is held.',
  }),
  pausedBy,
  totalUsd: decimal.meta({
    description:
      'filledUsd + remainingUsd. Trades outside Tandem that reduce the position reduce it of a closing TWAP',
  }),
  filledUsd: decimal.meta({
    description:
      'Fills of its slices, at most what each asked for: a closing order may take in trades outside Tandem',
  }),
  remainingUsd: decimal.meta({
    description:
      'Not filled. After the end it is what was given up: missed slices (SKIP), and what a leg was behind when something else reduced the position',
  }),
  filled: z.array(filledLeg).register(DOCS, { description: 'Fills of all slices together, by leg' }),
  sliceCount: z.int(),
  slicesCompleted: z.int(),
  nextSliceAt: isoTime.nullable(),
  averageRatio: decimal.nullable().register(DOCS, {
    description:
      'Ratio of the average fill prices, weighted as the schedule was asked, so that it compares with `limitRatio`. null while a leg has filled nothing',
  }),
  error: z
    .string()
    .nullable()
    .register(DOCS, { description: 'Why it paused, failed or traded only a part; null again once resumed' }),
  createdAt: isoTime,
  updatedAt: isoTime,
} as const;

export const slice = z
  .strictObject({
    index: z.int().nonnegative(),
    scheduledAt: isoTime,
    executedAt: isoTime.nullable(),
    status: z.enum(SLICE_STATUSES),
    executionId: uuid.nullable(),
    filledUsd: decimal,
    error: z.string().nullable(),
  })
  .register(DOCS, { id: 'Slice' });

export const scheduleSummary = z.strictObject(scheduleFields).register(DOCS, { id: 'ScheduleSummary' });

export const schedule = z
  .strictObject({ ...scheduleFields, slices: z.array(slice) })
  .register(DOCS, { id: 'Schedule' });

const STATE_ERRORS = ['RESOURCE_NOT_FOUND', 'RESOURCE_BUSY', 'NOOP_ERROR'] as const;

const SCHEDULES = { auth: 'K', account: true, tag: 'Schedules' } as const;
const route = routesWith(SCHEDULES);
const changeRoute = routesWith({
  ...SCHEDULES,
  method: 'POST',
  params: idParams,
  idempotent: 'answer',
  success: { 200: schedule },
});

export const createSchedule = route({
  method: 'POST',
  path: '/schedules',
  summary: 'Split a basket into timed slices (TWAP)',
  description:
    "A slice is what remains divided by the slices that are left; what rounding leaves over goes into the next one, so the sum is exact. Every slice of every leg must meet the venue's minimum, else 400 with the largest slice count that would.",
  body: createScheduleBody,
  idempotent: true,
  success: { 200: schedule },
  errors: ['RESOURCE_BUSY', 'CONFIGURATION_ERROR', 'NOT_IMPLEMENTED_ERROR', ...LIMIT_ERRORS],
});

export const listSchedules = route({
  method: 'GET',
  path: '/schedules',
  summary: 'Schedules, newest first, without their slices',
  description: '`GET /schedules/{id}` has the slices.',
  query: z.object({
    ...pageQuery(),
    connector: connectorId.optional(),
    status: arrayQuery(SCHEDULE_STATUSES).optional(),
  }),
  success: { 200: z.strictObject({ schedules: z.array(scheduleSummary), nextCursor }) },
});

export const getSchedule = route({
  method: 'GET',
  path: '/schedules/:id',
  summary: 'One schedule with its slices',
  params: idParams,
  success: { 200: schedule },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const pauseSchedule = changeRoute({
  path: '/schedules/:id/pause',
  summary: 'Send no more slices until it is resumed',
  description: 'A slice that is being executed ends as it will.',
  errors: STATE_ERRORS,
});

export const resumeSchedule = changeRoute({
  path: '/schedules/:id/resume',
  summary: 'Go on with the slices that are left',
  errors: [...STATE_ERRORS, ...LIMIT_ERRORS],
});

export const cancelSchedule = changeRoute({
  path: '/schedules/:id/cancel',
  summary: 'Cancel what has not been sent',
  description: 'A slice that is being executed ends as it will; what was traded stays.',
  errors: STATE_ERRORS,
});
