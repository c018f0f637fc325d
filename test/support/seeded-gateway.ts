/** A gateway whose store a test can write to: rows that the product makes only later, or in numbers. */
import type { Store } from '../../gateway/engine/ports/store.ts';
import type { UnitOfWork } from '../../gateway/engine/ports/unit-of-work.ts';
import { openStore } from '../../gateway/store/open-store.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts';
import type { Json } from './json.ts';
import { openForEachTest } from './open-for-tests.ts';
import type { Trader } from './trader.ts';

export interface SeededGateway extends TestGateway {
  readonly store: Store;
  /** Commits, or fails the test. */
  seed(unit: UnitOfWork): Promise<void>;
}

export async function startSeededGateway(options: TestGatewayOptions = {}): Promise<SeededGateway> {
  const opened: Store[] = [];
  const gateway = await startTestGateway({
    ...options,
    overrides: {
      ...options.overrides,
      openStore: async (given) => {
        const made = await openStore({ ...given, synchronous: 'OFF' });
        opened.push(made);
        return made;
      },
    },
  });
  const [store] = opened;
  if (store === undefined) throw new Error('the gateway opened no store');
  return Object.assign(gateway, {
    store,
    async seed(unit: UnitOfWork) {
      const committed = await store.commit(unit);
      if (!committed.ok) throw new Error(committed.error.message);
    },
  });
}

/** A new gateway for each test of a suite. Call it in `describe`. */
export const seededGatewayForEachTest = (options?: TestGatewayOptions): SeededGateway =>
  openForEachTest(() => startSeededGateway(options));

/** Follows `nextCursor` to the end; `between` runs after each page. */
export async function readPages(
  bot: Trader,
  path: string,
  resource: string,
  between: (page: number) => Promise<unknown> = async () => undefined,
): Promise<readonly Json[][]> {
  const pages: Json[][] = [];
  for (let cursor = ''; ; ) {
    const answer = await bot.call('GET', `${path}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    pages.push(answer.json[resource]);
    await between(pages.length);
    if (answer.json.nextCursor === undefined) return pages;
    cursor = answer.json.nextCursor;
  }
}
