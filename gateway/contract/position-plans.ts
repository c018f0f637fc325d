/** Plans of closing, adjusting or reversing positions at present prices. They record nothing. */
import { z } from 'zod';
import { afterPlan } from './account-after.ts';
import { slippage } from './basket-order.ts';
import { presentBracket, protection, putBrackets, reversalBrackets } from './brackets.ts';
import { connectorId, DOCS, decimal, idParams, instrumentId, side, uuid } from './common.ts';
import { adjustmentBody, closeFraction } from './positions.ts';
import { routesWith } from './route.ts';
import { basketPlan, expectedFill, expectedTotals, orderErrorCode } from './trading.ts';

const worth = z
  .strictObject({
    grossNotional: decimal.meta({ description: 'USD' }),
    unrealizedPnl: decimal.meta({ description: 'USD' }),
  })
  .register(DOCS, {
    id: 'PositionWorth',
    description: 'The position as it is, at the marks that the plan is made at',
  });

export const closePlan = z
  .strictObject({
    positionId: uuid,
    position: worth,
    legs: z.array(
      z.strictObject({
        symbol: instrumentId,
        ticker: z.string(),
        side: side.meta({ description: 'Of the closing order' }),
        quantity: decimal.meta({ description: 'Base units that are closed, rounded down to the step' }),
        remaining: decimal.meta({ description: 'Base units that stay open' }),
        markPrice: decimal.nullable(),
        expectedPrice: decimal.nullable().register(DOCS, {
          description:
            'By the book: the mean price of what would fill. Where no book is known (`expected` is null), the best bid of a sale, the best ask of a purchase: an order larger than what stands there fills worse, down to `limitPrice`',
        }),
        limitPrice: decimal.nullable().register(DOCS, { description: 'Worst price it may fill at' }),
        notional: decimal.meta({ description: 'At `expectedPrice`, USD' }),
        fee: decimal.meta({ description: 'Taker fee of `notional`, USD' }),
        realizedPnl: decimal.meta({ description: 'At `expectedPrice`, of price only, USD' }),
        expected: expectedFill.nullable().meta({
          description: 'null: no book of the instrument is known, or nothing of the leg is closed',
        }),
        problem: z.strictObject({ code: orderErrorCode, message: z.string() }).nullable(),
      }),
    ),
    ...expectedTotals,
    grossNotional: decimal,
    totalFee: decimal,
    realizedPnl: decimal.meta({ description: 'Of price only, USD' }),
    netPnl: decimal.meta({ description: 'realizedPnl − totalFee' }),
    ...afterPlan,
    brackets: z
      .strictObject({
        ended: z.array(presentBracket).register(DOCS, { description: 'They end with the position' }),
        kept: z.array(presentBracket).register(DOCS, { description: 'They watch what stays open' }),
      })
      .register(DOCS, { id: 'CloseBrackets' }),
    protection: protection.meta({ description: 'Of what stays open' }),
  })
  .register(DOCS, { id: 'ClosePlan' });

/** Sums of closing all positions of an account. */
export const closeAllFigures = {
  positions: z.int().nonnegative(),
  grossNotional: decimal.meta({ description: 'Of the positions at mark, USD' }),
  unrealizedPnl: decimal.meta({ description: 'At mark, USD' }),
  tradedNotional: decimal.meta({
    description:
      'Of the orders, USD: what one basket sells and another buys is booked between them and not traded',
  }),
  totalFee: decimal.meta({ description: 'Taker fee of `tradedNotional`, USD' }),
  ...expectedTotals,
} as const;

const route = routesWith({ method: 'POST', auth: 'K', account: true, tag: 'Positions' });

const PLAN_TEXT =
  'Nothing is recorded or claimed. Figures are of the moment: an order is sized again when it is sent. A leg without a current price is valued at its entry.';

export const planClose = route({
  path: '/positions/:id/close/plan',
  summary: 'What a close, or the close of a share, would do now',
  description: PLAN_TEXT,
  params: idParams,
  body: z
    .strictObject({ fraction: closeFraction.default('1'), slippage: slippage.optional() })
    .register(DOCS, { id: 'PlanClose', example: { fraction: '0.5' } }),
  bodyRequired: false,
  success: { 200: closePlan },
  errors: ['RESOURCE_NOT_FOUND', 'NOOP_ERROR', 'CONFIGURATION_ERROR'],
});

export const planAdjust = route({
  path: '/positions/:id/adjust/plan',
  summary: 'What an increase or a reduction would do now',
  description: PLAN_TEXT,
  params: idParams,
  body: adjustmentBody.register(DOCS, {
    id: 'PlanAdjust',
    example: { intent: 'INCREASE', usd: '100' },
  }),
  success: {
    200: z
      .strictObject({
        open: basketPlan.nullable().meta({ description: 'Of what is added; null: it is a reduction' }),
        close: closePlan.nullable().meta({ description: 'Of what is taken out; null: it is an increase' }),
        position: worth,
        protection: protection.meta({ description: 'Of the position after it' }),
      })
      .register(DOCS, { id: 'AdjustPlan' }),
  },
  errors: ['RESOURCE_NOT_FOUND', 'NOOP_ERROR', 'CONFIGURATION_ERROR'],
});

export const planBrackets = route({
  path: '/positions/:id/brackets/plan',
  params: idParams,
  summary: 'Protection by take-profit and stop-loss before they are set',
  description: `${PLAN_TEXT} A level that is reached already, or a metric that does not fit the legs, is refused (400) as by \`PUT /positions/{id}/brackets\`.`,
  body: putBrackets.body,
  success: {
    200: z
      .strictObject({
        positionId: uuid,
        protection: protection.meta({ description: 'Of the position if they were set now' }),
      })
      .register(DOCS, { id: 'BracketsPlan' }),
  },
  errors: ['RESOURCE_NOT_FOUND', 'NOOP_ERROR'],
});

export const planCloseAll = route({
  path: '/positions/close-all/plan',
  summary: "What closing all of the account's positions would do now",
  description: `${PLAN_TEXT} Positions are closed together: one order for what is left over of each instrument. Nothing open: no orders, and 0 everywhere.`,
  body: z
    .strictObject({ connector: connectorId.optional(), slippage: slippage.optional() })
    .register(DOCS, { id: 'PlanCloseAll', example: {} }),
  bodyRequired: false,
  success: {
    200: z
      .strictObject({
        ...closeAllFigures,
        orders: z.array(
          z.strictObject({
            symbol: instrumentId,
            ticker: z.string(),
            side,
            quantity: decimal,
            markPrice: decimal.nullable(),
            limitPrice: decimal.nullable().register(DOCS, { description: 'Worst price it may fill at' }),
            expected: expectedFill.nullable().meta({ description: 'null: no book is known' }),
          }),
        ),
      })
      .register(DOCS, { id: 'CloseAllPlan' }),
  },
});

export const planReverse = route({
  path: '/positions/:id/reverse/plan',
  params: idParams,
  summary: 'What a reversal would do now',
  description: `${PLAN_TEXT} \`open\` is the plan of the opposite basket, with the margin that the close sets free counted as free, and its \`after\` the account after both.`,
  body: z
    .strictObject({
      slippage: slippage.optional(),
      brackets: z.enum(['CARRY', 'DROP']).default('CARRY'),
    })
    .register(DOCS, { id: 'PlanReverse', example: {} }),
  bodyRequired: false,
  success: {
    200: z
      .strictObject({
        close: closePlan,
        open: basketPlan,
        brackets: reversalBrackets,
        protection: protection.meta({ description: 'Of the opposite position, by what is carried over' }),
      })
      .register(DOCS, { id: 'ReversePlan' }),
  },
  errors: ['RESOURCE_NOT_FOUND', 'NOOP_ERROR', 'CONFIGURATION_ERROR'],
});
