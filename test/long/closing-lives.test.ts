/** The same as in the engine's tests, forty times as often: TANDEM_LONG=1 lives 20,000 lives, else a sample. */
import { join } from 'node:path';
import type { Store } from '../../gateway/engine/ports/store.ts';
import { closingScenario, liveThrough } from '../support/closing-property.ts';
import { forAllAsync } from '../support/property-runs.ts';
import { testStore } from '../support/store-records.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const LIVES = process.env['TANDEM_LONG'] === '1' ? 20_000 : 300;
/** A store of its own for so many: what thousands of lives leave behind is not what is looked for here. */
const LIVES_PER_STORE = 1_000;

describe('closing, whatever happens', () => {
  const stores: Store[] = [];
  after(async () => {
    for (const store of stores) await store.close();
  });

  it(`never opens, and adds up (${LIVES} lives)`, async function () {
    this.timeout(120_000 + LIVES * 500);
    for (let left = LIVES; left > 0; left -= LIVES_PER_STORE) {
      const store = await testStore(join(await temporaryFolder(), 'tandem.db'));
      stores.push(store);
      await forAllAsync([closingScenario], { numRuns: Math.min(left, LIVES_PER_STORE) }, (scenario) =>
        liveThrough(store, scenario),
      );
    }
  });
});
