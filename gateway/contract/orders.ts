/** Orders of all executions of an account, listed by themselves. */
import { z } from 'zod';
import { BRACKET_KINDS, ORDER_STATUSES } from '../domain/enumerations.ts';
import { cancelReport } from './cancel-report.ts';
import { arrayQuery, connectorId, DOCS, decimal, idParams, instrumentId, side, uuid } from './common.ts';
import { nextCursor, pageQuery } from './cursor.ts';
import { routesWith } from './route.ts';
import { executionIntent, executionOrder, executionOrigin } from './trading.ts';

export const order = executionOrder
  .extend({
    executionId: uuid,
    connector: connectorId,
    tradeAccountId: uuid,
    basketKey: z.string(),
    origin: executionOrigin,
    intent: executionIntent,
    positionId: uuid.nullable(),
    legs: z.array(z.strictObject({ symbol: instrumentId, side })).meta({
      description:
        'The basket that the order belongs to, with the sides that are held, not those of its orders',
    }),
    bracketType: z.enum(BRACKET_KINDS).nullable().register(DOCS, {
      description: 'Of an order of the running round of a bracket; null: any other order',
    }),
    notional: decimal.nullable().meta({
      description:
        'USD: what was ordered, the quantity at the mark that it was worked out at, as in the plan of the order; of a leg that another leg of the same closing took over whole, what was filled; null while the order is not sized',
    }),
    filledNotional: decimal.meta({ description: 'USD: what filled at its average price' }),
  })
  .register(DOCS, { id: 'Order' });

const route = routesWith({ auth: 'K', account: true, tag: 'Orders' });

export const listOrders = route({
  method: 'GET',
  path: '/orders',
  summary: 'Orders, newest execution first, of one execution in the order of its legs',
  description: 'Open orders are `status=PENDING,PARTIAL`; without `status` every order is returned.',
  query: z.object({
    ...pageQuery(),
    connector: connectorId.optional(),
    status: arrayQuery(ORDER_STATUSES).optional(),
  }),
  success: { 200: z.strictObject({ orders: z.array(order), nextCursor }) },
});

export const getOrder = route({
  method: 'GET',
  path: '/orders/:id',
  summary: 'One order',
  params: idParams,
  success: { 200: order },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const cancelOrder = route({
  method: 'POST',
  path: '/orders/:id/cancel',
  summary: 'Cancel what has not filled yet',
  description:
    'An order that was not sent yet is not sent; one at the venue is cancelled there, and what it filled before stays. The answer is the order as it is then; `order.updated` tells the rest. A finished order changes nothing (409 `NOOP_ERROR`).',
  params: idParams,
  idempotent: 'answer',
  success: { 200: order },
  errors: [
    'RESOURCE_NOT_FOUND',
    'RESOURCE_BUSY',
    'NOOP_ERROR',
    'CONFIGURATION_ERROR',
    'NOT_IMPLEMENTED_ERROR',
  ],
});

export const cancelAllOrders = route({
  method: 'POST',
  path: '/orders/cancel-all',
  summary: "Cancel all of the account's open orders",
  description: 'For an agent, or a key with a mandate: those that open. What takes out of a position stays.',
  idempotent: 'answer',
  success: { 200: cancelReport },
  errors: ['NOOP_ERROR', 'CONFIGURATION_ERROR', 'NOT_IMPLEMENTED_ERROR'],
});
