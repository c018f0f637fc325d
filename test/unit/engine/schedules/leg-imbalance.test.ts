/** A TWAP of which one leg is refused: the other waits for it, and the plan stops instead of running ahead on one leg. */

import { expect } from 'chai';
import { dec } from '../../../../gateway/domain/decimal.ts';
import { notificationsOf, planDeskForEachTest } from '../../../support/desks-for-tests.ts';
import { leg, PRINCIPAL } from '../../../support/engine-desk.ts';
import { standIn } from '../../../support/open-for-tests.ts';
import { MINUTE } from '../../../support/plan-desk.ts';
import { unwrap } from '../../../support/unwrap.ts';

const REFUSED = { rejects: { reason: 'margin', message: 'not enough collateral' } } as const;

describe('a TWAP with a leg that does not fill', () => {
  const plan = planDeskForEachTest();
  const desk = standIn(() => plan.desk);

  const naked = () => dec(desk.venue.held('AAA-PERP')).plus(desk.venue.held('BBB-PERP')).mul(100).toFixed();
  const refuse = (symbol: string, from = 0) => {
    let orders = 0;
    desk.venue.behave((order) => {
      if (order.symbol !== symbol) return {};
      orders += 1;
      return orders > from ? REFUSED : {};
    });
  };
  const categories = async () => (await notificationsOf(plan.desk)).map(({ category }) => category).reverse();

  it('pauses after the slice that was to catch up, one slice apart, and tells what to do', async () => {
    refuse('BBB-PERP');
    const id = await plan.twap();
    await desk.pass(10 * MINUTE);
    const paused = await plan.schedule(id);
    expect(paused).to.include({ status: 'PAUSED', pauseReason: 'LEG_IMBALANCE' });
    expect(paused.error).to.match(/^BBB-PERP is 1\d\d(\.\d+)? USD behind .*not enough collateral.*Resume it/);
    expect(Number(naked())).to.be.within(100, 112);
    expect((await categories()).filter((name) => name === 'PLAN_PAUSED_LEG_IMBALANCE')).to.have.length(1);
  });

  it('goes on where it was when it is resumed and the leg fills again, and both end in full', async () => {
    refuse('BBB-PERP');
    const id = await plan.twap();
    await desk.pass(3 * MINUTE);
    desk.venue.behave(() => ({}));
    const resumed = unwrap(await plan.schedules.resume(PRINCIPAL, desk.account, id));
    expect(resumed).to.include({ status: 'ACTIVE', error: null });
    await desk.pass(10 * MINUTE);
    const done = await plan.schedule(id);
    expect(done).to.include({ status: 'COMPLETED' });
    expect(done.ledger.map(({ settled }) => settled)).to.deep.equal(['1000', '1000']);
    expect(naked()).to.equal('0');
  });

  it('pauses again where it is resumed and the leg is still refused, and sends no more of the other', async () => {
    refuse('BBB-PERP');
    const id = await plan.twap();
    await desk.pass(3 * MINUTE);
    const before = naked();
    expect((await plan.schedules.resume(PRINCIPAL, desk.account, id)).ok).to.equal(true);
    await desk.pass(10 * MINUTE);
    expect(await plan.schedule(id)).to.include({ status: 'PAUSED', pauseReason: 'LEG_IMBALANCE' });
    expect(Number(naked()) - Number(before)).to.be.below(20);
  });

  it('cancelled while a slice is being unwound: it is unwound all the same, and nothing is held', async () => {
    refuse('BBB-PERP');
    const id = await plan.twap({ onLegFailure: 'UNWIND' });
    let release = () => {};
    desk.venue.onArrival((orders) =>
      orders.some(({ reduceOnly }) => reduceOnly) ? new Promise((resolve) => (release = resolve)) : undefined,
    );
    await desk.advanceTo(() => desk.venue.sent.some(({ reduceOnly }) => reduceOnly));
    expect((await plan.schedules.cancel(desk.account, id)).ok).to.equal(true);
    expect((await plan.schedule(id)).slices[0]?.status).to.equal('EXECUTING');
    release();
    await desk.pass(MINUTE);
    const over = await plan.schedule(id);
    expect(over).to.include({ status: 'CANCELLED' });
    expect(over.slices[0]).to.include({ status: 'FAILED', filledUsd: '0' });
    expect(over.ledger.map(({ quantity, settled }) => [quantity, settled])).to.deep.equal([
      ['0', '0'],
      ['0', '0'],
    ]);
    expect(naked()).to.equal('0');
  });

  it('a closing one stops the same way', async () => {
    await desk.opened([leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')]);
    refuse('BBB-PERP', 1);
    const legs = [leg('AAA', 'SELL', '1000'), leg('BBB', 'BUY', '1000')];
    const id = await plan.twap({ legs, reduceOnly: true });
    await desk.pass(10 * MINUTE);
    expect(await plan.schedule(id)).to.include({ status: 'PAUSED', pauseReason: 'LEG_IMBALANCE' });
    expect(Number(naked())).to.be.within(-113, -100);
  });
});
