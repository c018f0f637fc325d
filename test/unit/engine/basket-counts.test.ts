/** Counts of opened baskets: each completed open counts once, at whatever point the process dies. */

import { expect } from 'chai';
import { deriveBasketKey } from '../../../gateway/contract/basket-key.ts';
import type { UnitOfWork } from '../../../gateway/engine/ports/unit-of-work.ts';
import { engineDeskForEachTest } from '../../support/desks-for-tests.ts';
import { leg } from '../../support/engine-desk.ts';

const LEGS = [leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')];
const KEY = deriveBasketKey(['AAA-PERP'], ['BBB-PERP']);

const ends = (unit: UnitOfWork) => unit.executions?.[0]?.status === 'COMPLETED';

describe('basket counts', () => {
  const desk = engineDeskForEachTest();

  const counted = async () => (await desk.store.basketCounts([KEY], null))[0] ?? null;
  const once = { basketKey: KEY, opened: 1, traders: 1 };

  it('are in the unit that completes the open', async () => {
    await desk.opened(LEGS);
    const counting = desk.commits.filter(({ unit }) => unit.basketOpens !== undefined);
    expect(counting).to.have.length(1);
    expect(counting.every(({ unit }) => ends(unit))).to.equal(true);
    expect(await counted()).to.deep.equal(once);
    expect((await desk.store.baskets()).map(({ legs }) => legs)).to.deep.equal([
      [
        { symbol: 'AAA-PERP', side: 'BUY' },
        { symbol: 'BBB-PERP', side: 'SELL' },
      ],
    ]);
  });

  it('do not rise with what is added, taken out or closed', async () => {
    const { positionId } = await desk.opened(LEGS);
    await desk.opened(LEGS);
    await desk.ended(await desk.close(positionId ?? '', '0.5'));
    await desk.ended(await desk.close(positionId ?? ''));
    expect(await counted()).to.deep.equal(once);
    await desk.opened(LEGS);
    expect(await counted()).to.deep.equal({ ...once, opened: 2 });
  });

  it('rise once where the process dies right after the completing commit', async () => {
    desk.dieAfterCommit = ends;
    const id = await desk.open(LEGS);
    await desk.advanceTo(() => !desk.isAlive);
    await desk.start();
    expect((await desk.execution(id)).status).to.equal('COMPLETED');
    expect(await counted()).to.deep.equal(once);
  });

  it('rise once where the process dies between the answer of the venue and its commit', async () => {
    desk.dieAtSend = 'after';
    const id = await desk.open(LEGS);
    await desk.advanceTo(() => !desk.isAlive);
    expect(await counted()).to.equal(null);
    await desk.start();
    expect((await desk.ended(id)).status).to.equal('COMPLETED');
    expect(await counted()).to.deep.equal(once);
  });

  it('rise once where the disk refuses the completing commit for a while', async () => {
    const refuseUntil = desk.clock.now() + 3_000;
    desk.storeRefuses = (unit) => ends(unit) && desk.clock.now() < refuseUntil;
    await desk.opened(LEGS);
    expect(desk.refused).to.be.greaterThan(0);
    expect(await counted()).to.deep.equal(once);
  });
});
