/** Single orders: list, read, cancel. */
import { cancelAllOrders, cancelOrder, getOrder, listOrders } from '../../contract/orders.ts';
import type { OrderService } from '../../engine/execution/order-service.ts';
import type { Store } from '../../engine/ports/store.ts';
import { type BoundRoute, bind } from '../handler.ts';
import { presentCancelReport, presentOrderOfExecution } from '../present/order.ts';
import { unwrap } from '../unwrap.ts';
import { accountFilter, nextCursorOf, pageAsked } from './page-reply.ts';
import type { PositionPresenter } from './positions.ts';
import { notFound } from './refusals.ts';

export interface OrderRouteDeps {
  readonly orders: OrderService;
  readonly store: Pick<Store, 'orders' | 'orderWithExecution'>;
  readonly positions: Pick<PositionPresenter, 'checkConnector'>;
}

export function orderRoutes({ orders, store, positions }: OrderRouteDeps): readonly BoundRoute[] {
  return [
    bind(listOrders, async ({ account, query }) => {
      positions.checkConnector(query.connector);
      const page = await store.orders(accountFilter(account, query), pageAsked(query));
      return { body: { orders: page.rows.map(presentOrderOfExecution), ...nextCursorOf(page) } };
    }),

    bind(getOrder, async ({ account, params }) => {
      const found = await store.orderWithExecution(account.id, params.id);
      if (found === null) throw notFound('Order');
      return { body: presentOrderOfExecution(found) };
    }),

    bind(cancelOrder, async ({ account, params }) => ({
      body: presentOrderOfExecution(unwrap(await orders.cancel(account, params.id))),
    })),

    bind(cancelAllOrders, async ({ account }) => ({
      body: presentCancelReport(unwrap(await orders.cancelAll(account))),
    })),
  ];
}
