/** A stop-loss asked for with an addition of which nothing fills. */

import { expect } from 'chai';
import { reasonsOf, triggerDeskForEachTest } from '../../../support/desks-for-tests.ts';
import { PAIR } from '../../../support/trigger-desk.ts';
import { plain, setupOf } from './bracket-desk.ts';

const setup = setupOf({ stopLoss: plain('DOLLAR', '100') });
const REFUSED = { rejects: { reason: 'margin', message: 'not enough collateral' } } as const;

describe('a stop-loss of an addition that fails', () => {
  const at = triggerDeskForEachTest();
  const reasons = () => reasonsOf(at.desk, 'STOP_LOSS_NOT_SET');

  it('is told with the end of the execution, where the venue refuses it', async () => {
    await at.position();
    at.desk.venue.behave(() => REFUSED);
    const { id, status } = await at.desk.opened(PAIR, { setup });
    expect(status).to.equal('FAILED');
    expect(await reasons()).to.have.length(1);
    expect((await reasons())[0]).to.match(/not enough collateral.*has no stop-loss$/);
    const { unit } = at.desk.commits.find(({ unit: one }) => (one.notifications ?? []).length > 0) ?? {};
    expect(unit?.executions?.map((one) => one.id)).to.include(id);
  });

  it('is told where nothing was sent, and names the stop-loss that stays', async () => {
    await at.position();
    await at.desk.opened(PAIR, { setup });
    at.desk.venue.setStale('BBB-PERP', true);
    await at.desk.opened(PAIR, { setup });
    expect(await reasons()).to.have.length(1);
    expect((await reasons())[0]).to.match(/keeps the stop-loss that it had$/);
  });

  it('is not told where nothing is held', async () => {
    at.desk.venue.behave(() => REFUSED);
    await at.desk.opened(PAIR, { setup });
    expect(await reasons()).to.deep.equal([]);
  });
});
