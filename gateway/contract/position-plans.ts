/** What closing or reversing a position would do at the prices of the moment. Nothing is recorded. */
import { z } from 'zod';
import { slippage } from './basket-order.ts';
import { presentBracket, reversalBrackets } from './brackets.ts';
import { DOCS, decimal, idParams, instrumentId, side, uuid } from './common.ts';
import { closeFraction } from './positions.ts';
import { routesWith } from './route.ts';
import { basketPlan, orderErrorCode } from './trading.ts';

export const closePlan = z
  .strictObject({
    positionId: uuid,
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
            'Best bid of a sale, best ask of a purchase; an order larger than what stands there fills worse, down to `limitPrice`',
        }),
        limitPrice: decimal.nullable().register(DOCS, { description: 'Worst price it may fill at' }),
        notional: decimal.meta({ description: 'At `expectedPrice`, USD' }),
        fee: decimal.meta({ description: 'Taker fee of `notional`, USD' }),
        realizedPnl: decimal.meta({ description: 'At `expectedPrice`, of price only, USD' }),
        problem: z.strictObject({ code: orderErrorCode, message: z.string() }).nullable(),
      }),
    ),
    grossNotional: decimal,
    totalFee: decimal,
    realizedPnl: decimal.meta({ description: 'Of price only, USD' }),
    netPnl: decimal.meta({ description: 'realizedPnl − totalFee' }),
    brackets: z
      .strictObject({
        ended: z.array(presentBracket).register(DOCS, { description: 'They end with the position' }),
        kept: z.array(presentBracket).register(DOCS, { description: 'They watch what stays open' }),
      })
      .register(DOCS, { id: 'CloseBrackets' }),
  })
  .register(DOCS, { id: 'ClosePlan' });

const route = routesWith({
  method: 'POST',
  auth: 'K',
  account: true,
  tag: 'Positions',
  params: idParams,
  bodyRequired: false,
});

const PLAN_TEXT =
  'Nothing is recorded or claimed. Figures are of the moment: an order is sized again when it is sent. A leg without a current price is valued at its entry.';

export const planClose = route({
  path: '/positions/:id/close/plan',
  summary: 'What a close, or the close of a share, would do now',
  description: PLAN_TEXT,
  body: z
    .strictObject({ fraction: closeFraction.default('1'), slippage: slippage.optional() })
    .register(DOCS, { id: 'PlanClose', example: { fraction: '0.5' } }),
  success: { 200: closePlan },
  errors: ['RESOURCE_NOT_FOUND', 'NOOP_ERROR', 'CONFIGURATION_ERROR'],
});

export const planReverse = route({
  path: '/positions/:id/reverse/plan',
  summary: 'What a reversal would do now',
  description: `${PLAN_TEXT} \`open\` is the plan of the opposite basket, with the margin that the close sets free counted as free.`,
  body: z
    .strictObject({
      slippage: slippage.optional(),
      brackets: z.enum(['CARRY', 'DROP']).default('CARRY'),
    })
    .register(DOCS, { id: 'PlanReverse', example: {} }),
  success: {
    200: z
      .strictObject({ close: closePlan, open: basketPlan, brackets: reversalBrackets })
      .register(DOCS, { id: 'ReversePlan' }),
  },
  errors: ['RESOURCE_NOT_FOUND', 'NOOP_ERROR', 'CONFIGURATION_ERROR'],
});
