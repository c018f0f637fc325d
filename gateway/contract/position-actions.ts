/** Turning positions over, closing all of them, and changing the margin of an isolated leg. */

import { z } from 'zod';
import { clientId, slippage } from './basket-order.ts';
import { reversalBrackets } from './brackets.ts';
import { connectorId, DOCS, decimal, idParams, instrumentId, signedDecimalInput, uuid } from './common.ts';
import { LIMIT_ERRORS } from './error-codes.ts';
import { businessCode } from './errors.ts';
import { legFailurePolicy } from './leg-failure.ts';
import { orderPlaced } from './positions.ts';
import { routesWith } from './route.ts';
import { execution } from './trading.ts';

const route = routesWith({ method: 'POST', auth: 'K', account: true, tag: 'Positions', idempotent: true });

export const reversePosition = route({
  path: '/positions/:id/reverse',
  summary: 'Close a position and open its opposite in the same quantities',
  description:
    'The execution (`intent: REVERSE`) closes; once it has completed, an execution of its own (`parentId`) opens the opposite basket. A close that fails opens nothing, and the brackets stay. `brackets` of the answer says what becomes of take-profit and stop-loss; those that carry over are there from the first fills of the opposite position on.',
  params: idParams,
  body: z
    .strictObject({
      slippage: slippage.optional(),
      onLegFailure: legFailurePolicy.default('KEEP').register(DOCS, { description: 'Of the opening half' }),
      brackets: z.enum(['CARRY', 'DROP']).default('CARRY').register(DOCS, {
        description:
          'Take-profit and stop-loss. CARRY: relative ones (PERCENTAGE, DOLLAR, a trailing stop-loss) go over to the opposite position, absolute levels end. DROP: all end.',
      }),
      clientId: clientId.optional(),
    })
    .register(DOCS, { id: 'ReversePosition', example: {} }),
  bodyRequired: false,
  success: {
    202: orderPlaced.extend({ brackets: reversalBrackets }).register(DOCS, { id: 'ReversePlaced' }),
  },
  errors: ['RESOURCE_NOT_FOUND', 'RESOURCE_BUSY', 'NOOP_ERROR', 'CONFIGURATION_ERROR', ...LIMIT_ERRORS],
});

export const closeAllPositions = route({
  path: '/positions/close-all',
  summary: "Close all of the account's positions",
  description:
    'Each position that can be closed now gets its execution; a busy one stands among the failures. Nothing open: 409 `NOOP_ERROR`.',
  body: z
    .strictObject({
      connector: connectorId.optional(),
      slippage: slippage.optional(),
      clientId: clientId.optional(),
    })
    .register(DOCS, { id: 'CloseAllPositions', example: {} }),
  bodyRequired: false,
  success: {
    202: z
      .strictObject({
        executions: z.array(execution),
        failures: z.array(z.strictObject({ positionId: uuid, errorCode: businessCode, message: z.string() })),
      })
      .register(DOCS, { id: 'CloseAllReport' }),
  },
  errors: ['NOOP_ERROR', 'CONFIGURATION_ERROR'],
});

export const changeMargin = route({
  path: '/positions/:id/margin',
  summary: 'Add margin to an isolated leg, or take some out',
  description:
    'A venue that cannot answers 501; a cross leg is refused (400). An agent or key with a mandate takes margin out only with the right `changeLeverage` and, under `manage: OWN`, where all that the account holds of the instrument is its own.',
  params: idParams,
  body: z
    .strictObject({
      symbol: instrumentId,
      amount: signedDecimalInput.meta({ description: 'USD; negative: taken out of the leg' }),
    })
    .register(DOCS, { id: 'ChangeMargin', example: { symbol: 'BTC-PERP', amount: '100' } }),
  success: {
    200: z
      .strictObject({
        positionId: uuid,
        symbol: instrumentId,
        amount: decimal,
        marginUsed: decimal.nullable().register(DOCS, { description: "The leg's, as the venue has it now" }),
        liquidationPrice: decimal.nullable(),
      })
      .register(DOCS, { id: 'MarginChange' }),
  },
  errors: [
    'RESOURCE_NOT_FOUND',
    'RESOURCE_BUSY',
    'NOOP_ERROR',
    'CONFIGURATION_ERROR',
    'NOT_IMPLEMENTED_ERROR',
  ],
});
