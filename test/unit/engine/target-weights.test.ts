/** Target weights are what was asked of a basket, however its orders filled. */
import { expect } from 'chai';
import { planDeskForEachTest } from '../../support/desks-for-tests.ts';
import { leg, PRINCIPAL } from '../../support/engine-desk.ts';
import { standIn } from '../../support/open-for-tests.ts';
import { MINUTE } from '../../support/plan-desk.ts';
import { unwrap } from '../../support/unwrap.ts';

const AS_CONFIGURED = { mode: null, timeframe: null, maxTradeUsd: null } as const;
const REFUSED = { rejects: { reason: 'margin', message: 'not enough collateral' } } as const;

describe('target weights', () => {
  const plan = planDeskForEachTest();
  const desk = standIn(() => plan.desk);

  /** Target weights of the only open basket, percent, by instrument. */
  async function targets(): Promise<Record<string, number>> {
    const { legs } = await only();
    return Object.fromEntries(
      legs.map(({ symbol, targetWeight }) => [symbol, Math.round(Number(targetWeight) * 1e6) / 1e4]),
    );
  }

  async function only() {
    const open = (await desk.positions()).filter(({ status }) => status === 'OPEN');
    const [position] = open;
    if (position === undefined || open.length > 1) throw new Error(`${open.length} open baskets`);
    return position;
  }

  /** USD that a rebalance would trade in the leg of which it would trade most. */
  async function proposed(): Promise<number> {
    const id = (await only()).id;
    const { plan: proposal } = unwrap(await plan.rebalances.plan(desk.account, id, AS_CONFIGURED));
    return Math.max(...proposal.rows.map(({ deltaUsd }) => Math.abs(Number(deltaUsd))));
  }

  /** These are the targets, and the basket has them but for rounding. */
  async function expectSettledAt(wanted: Record<string, number>): Promise<void> {
    expect(await targets()).to.deep.equal(wanted);
    expect(await proposed()).to.be.lessThan(0.2);
  }

  async function adjust(intent: 'INCREASE' | 'REDUCE', named: Record<string, string>) {
    const answered = await desk.engine.adjustPosition(PRINCIPAL, desk.command(), {
      positionId: (await only()).id,
      intent,
      slippage: null,
      onLegFailure: 'KEEP',
      clientId: null,
      by: 'targets',
      targets: Object.entries(named).map(([symbol, quantity]) => ({ symbol: `${symbol}-PERP`, quantity })),
    });
    if (!answered.ok) throw new Error(JSON.stringify(answered.error));
    return desk.ended(JSON.parse(answered.value.json).id);
  }

  it('a TWAP keeps the weights that it was asked for while a leg is refused and asked for again', async () => {
    let orders = 0;
    desk.venue.behave((order) => {
      if (order.symbol !== 'BBB-PERP') return {};
      orders += 1;
      return orders <= 2 ? REFUSED : {};
    });
    const id = await plan.twap();
    await desk.pass(2 * MINUTE);
    expect(await targets()).to.deep.equal({ 'AAA-PERP': 50, 'BBB-PERP': 50 });
    expect(await plan.schedule(id)).to.include({ pauseReason: 'LEG_IMBALANCE' });
    await plan.schedules.resume(PRINCIPAL, desk.account, id);
    await desk.pass(10 * MINUTE);
    expect(await plan.schedule(id)).to.include({ status: 'COMPLETED' });
    await expectSettledAt({ 'AAA-PERP': 50, 'BBB-PERP': 50 });
  });

  it('a slice that a crash interrupts keeps the weights of its TWAP', async () => {
    desk.venue.behave((order) => (order.symbol === 'BBB-PERP' ? { fraction: '0.5' } : {}));
    const id = await plan.twap();
    await desk.pass(30_000);
    desk.venue.behave(() => ({}));
    desk.dieAtSend = 'after';
    await desk.advanceTo(() => !desk.isAlive);
    await desk.start();
    expect(await targets()).to.deep.equal({ 'AAA-PERP': 50, 'BBB-PERP': 50 });
    await desk.pass(10 * MINUTE);
    expect(await plan.schedule(id)).to.include({ status: 'COMPLETED' });
    await expectSettledAt({ 'AAA-PERP': 50, 'BBB-PERP': 50 });
  });

  it('a TWAP on a basket that is held counts as far as it has filled', async () => {
    await desk.opened([leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')]);
    await plan.twap({ legs: [leg('AAA', 'BUY', '3000'), leg('BBB', 'SELL', '1000')] });
    await desk.pass(4.5 * MINUTE);
    await expectSettledAt({ 'AAA-PERP': 62.5, 'BBB-PERP': 37.5 });
    await desk.pass(6 * MINUTE);
    await expectSettledAt({ 'AAA-PERP': 66.6667, 'BBB-PERP': 33.3333 });
  });

  it('trading the missing rest restores the weights that were asked for', async () => {
    desk.venue.behave((order) => (order.symbol === 'DDD-PERP' ? REFUSED : {}));
    await desk.opened([
      leg('AAA', 'BUY', '3000'),
      leg('BBB', 'SELL', '3000'),
      leg('CCC', 'BUY', '2000'),
      leg('DDD', 'SELL', '2000'),
    ]);
    const asked = { 'AAA-PERP': 30, 'BBB-PERP': 30, 'CCC-PERP': 20, 'DDD-PERP': 20 };
    expect(await targets()).to.deep.equal(asked);
    desk.venue.behave(() => ({}));
    await adjust('INCREASE', { DDD: '20' });
    await expectSettledAt(asked);
  });

  it('repairing one leg of two that are missing leaves the other one wanted as it was', async () => {
    desk.venue.behave((order) => (['CCC-PERP', 'DDD-PERP'].includes(order.symbol) ? REFUSED : {}));
    await desk.opened([
      leg('AAA', 'BUY', '4000'),
      leg('BBB', 'SELL', '4000'),
      leg('CCC', 'BUY', '1000'),
      leg('DDD', 'SELL', '1000'),
    ]);
    desk.venue.behave(() => ({}));
    const asked = { 'AAA-PERP': 40, 'BBB-PERP': 40, 'CCC-PERP': 10, 'DDD-PERP': 10 };
    await adjust('INCREASE', { DDD: '10' });
    expect(await targets()).to.deep.equal(asked);
    await adjust('INCREASE', { CCC: '10' });
    await expectSettledAt(asked);
  });

  it('named quantities become the targets, when increasing and when reducing', async () => {
    await desk.opened([leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')]);
    await adjust('REDUCE', { BBB: '5' });
    await expectSettledAt({ 'AAA-PERP': 66.6667, 'BBB-PERP': 33.3333 });
    await adjust('INCREASE', { AAA: '20' });
    await expectSettledAt({ 'AAA-PERP': 80, 'BBB-PERP': 20 });
  });

  it('named quantities become the targets over a crash', async () => {
    await desk.opened([leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')]);
    desk.dieAtSend = 'after';
    const adjusting = adjust('REDUCE', { BBB: '5' });
    adjusting.catch(() => undefined);
    await desk.advanceTo(() => !desk.isAlive);
    await desk.start();
    await desk.allEnded();
    expect(await targets()).to.deep.equal({ 'AAA-PERP': 66.6667, 'BBB-PERP': 33.3333 });
  });

  it('named quantities become the targets of a basket that has drifted', async () => {
    await desk.opened([leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')]);
    desk.venue.setMark('AAA-PERP', '150');
    await adjust('INCREASE', { AAA: '20' });
    await expectSettledAt({ 'AAA-PERP': 75, 'BBB-PERP': 25 });
    await adjust('REDUCE', { AAA: '2' });
    await expectSettledAt({ 'AAA-PERP': 23.0769, 'BBB-PERP': 76.9231 });
  });

  it('an addition counts beside what the basket is worth by then', async () => {
    const first = [leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')];
    await desk.opened(first);
    desk.venue.setMarks({ 'AAA-PERP': '200', 'BBB-PERP': '200' });
    await desk.opened([leg('AAA', 'BUY', '3000'), leg('BBB', 'SELL', '1000')]);
    await expectSettledAt({ 'AAA-PERP': 62.5, 'BBB-PERP': 37.5 });
  });

  it('what was asked and has not filled counts in the next addition', async () => {
    desk.venue.behave((order) => (order.symbol === 'BBB-PERP' ? { fraction: '0.5' } : {}));
    await desk.opened([leg('AAA', 'BUY', '6000'), leg('BBB', 'SELL', '6000')]);
    desk.venue.behave(() => ({}));
    await desk.opened([leg('AAA', 'BUY', '9000'), leg('BBB', 'SELL', '3000')]);
    expect(await targets()).to.deep.equal({ 'AAA-PERP': 62.5, 'BBB-PERP': 37.5 });
  });

  it('an addition that is unwound leaves the weights as they were', async () => {
    await desk.opened([leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')]);
    desk.venue.behave((order) => (order.symbol === 'BBB-PERP' ? REFUSED : {}));
    await desk.open([leg('AAA', 'BUY', '3000'), leg('BBB', 'SELL', '1000')], { onLegFailure: 'UNWIND' });
    await desk.allEnded();
    await expectSettledAt({ 'AAA-PERP': 50, 'BBB-PERP': 50 });
  });
});
