/** Auto-rebalance: the standing configuration that keeps a position's weights. */
import { z } from 'zod';
import {
  AUTO_REBALANCE_STATUSES,
  REBALANCE_ACTIONS,
  REBALANCE_MODES,
  REBALANCE_TIMEFRAMES,
} from '../domain/enumerations.ts';
import { pausedBy } from './brackets.ts';
import { connectorId, DOCS, decimal, idParams, isoTime, positiveDecimalInput, uuid } from './common.ts';
import { decimalBetween } from './decimal-digits.ts';
import { LIMIT_ERRORS } from './error-codes.ts';
import { filledLeg } from './filled-legs.ts';
import { rebalanceLegFailure } from './leg-failure.ts';
import { routesWith } from './route.ts';

export const rebalanceMode = z.enum(REBALANCE_MODES).register(DOCS, {
  description:
    'TARGET_WEIGHTS: back to the weights that the position was opened with. LIVE_BETA (exactly one long and one short leg): short notional ÷ long notional = rolling beta of log returns of the long leg on the short leg, by least squares over the latest 60 ended candles of `timeframe`, 20 at least; days and hours are those of UTC.',
});
export const rebalanceTimeframe = z.enum(REBALANCE_TIMEFRAMES).register(DOCS, {
  description:
    'Candles that the beta of LIVE_BETA is computed on, default 1h; TARGET_WEIGHTS has no use for it',
});
export const maxTradeUsd = positiveDecimalInput.meta({
  description: 'The most that one rebalance trades, all legs together',
});

export const minimumDrift = decimalBetween('0.005', '0.5').register(DOCS, {
  description:
    'Largest distance of a weight from its target, from which on it acts: a fraction from 0.005 to 0.5',
  example: '0.05',
});

const MAX_COOLDOWN_SECONDS = 30 * 24 * 60 * 60;

export const autoRebalanceInput = z
  .strictObject({
    mode: rebalanceMode,
    action: z.enum(REBALANCE_ACTIONS),
    minimumDrift,
    timeframe: rebalanceTimeframe.optional(),
    cooldownSeconds: z
      .int()
      .min(1, 'Must be greater than 0')
      .max(MAX_COOLDOWN_SECONDS, `Must be at most ${MAX_COOLDOWN_SECONDS}`)
      .default(3_600)
      .register(DOCS, { description: 'Shortest time between two actions, default 3600' }),
    maxTradeUsd: maxTradeUsd.optional(),
    onLegFailure: rebalanceLegFailure.default('RETRY'),
  })
  .register(DOCS, {
    id: 'AutoRebalanceInput',
    example: { mode: 'TARGET_WEIGHTS', action: 'TRADE', minimumDrift: '0.05' },
  });

export const autoRebalance = z
  .strictObject({
    id: uuid,
    connector: connectorId,
    tradeAccountId: uuid,
    positionId: uuid,
    mode: rebalanceMode,
    action: z.enum(REBALANCE_ACTIONS),
    minimumDrift: decimal,
    timeframe: z.enum(REBALANCE_TIMEFRAMES).nullable(),
    cooldownSeconds: z.int(),
    maxTradeUsd: decimal.nullable(),
    onLegFailure: rebalanceLegFailure,
    status: z.enum(AUTO_REBALANCE_STATUSES),
    pausedBy,
    lastDrift: decimal.nullable(),
    lastCheckedAt: isoTime.nullable(),
    lastActionAt: isoTime.nullable().register(DOCS, { description: 'Of the last notification or rebalance' }),
    lastExecutionId: uuid.nullable(),
    lastFilled: z.array(filledLeg).register(DOCS, { description: 'Fills of the last rebalance, by leg' }),
    error: z.string().nullable().register(DOCS, { description: 'Why the last rebalance did not happen' }),
    createdAt: isoTime,
    updatedAt: isoTime,
  })
  .register(DOCS, { id: 'AutoRebalance' });

const MISSING = ['AUTO_REBALANCE_POSITION_NOT_FOUND', 'AUTO_REBALANCE_CONFIG_NOT_FOUND'] as const;

const route = routesWith({
  auth: 'K',
  account: true,
  tag: 'Auto-rebalance',
  params: idParams,
});

export const putAutoRebalance = route({
  method: 'PUT',
  path: '/positions/:id/auto-rebalance',
  summary: 'Keep the weights of a position',
  description:
    'A position has at most one configuration that has not ended, active or paused; delete it before setting another.',
  body: autoRebalanceInput,
  idempotent: 'answer',
  success: { 200: autoRebalance },
  errors: [
    'AUTO_REBALANCE_POSITION_NOT_FOUND',
    'AUTO_REBALANCE_POSITION_NOT_OPEN',
    'AUTO_REBALANCE_ACTIVE_CONFIG_EXISTS',
    'AUTO_REBALANCE_INVALID_LIVE_BETA_EXPOSURE',
    ...LIMIT_ERRORS,
  ],
});

export const getAutoRebalance = route({
  method: 'GET',
  path: '/positions/:id/auto-rebalance',
  summary: "The position's configuration",
  success: { 200: autoRebalance },
  errors: MISSING,
});

export const pauseAutoRebalance = route({
  method: 'POST',
  path: '/positions/:id/auto-rebalance/pause',
  summary: 'Pause it',
  idempotent: 'answer',
  success: { 200: autoRebalance },
  errors: [...MISSING, 'NOOP_ERROR'],
});

export const resumeAutoRebalance = route({
  method: 'POST',
  path: '/positions/:id/auto-rebalance/resume',
  summary: 'Resume it',
  idempotent: 'answer',
  success: { 200: autoRebalance },
  errors: [...MISSING, 'NOOP_ERROR', 'RESOURCE_BUSY', ...LIMIT_ERRORS],
});

export const deleteAutoRebalance = route({
  method: 'DELETE',
  path: '/positions/:id/auto-rebalance',
  summary: 'End it',
  idempotent: 'answer',
  success: { 204: null },
  errors: [...MISSING, 'RESOURCE_BUSY'],
});
