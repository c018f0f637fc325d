/** One-off rebalance of a position to its weights. The standing configuration is in auto-rebalance.ts. */
import { z } from 'zod';
import { maxTradeUsd, rebalanceMode, rebalanceTimeframe } from './auto-rebalance.ts';
import { clientId, slippage } from './basket-order.ts';
import { protection } from './brackets.ts';
import { DOCS, decimal, idParams, instrumentId, side, uuid } from './common.ts';
import { LIMIT_ERRORS } from './error-codes.ts';
import { rebalanceLegFailure } from './leg-failure.ts';
import { orderPlaced } from './positions.ts';
import { routesWith } from './route.ts';

const planFields = {
  mode: rebalanceMode.optional(),
  timeframe: rebalanceTimeframe.optional(),
  maxTradeUsd: maxTradeUsd.optional(),
} as const;

const PLAN_TEXT =
  "What is left out is taken from the position's configuration; without one, the mode is TARGET_WEIGHTS.";

export const rebalancePlan = z
  .strictObject({
    positionId: uuid,
    mode: rebalanceMode,
    beta: decimal.nullable().register(DOCS, { description: 'LIVE_BETA only' }),
    drift: decimal.meta({ description: 'Largest distance of a weight from its target, a fraction' }),
    legs: z.array(
      z.strictObject({
        symbol: instrumentId,
        ticker: z.string(),
        side,
        currentWeight: decimal,
        targetWeight: decimal,
        deltaUsd: decimal.meta({ description: 'Notional to add (+) or take out (−), USD' }),
        deltaQuantity: decimal.meta({ description: 'The same in base units, rounded to the step' }),
        skipped: z.boolean(),
        skipReason: z.string().nullable().register(DOCS, {
          description:
            'E.g. MIN_NOTIONAL, MAX_TRADE, NOT_TRADABLE. NET_EXPOSURE: without the skipped legs it would move the net exposure away from its target, so no leg is traded',
        }),
      }),
    ),
    protection: protection.meta({ description: 'Of the position after it' }),
  })
  .register(DOCS, { id: 'RebalancePlan' });

const ERRORS = [
  'AUTO_REBALANCE_POSITION_NOT_FOUND',
  'AUTO_REBALANCE_POSITION_NOT_OPEN',
  'AUTO_REBALANCE_INVALID_LIVE_BETA_EXPOSURE',
  'CONFIGURATION_ERROR',
] as const;

const route = routesWith({
  method: 'POST',
  auth: 'K',
  account: true,
  tag: 'Auto-rebalance',
  params: idParams,
  bodyRequired: false,
});

export const planRebalance = route({
  path: '/positions/:id/rebalance/plan',
  summary: 'What a rebalance would trade now',
  description: `Nothing is recorded. ${PLAN_TEXT}`,
  body: z.strictObject(planFields).register(DOCS, { id: 'PlanRebalance', example: {} }),
  success: { 200: rebalancePlan },
  errors: ERRORS,
});

export const rebalancePosition = route({
  path: '/positions/:id/rebalance',
  summary: 'Rebalance now',
  description: `A plan that skips every leg changes nothing (409 \`NOOP_ERROR\` with the reasons). A leg that cannot be traded is skipped; the others are traded only where the net exposure does not end further from its target than before. ${PLAN_TEXT}`,
  body: z
    .strictObject({
      ...planFields,
      slippage: slippage.optional(),
      onLegFailure: rebalanceLegFailure.default('RETRY'),
      clientId: clientId.optional(),
    })
    .register(DOCS, { id: 'RebalancePosition', example: { maxTradeUsd: '500' } }),
  idempotent: true,
  success: { 202: orderPlaced },
  errors: [...ERRORS, 'RESOURCE_BUSY', 'NOOP_ERROR', ...LIMIT_ERRORS],
});
