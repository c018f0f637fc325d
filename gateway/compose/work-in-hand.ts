/** Counts of the work that a stop of the gateway affects, for the person who is about to stop it. */
import type { WorkInHand } from '../contract/shell-link.ts';
import type { TradeAccount } from '../domain/model.ts';
import type { Engine } from '../engine/engine.ts';
import type { Page, PageRequest } from '../engine/ports/pages.ts';
import type { Store } from '../engine/ports/store.ts';

const PAGE = 200;

/** Counts unfinished work over all trade accounts. */
export async function workInHand(
  store: Store,
  engine: Pick<Engine, 'runningExecutions'>,
  accounts: readonly TradeAccount[],
): Promise<WorkInHand> {
  let orders = 0;
  let waiting = 0;
  for (const { id: tradeAccountId } of accounts) {
    orders += await count((page) => store.orders({ tradeAccountId, statuses: ['PENDING', 'PARTIAL'] }, page));
    waiting += await count((page) =>
      store.triggers({ tradeAccountId, kinds: ['OPEN', 'CLOSE'], statuses: ['ACTIVE'] }, page),
    );
    waiting += await count((page) => store.schedules({ tradeAccountId, statuses: ['ACTIVE'] }, page));
  }
  return { executions: engine.runningExecutions, orders, waiting };
}

async function count(read: (page: PageRequest) => Promise<Page<unknown>>): Promise<number> {
  let total = 0;
  let after: PageRequest['after'] = null;
  do {
    const page: Page<unknown> = await read({ limit: PAGE, after });
    total += page.rows.length;
    after = page.next;
  } while (after !== null);
  return total;
}
