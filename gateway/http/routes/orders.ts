/** Single orders: list, read, cancel. */
import { cancelAllOrders, cancelOrder, getOrder, listOrders } from '../../contract/orders.ts';
import { type BoundRoute, bind } from '../handler.ts';
import { presentCancelReport, presentOrderOfExecution } from '../present/order.ts';
import { unwrap } from '../unwrap.ts';
import { accountFilter, nextCursorOf, pageAsked } from './page-reply.ts';
import { found } from './refusals.ts';
import type { RestingRouteDeps } from './resting-deps.ts';

export function orderRoutes({ resting, store, positions }: RestingRouteDeps): readonly BoundRoute[] {
  const { orders } = resting;
  return [
    bind(listOrders, async ({ account, query }) => {
      positions.checkConnector(query.connector);
      const page = await store.orders(accountFilter(account, query), pageAsked(query));
      return { body: { orders: page.rows.map(presentOrderOfExecution), ...nextCursorOf(page) } };
    }),

    bind(getOrder, async ({ account, params }) => ({
      body: presentOrderOfExecution(found(await store.orderWithExecution(account.id, params.id), 'Order')),
    })),

    bind(cancelOrder, async ({ account, params }) => ({
      body: presentOrderOfExecution(unwrap(await orders.cancel(account, params.id))),
    })),

    bind(cancelAllOrders, async ({ account }) => ({
      body: presentCancelReport(unwrap(await orders.cancelAll(account))),
    })),
  ];
}
