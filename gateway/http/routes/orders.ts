/** Single orders: list, read, cancel. */

import { type BoundRoute, bind } from '../../call/call.ts';
import { cancelAllOrders, cancelOrder, getOrder, listOrders } from '../../contract/orders.ts';
import type { TradeAccount } from '../../domain/model.ts';
import type { OrderOfExecution } from '../../engine/ports/store.ts';
import type { PositionBrackets } from '../../engine/resting/triggers/bracket-service.ts';
import { presentCancelReport, presentOrderOfExecution } from '../present/order.ts';
import { unwrap } from '../unwrap.ts';
import { accountFilter, nextCursorOf, pageAsked } from './page-reply.ts';
import { found } from './refusals.ts';
import type { RestingRouteDeps } from './resting-deps.ts';

const NO_BRACKETS: PositionBrackets = { takeProfit: null, stopLoss: null };

export function orderRoutes({ resting, store, positions }: RestingRouteDeps): readonly BoundRoute[] {
  const { orders, brackets } = resting;

  async function present({ id }: TradeAccount, rows: readonly OrderOfExecution[]) {
    const ids = new Set(rows.flatMap(({ execution }) => execution.positionId ?? []));
    const held = new Map((await store.positionsByIds(id, [...ids])).map((one) => [one.id, one]));
    return rows.map((row) => {
      const { positionId } = row.execution;
      return presentOrderOfExecution(row, {
        position: positionId === null ? undefined : held.get(positionId),
        brackets: positionId === null ? NO_BRACKETS : brackets.of(positionId),
      });
    });
  }

  async function presentOne(account: TradeAccount, row: OrderOfExecution) {
    const [presented = null] = await present(account, [row]);
    return found(presented, 'Order');
  }

  return [
    bind(listOrders, async ({ account, query }) => {
      positions.checkConnector(query.connector);
      const page = await store.orders(accountFilter(account, query), pageAsked(query));
      return { body: { orders: await present(account, page.rows), ...nextCursorOf(page) } };
    }),

    bind(getOrder, async ({ account, params }) => ({
      body: await presentOne(account, found(await store.orderWithExecution(account.id, params.id), 'Order')),
    })),

    bind(cancelOrder, async ({ principal, account, params }) => ({
      body: await presentOne(account, unwrap(await orders.cancel(account, params.id, principal))),
    })),

    bind(cancelAllOrders, async ({ principal, account }) => ({
      body: presentCancelReport(unwrap(await orders.cancelAll(account, principal))),
    })),
  ];
}
