import { expect } from 'chai';
import type { Execution, OrderStatus } from '../../../gateway/domain/model.ts';
import type { PageRequest } from '../../../gateway/engine/ports/pages.ts';
import type { Store } from '../../../gateway/engine/ports/store.ts';
import { execution, nextId, START, storeForEachTest } from '../../support/store-records.ts';

describe('store: orders by themselves', () => {
  const store = storeForEachTest();

  function ended(status: Execution['status'], statuses: readonly OrderStatus[], at: number): Execution {
    const made = execution({ status, createdAt: at, updatedAt: at }, statuses.length);
    const orders = made.orders.map((order, index) => ({ ...order, status: statuses[index] ?? 'PENDING' }));
    return { ...made, orders };
  }

  async function pagesOf(limit: number, statuses?: readonly OrderStatus[]) {
    const pages: string[][] = [];
    let after: PageRequest['after'] = null;
    do {
      const page: Awaited<ReturnType<Store['orders']>> = await store.orders(
        { tradeAccountId: 'account', ...(statuses === undefined ? {} : { statuses }) },
        { limit, after },
      );
      for (const { order, execution: of } of page.rows) expect(order.executionId).to.equal(of.id);
      pages.push(page.rows.map(({ order }) => order.id));
      after = page.next;
    } while (after !== null);
    return pages;
  }

  it('pages through every leg once, also where a page ends inside an execution', async () => {
    // Two share each creation time.
    const made = Array.from({ length: 9 }, (_, index) =>
      ended('COMPLETED', ['FILLED', 'FILLED', 'FILLED'], START + Math.floor(index / 2)),
    );
    await store.commit({ newExecutions: [...made, execution({ tradeAccountId: 'another' })] });
    const expected = [...made].reverse().flatMap(({ orders }) => orders.map(({ id }) => id));
    for (const limit of [1, 2, 3, 4, 26, 27, 28]) {
      const pages = await pagesOf(limit);
      expect(pages.flat(), `limit ${limit}`).to.deep.equal(expected);
      expect(pages.slice(0, -1).every((page) => page.length === limit)).to.equal(true);
      expect(pages.at(-1)).to.not.deep.equal([]);
    }
  });

  it('finds orders by status in whatever execution they are', async () => {
    const running = ended('ACTIVE', ['FILLED', 'PARTIAL', 'PENDING'], START);
    const failed = ended('FAILED', ['FILLED', 'REJECTED', 'CANCELLED'], START + 1);
    const done = ended('COMPLETED', ['FILLED'], START + 2);
    await store.commit({ newExecutions: [running, failed, done] });
    const ids = (made: Execution, ...legs: number[]) => legs.map((leg) => made.orders[leg]?.id);
    expect((await pagesOf(10, ['PENDING', 'PARTIAL'])).flat()).to.deep.equal(ids(running, 1, 2));
    expect((await pagesOf(10, ['REJECTED'])).flat()).to.deep.equal(ids(failed, 1));
    expect((await pagesOf(1, ['FILLED'])).flat()).to.deep.equal([
      ...ids(done, 0),
      ...ids(failed, 0),
      ...ids(running, 0),
    ]);
    expect(await pagesOf(10, [])).to.deep.equal([[]]);
  });

  it('finds an order by its id with its execution, for its account only', async () => {
    const made = Array.from({ length: 5 }, (_, index) => execution({ createdAt: START + index }, 20));
    await store.commit({ newExecutions: made });
    for (const of of made) {
      for (const order of of.orders) {
        expect(await store.orderWithExecution('account', order.id)).to.deep.equal({ order, execution: of });
      }
    }
    expect(await store.orderWithExecution('another', made[0]?.orders[0]?.id ?? '')).to.equal(null);
    expect(await store.orderWithExecution('account', nextId())).to.equal(null);
  });
});
