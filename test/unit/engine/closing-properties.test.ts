/** Whatever is traded here and elsewhere, and wherever the process dies: closing never opens, and the books add up. */
import { join } from 'node:path';
import fc from 'fast-check';
import type { Store } from '../../../gateway/engine/ports/store.ts';
import { closingScenario, liveThrough } from '../../support/closing-property.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { testStore } from '../../support/store-records.ts';
import { removeTemporaryFolders, temporaryFolder } from '../../support/temporary-folder.ts';

const LIVES = propertyRuns(500, 25);

describe('closing, whatever happens', () => {
  let store: Store;
  before(async () => {
    store = await testStore(join(await temporaryFolder(), 'tandem.db'));
  });
  after(async () => {
    await store.close();
    await removeTemporaryFolders();
  });

  it(`never opens, and adds up (${LIVES.numRuns} lives)`, async function () {
    this.timeout(120_000 + LIVES.numRuns * 500);
    await fc.assert(
      fc.asyncProperty(closingScenario, (scenario) => liveThrough(store, scenario)),
      LIVES,
    );
  });
});
