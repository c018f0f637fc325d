/** A stop-loss that a TWAP brings to a position, where the first slice is refused. */

import { expect } from 'chai';
import { notificationsOf, planDeskForEachTest } from '../../../support/desks-for-tests.ts';
import { leg } from '../../../support/engine-desk.ts';
import { MINUTE, withTriggers } from '../../../support/plan-desk.ts';

const REFUSED = { rejects: { reason: 'margin', message: 'not enough collateral' } } as const;
const stopLoss = { type: 'DOLLAR', value: '100', trailing: null } as const;

describe('a TWAP whose first slice is refused', () => {
  const plan = planDeskForEachTest();
  const told = async (category: string) =>
    (await notificationsOf(plan.desk)).filter((one) => one.category === category);
  const stops = async () =>
    (await plan.desk.store.triggers({ tradeAccountId: plan.desk.account.id }, { limit: 9, after: null }))
      .rows;
  beforeEach(() => withTriggers(plan.desk));

  it('tells once that its stop-loss is not set, until a later slice sets it', async () => {
    const { desk } = plan;
    await desk.opened([leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')]);
    desk.venue.behave(() => REFUSED);
    const id = await plan.twap({ stopLoss });
    await desk.pass(2 * MINUTE + 5_000);
    const [notice, ...others] = await told('STOP_LOSS_NOT_SET');
    expect(others).to.deep.equal([]);
    expect(notice?.parameters.reason).to.match(/not enough collateral.*has no stop-loss/);
    expect(await stops()).to.deep.equal([]);
    const commit = desk.commits.find(({ unit }) => unit.notifications?.length === 1)?.unit;
    expect(commit?.executions?.[0]).to.include({ status: 'FAILED' });
    desk.venue.behave(() => ({}));
    await desk.pass(10 * MINUTE);
    expect(await plan.schedule(id)).to.include({ status: 'COMPLETED', error: null });
    expect((await stops()).map(({ status }) => status)).to.deep.equal(['ACTIVE']);
  });

  it('ends with the refusal and a notification where nothing is held', async () => {
    const { desk } = plan;
    desk.venue.behave(() => REFUSED);
    const id = await plan.twap({ stopLoss });
    await desk.pass(11 * MINUTE);
    const failed = await plan.schedule(id);
    expect(failed).to.include({ status: 'FAILED' });
    expect(failed.error).to.include('not enough collateral');
    expect(await told('STOP_LOSS_NOT_SET')).to.deep.equal([]);
    const [notice] = await told('SCHEDULE_FAILED');
    expect(notice?.parameters.reason).to.include('not enough collateral');
  });

  describe('on a position that another order opened, with UNWIND', () => {
    const refuseShortLeg = () =>
      plan.desk.venue.behave(({ symbol, reduceOnly }) =>
        symbol === 'BBB-PERP' && !reduceOnly ? REFUSED : {},
      );
    const stopsInForce = async () =>
      (await stops()).filter(({ status }) => status === 'ACTIVE').map(({ armed }) => armed?.bracket.value);

    it('sets its stop-loss with its first fills, and it stays where those are closed again', async () => {
      const { desk } = plan;
      await desk.opened([leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')]);
      refuseShortLeg();
      await plan.twap({ stopLoss, onLegFailure: 'UNWIND' });
      await desk.pass(30_000);
      expect(desk.venue.held('AAA-PERP')).to.equal('10');
      expect(await stopsInForce()).to.deep.equal(['100']);
      desk.venue.behave(() => ({}));
      await desk.pass(2 * MINUTE);
      expect(await stopsInForce()).to.deep.equal(['100']);
      expect(await told('STOP_LOSS_NOT_SET')).to.deep.equal([]);
    });

    it('leaves the stop-loss that the position had until a slice fills whole', async () => {
      const { desk } = plan;
      const setup = { takeProfit: null, stopLoss: { ...stopLoss, value: '20' }, autoRebalance: null };
      await desk.opened([leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')], { setup });
      refuseShortLeg();
      await plan.twap({ stopLoss: { ...stopLoss, replaces: true }, onLegFailure: 'UNWIND' });
      await desk.pass(30_000);
      expect(await stopsInForce()).to.deep.equal(['20']);
      expect(await told('STOP_LOSS_NOT_SET')).to.have.length(1);
      desk.venue.behave(() => ({}));
      await desk.pass(2 * MINUTE);
      expect(await stopsInForce()).to.deep.equal(['100']);
    });
  });

  for (const onLegFailure of ['KEEP', 'UNWIND', 'RETRY'] as const)
    it(`pauses with the refusal and a notification where one leg is refused (${onLegFailure})`, async () => {
      const { desk } = plan;
      desk.venue.behave(({ symbol }) => (symbol === 'BBB-PERP' ? REFUSED : {}));
      const id = await plan.twap({ stopLoss, onLegFailure });
      await desk.pass(11 * MINUTE);
      const paused = await plan.schedule(id);
      expect(paused).to.include({ status: 'PAUSED', pauseReason: 'LEG_IMBALANCE' });
      expect(paused.error).to.include('not enough collateral');
      const [notice] = await told('PLAN_PAUSED_LEG_IMBALANCE');
      expect(notice?.parameters.reason).to.include('not enough collateral');
    });
});
