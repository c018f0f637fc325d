/** A venue that says for minutes that it holds less than it does, and counts the margin of what it leaves out. */

import { expect } from 'chai';
import { ok } from '../../../gateway/domain/result.ts';
import { engineDeskForEachTest, notificationsOf } from '../../support/desks-for-tests.ts';
import { leg } from '../../support/engine-desk.ts';

const AAA = 'AAA-PERP';
const MINUTE = 60_000;

describe('a venue that leaves a position out', () => {
  const desk = engineDeskForEachTest();
  let positionId: string;
  beforeEach(async () => {
    desk.venue.balances = async () =>
      ok({ asset: 'USDC', balance: '10000', equity: '10000', marginUsed: '200', freeMargin: '9800' });
    positionId = (await desk.opened([leg('AAA', 'BUY', '1000')])).positionId ?? '';
  });

  /** Ten are held; the venue says none. */
  const hide = (isHidden: boolean) => desk.venue.shiftPosition(AAA, isHidden ? '-10' : '0');
  const closed = async () => (await desk.ended(await desk.close(positionId))).orders[0]?.errorCode;
  const told = async () => (await notificationsOf(desk)).toReversed();

  it('after five minutes of equal answers it is believed, and the trader is told', async () => {
    hide(true);
    await desk.pass(4 * MINUTE);
    expect(await closed()).to.equal('UNDER_REVIEW');
    expect(await told()).to.deep.equal([]);
    await desk.pass(4 * MINUTE);
    expect(await closed()).to.equal(null);
    expect(await desk.heldInBaskets(AAA)).to.equal('0');
    const [notice, ...more] = await told();
    expect(more).to.deep.equal([]);
    expect(notice).to.include({ category: 'EXTERNAL_CLOSE' });
    expect(notice?.parameters).to.include({ positionId });
    expect(notice?.parameters)
      .to.have.property('reason')
      .that.matches(/not held at the venue any more/);
  });

  it('minutes with a good answer in between do not add up', async () => {
    for (let round = 0; round < 4; round += 1) {
      hide(true);
      await desk.pass(2 * MINUTE);
      expect(await closed()).to.equal('UNDER_REVIEW');
      hide(false);
      await desk.pass(MINUTE);
    }
    expect(await closed()).to.equal(null);
    expect(desk.venue.held(AAA)).to.equal('0');
  });

  it('two equal answers minutes apart are not enough: nobody knows of the time between', async () => {
    hide(true);
    expect(await closed()).to.equal('UNDER_REVIEW');
    hide(false);
    await desk.pass(MINUTE / 2);
    hide(true);
    expect(await closed()).to.equal('UNDER_REVIEW');
    await desk.pass(20_000);
    expect(await closed()).to.equal('UNDER_REVIEW');
  });

  it('is believed after 15 seconds where the margin has fallen too', async () => {
    hide(true);
    desk.venue.balances = async () =>
      ok({ asset: 'USDC', balance: '10000', equity: '10000', marginUsed: '0', freeMargin: '10000' });
    expect(await closed()).to.equal('UNDER_REVIEW');
    await desk.pass(16_000);
    expect(await closed()).to.equal(null);
    expect(await told()).to.have.length(1);
  });
});
