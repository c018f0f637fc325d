import { expect } from 'chai';
import type { Page, PageRequest } from '../../../gateway/engine/ports/pages.ts';
import type { Store } from '../../../gateway/engine/ports/store.ts';
import {
  committed,
  execution,
  fill,
  nextId,
  position,
  START,
  storeForEachTest,
} from '../../support/store-records.ts';

type List = (store: Store, page: PageRequest) => Promise<Page<{ readonly id: string }>>;

const LISTS: readonly { readonly name: string; readonly descending: boolean; readonly list: List }[] = [
  {
    name: 'executions',
    descending: true,
    list: (store, page) => store.executions({ tradeAccountId: 'account' }, page),
  },
  ...[true, false].flatMap((descending) => [
    {
      name: `fills, ${descending ? 'newest' : 'oldest'} first`,
      descending,
      list: (store: Store, page: PageRequest) => store.fills({ tradeAccountId: 'account', descending }, page),
    },
    {
      name: `fills of a position, ${descending ? 'newest' : 'oldest'} first`,
      descending,
      list: (store: Store, page: PageRequest) =>
        store.fills({ tradeAccountId: 'account', positionId: 'p', descending }, page),
    },
    {
      name: `positions by creation, ${descending ? 'newest' : 'oldest'} first`,
      descending,
      list: (store: Store, page: PageRequest) =>
        store.positions({ tradeAccountId: 'account', orderBy: 'createdAt', descending }, page),
    },
    {
      name: `open positions by update, ${descending ? 'newest' : 'oldest'} first`,
      descending,
      list: (store: Store, page: PageRequest) =>
        store.positions(
          { tradeAccountId: 'account', statuses: ['OPEN'], orderBy: 'updatedAt', descending },
          page,
        ),
    },
  ]),
];

describe('store: keyset pages', () => {
  const store = storeForEachTest();

  /** One row of each kind at `time`, all with the same id, so that one expectation serves every list. */
  async function add(time: number): Promise<string> {
    const id = nextId();
    await committed(store, {
      newExecutions: [execution({ id, createdAt: time })],
      fills: [fill({ id, timestamp: time, positionId: 'p' })],
      positions: [position({ id, createdAt: time, updatedAt: time })],
    });
    return id;
  }

  for (const { name, descending, list } of LISTS) {
    it(`${name}: inserts between pages neither repeat nor hide a row`, async () => {
      const expected: string[] = [];
      // Three rows share each time, so most page borders fall between equal times.
      for (let index = 0; index < 23; index += 1) expected.push(await add(START + Math.floor(index / 3)));
      if (descending) expected.reverse();
      const seen: string[] = [];
      let after: PageRequest['after'] = null;
      do {
        const page: Page<{ readonly id: string }> = await list(store, { limit: 4, after });
        expect(page.rows.length).to.be.at.most(4);
        seen.push(...page.rows.map(({ id }) => id));
        after = page.next;
        if (after !== null) {
          expect(after.id).to.equal(page.rows.at(-1)?.id);
          // Before the first row of the list: behind every page that is still to come, it must not show up.
          await add(descending ? START + 1_000 : START - 1_000);
        }
      } while (after !== null);
      expect(seen).to.deep.equal(expected);
    });

    it(`${name}: a page that ends with the last row says so`, async () => {
      for (let index = 0; index < 4; index += 1) await add(START + index);
      const whole = await list(store, { limit: 4, after: null });
      expect([whole.rows.length, whole.next]).to.deep.equal([4, null]);
      const part = await list(store, { limit: 3, after: null });
      expect(part.next).to.not.equal(null);
      const rest = await list(store, { limit: 3, after: part.next });
      expect([rest.rows.length, rest.next]).to.deep.equal([1, null]);
    });
  }
});
