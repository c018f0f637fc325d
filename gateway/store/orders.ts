/** Lists of orders, read through the executions whose rows hold the orders. */
import type { DataSource } from 'typeorm';
import type { Execution, ExecutionStatus, OrderStatus } from '../domain/model.ts';
import type { Page, PageRequest } from '../engine/ports/pages.ts';
import type { OrderOfExecution, Store } from '../engine/ports/store.ts';
import { executionEntity, executionOf, executionPage } from './executions.ts';
import { EMPTY_PAGE } from './rows/keyset-page.ts';
import type { Reads } from './rows/prepared-reads.ts';

type OrderFilter = Parameters<Store['orders']>[0];

/** Executions that are read at once while a page of orders is filled. */
const CHUNK = 200;
const UUID_LENGTH = 36;

/** Statuses of executions that can hold orders in `statuses`; undefined: any. Only running ones hold open orders. */
function executionStatuses(statuses: readonly OrderStatus[]): readonly ExecutionStatus[] | undefined {
  if (statuses.every((status) => status === 'PENDING' || status === 'PARTIAL')) return ['IDLE', 'ACTIVE'];
  // Every order of a COMPLETED execution is FILLED.
  return statuses.includes('FILLED') ? undefined : ['IDLE', 'ACTIVE', 'CANCELLED', 'FAILED'];
}

/**
 * Orders are read through their executions: an index of orders by account would slow every acknowledgement. A cursor
 * names the execution and the leg after which the next page begins.
 */
async function orderPage(
  source: DataSource,
  filter: OrderFilter,
  page: PageRequest,
): Promise<Page<OrderOfExecution>> {
  const { statuses, ...account } = filter;
  if (statuses?.length === 0) return EMPTY_PAGE;
  const within = statuses === undefined ? undefined : executionStatuses(statuses);
  const found: OrderOfExecution[] = [];
  let after = page.after === null ? null : beforeExecution(page.after);
  for (;;) {
    const chunk = await executionPage(
      source,
      { ...account, ...(within === undefined ? {} : { statuses: within }) },
      { limit: Math.min(page.limit + 1, CHUNK), after },
    );
    for (const execution of chunk.rows) {
      for (const order of execution.orders) {
        if (statuses !== undefined && !statuses.includes(order.status)) continue;
        if (isShown(execution, order.legIndex, page.after)) continue;
        found.push({ order, execution });
      }
    }
    if (found.length > page.limit || chunk.next === null) break;
    after = chunk.next;
  }
  const rows = found.slice(0, page.limit);
  const last = rows.at(-1);
  return { rows, next: found.length > page.limit && last !== undefined ? cursorOf(last) : null };
}

function cursorOf({ order, execution }: OrderOfExecution): { key: number; id: string } {
  return { key: execution.createdAt, id: `${execution.id}-${order.legIndex}` };
}

/** Cursor that reads its own execution again, for the remaining legs: `~` sorts behind every digit and letter. */
function beforeExecution({ key, id }: { readonly key: number; readonly id: string }) {
  return { key, id: `${id.slice(0, UUID_LENGTH)}~` };
}

function isShown(execution: Execution, legIndex: number, after: PageRequest['after']): boolean {
  return (
    after !== null &&
    execution.id === after.id.slice(0, UUID_LENGTH) &&
    legIndex <= Number(after.id.slice(UUID_LENGTH + 1))
  );
}

export function orderReads({ select, lists }: Reads) {
  /**
   * Ids rise with time, and an execution gets its id just before its orders get theirs: the execution of an order is
   * among the last few whose id is smaller than the order's.
   */
  const executionsBefore = select(executionEntity, 'WHERE id < ? ORDER BY id DESC LIMIT 8');
  return {
    orders: async (filter, page) => orderPage(await lists(), filter, page),
    async orderWithExecution(tradeAccountId, orderId) {
      for (const execution of (await executionsBefore(orderId)).map(executionOf)) {
        const order = execution.orders.find(({ id }) => id === orderId);
        if (order !== undefined)
          return execution.tradeAccountId === tradeAccountId ? { order, execution } : null;
      }
      return null;
    },
  } satisfies Partial<Store>;
}
