import { closingScenario, liveThrough } from '../../support/closing-property.ts';
import { forAllAsync, propertyRuns } from '../../support/property-runs.ts';
import { storeForSuite } from '../../support/store-records.ts';

const LIVES = propertyRuns(500, 25);

describe('closing, whatever happens', () => {
  const store = storeForSuite();

  it(`never opens, and adds up (${LIVES.numRuns} lives)`, async function () {
    this.timeout(120_000 + LIVES.numRuns * 500);
    await forAllAsync([closingScenario], LIVES, (scenario) => liveThrough(store, scenario));
  });
});
