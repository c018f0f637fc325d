/** TWAP schedules on a fake clock, a real store and a scripted venue. */
import { expect } from 'chai';
import { notificationsOf, planDeskForEachTest } from '../../../support/desks-for-tests.ts';
import { leg, PRINCIPAL } from '../../../support/engine-desk.ts';
import { standIn } from '../../../support/open-for-tests.ts';
import { HOUR, MINUTE } from '../../../support/plan-desk.ts';

const SECOND = 1_000;

describe('TWAP schedules', () => {
  const plan = planDeskForEachTest();
  const desk = standIn(() => plan.desk);

  it('sends every slice at its time and adds up to what was asked', async () => {
    const start = desk.clock.now();
    const id = await plan.twap();
    await desk.pass(9 * MINUTE + 5 * SECOND);
    const done = await plan.schedule(id);
    expect(done.status).to.equal('COMPLETED');
    expect(done.slices.map(({ status }) => status)).to.deep.equal(Array(10).fill('COMPLETED'));
    expect(done.slices.map(({ scheduledAt }) => scheduledAt - start)).to.deep.equal(
      Array.from({ length: 10 }, (_, index) => index * MINUTE),
    );
    expect(plan.sent('AAA-PERP')).to.deep.equal(Array(10).fill('1'));
    expect(plan.sent('BBB-PERP')).to.deep.equal(Array(10).fill('1'));
    expect(done.ledger.map(({ settled }) => settled)).to.deep.equal(['1000', '1000']);
    expect(done.averageRatio).to.equal('1');
    expect(desk.venue.held('AAA-PERP')).to.equal('10');
  });

  it('sends a partly filled or failed slice again with the next ones', async () => {
    let orders = 0;
    desk.venue.behave((order) => {
      if (order.symbol !== 'BBB-PERP') return {};
      orders += 1;
      return orders <= 4 ? { fraction: '0' } : {};
    });
    const id = await plan.twap();
    await desk.pass(30 * SECOND);
    const first = await plan.schedule(id);
    expect(first.slices[0]).to.include({ status: 'FAILED', filledUsd: '100' });
    expect(first.slices[0]?.error).to.include('BBB-PERP');
    await desk.pass(9 * MINUTE);
    const done = await plan.schedule(id);
    expect(done.status).to.equal('COMPLETED');
    expect(done.ledger.map(({ settled }) => settled)).to.deep.equal(['1000', '1000']);
    expect(plan.sent('BBB-PERP').slice(4, 6)).to.deep.equal(['1', '1.125']);
  });

  it('ends FAILED when nothing filled, PARTIALLY_COMPLETED when something is left, and says so', async () => {
    desk.venue.behave(() => ({ rejects: { reason: 'margin', message: 'not enough collateral' } }));
    const nothing = await plan.twap();
    await desk.pass(10 * MINUTE);
    expect(await plan.schedule(nothing)).to.include({ status: 'FAILED' });
    expect((await plan.schedule(nothing)).error).to.include('not enough collateral');
    let orders = 0;
    desk.venue.behave(() => {
      orders += 1;
      return orders <= 10 ? {} : { rejects: { reason: 'margin', message: 'not enough collateral' } };
    });
    const some = await plan.twap();
    await desk.pass(10 * MINUTE);
    const partly = await plan.schedule(some);
    expect(partly).to.include({ status: 'PARTIALLY_COMPLETED' });
    expect(partly.ledger.map(({ settled }) => settled)).to.deep.equal(['500', '500']);
    const notices = await notificationsOf(desk);
    expect(notices.map(({ category, parameters }) => [category, parameters.scheduleId])).to.deep.equal([
      ['SCHEDULE_FAILED', nothing],
      ['SCHEDULE_COMPLETED', some],
    ]);
    expect(notices[1]?.parameters.reason).to.include('not enough collateral');
    const told = desk.events.filter(({ entityId }) => entityId === some).map(({ event }) => event);
    expect([told[0], told.at(-1)]).to.deep.equal(['schedule.created', 'schedule.completed']);
    expect(desk.events.filter(({ event }) => event === 'notification.created')).to.have.length(2);
  });

  it('waits while it is paused, goes on from where it was, and is cancelled for good', async () => {
    const id = await plan.twap();
    await desk.pass(2 * MINUTE + 5 * SECOND);
    const paused = await plan.schedules.pause(desk.account, id);
    expect(paused.ok && paused.value).to.include({ status: 'PAUSED', pauseReason: 'USER' });
    expect(await plan.schedules.pause(desk.account, id)).to.have.nested.property('error.code', 'NOOP_ERROR');
    await desk.pass(HOUR);
    expect(plan.sent('AAA-PERP')).to.have.length(3);
    const resumedAt = desk.clock.now();
    expect((await plan.schedules.resume(PRINCIPAL, desk.account, id)).ok).to.equal(true);
    expect(await plan.schedules.resume(PRINCIPAL, desk.account, id)).to.have.nested.property(
      'error.code',
      'NOOP_ERROR',
    );
    await desk.pass(5 * SECOND);
    expect((await plan.schedule(id)).slices[4]?.scheduledAt).to.equal(resumedAt + MINUTE);
    expect(plan.sent('AAA-PERP')).to.deep.equal(Array(4).fill('1'));
    const cancelled = await plan.schedules.cancel(desk.account, id);
    expect(cancelled.ok && cancelled.value.slices.map(({ status }) => status)).to.deep.equal([
      ...Array(4).fill('COMPLETED'),
      ...Array(6).fill('CANCELLED'),
    ]);
    for (const again of ['cancel', 'pause', 'resume'] as const) {
      const { schedules } = plan;
      const refused =
        again === 'resume'
          ? await schedules.resume(PRINCIPAL, desk.account, id)
          : await schedules[again](desk.account, id);
      expect(refused, again).to.have.nested.property('error.code', 'NOOP_ERROR');
    }
    await desk.pass(HOUR);
    expect(plan.sent('AAA-PERP')).to.have.length(4);
    const other = { ...desk.account, id: 'somebody else' };
    expect(await plan.schedules.cancel(other, id)).to.have.nested.property(
      'error.code',
      'RESOURCE_NOT_FOUND',
    );
  });

  it('a slice on its way ends as it will after pause and cancel, and is accounted for', async () => {
    const release = desk.venue.holdLookups();
    desk.venue.behave(() => ({ answer: 'silent', streamed: 0 }));
    const id = await plan.twap();
    await desk.pass(SECOND);
    expect((await plan.schedule(id)).slices[0]?.status).to.equal('EXECUTING');
    expect((await plan.schedules.pause(desk.account, id)).ok).to.equal(true);
    expect((await plan.schedules.cancel(desk.account, id)).ok).to.equal(true);
    release();
    desk.venue.behave(() => ({}));
    await desk.pass(MINUTE);
    const done = await plan.schedule(id);
    expect(done.status).to.equal('CANCELLED');
    expect(done.slices.map(({ status }) => status)).to.deep.equal([
      'COMPLETED',
      ...Array(9).fill('CANCELLED'),
    ]);
    expect(done.ledger[0]).to.include({ settled: '100', quantity: '1' });
  });

  for (const [policy, sent] of [
    ['CATCH_UP', ['1', '3', '1.5', '1.5']],
    ['SKIP', ['1', '1', '1', '1']],
    ['PAUSE', ['1', '1', '1', '1']],
  ] as const) {
    it(`after sleep: ${policy}`, async () => {
      const id = await plan.twap({ missedSlicePolicy: policy });
      await desk.pass(5 * SECOND);
      // Slices 1 to 4 fall due while the machine sleeps; it wakes half a minute into slice 5.
      desk.clock.jump(5 * MINUTE + 30 * SECOND);
      await desk.pass(15 * SECOND);
      if (policy === 'PAUSE') {
        expect(await plan.schedule(id)).to.include({ status: 'PAUSED', pauseReason: 'MISSED_SLICES' });
        await plan.schedules.resume(PRINCIPAL, desk.account, id);
      }
      await desk.pass(2 * MINUTE + 20 * SECOND);
      expect(plan.sent('AAA-PERP').slice(0, 4)).to.deep.equal(sent);
      const { slices } = await plan.schedule(id);
      const ends = slices.slice(1, 5).map(({ status }) => status);
      expect(ends).to.deep.equal(
        policy === 'PAUSE' ? ['COMPLETED', 'COMPLETED', 'COMPLETED', 'PENDING'] : Array(4).fill('SKIPPED'),
      );
      await desk.pass(HOUR);
      const done = await plan.schedule(id);
      expect(done.status).to.equal(policy === 'SKIP' ? 'PARTIALLY_COMPLETED' : 'COMPLETED');
      expect(done.ledger[0]?.settled).to.equal(policy === 'SKIP' ? '600' : '1000');
    });
  }

  it('after sleep past its end: SKIP has traded what it had, and ends', async () => {
    const id = await plan.twap({ missedSlicePolicy: 'SKIP' });
    await desk.pass(5 * SECOND);
    desk.clock.jump(HOUR);
    await desk.pass(MINUTE);
    const done = await plan.schedule(id);
    expect(done).to.include({ status: 'PARTIALLY_COMPLETED' });
    expect(done.ledger[0]).to.include({ settled: '100', dropped: '900' });
    expect(plan.sent('AAA-PERP')).to.deep.equal(['1']);
  });

  it('a slice that a risen price makes too small goes into the next ones', async () => {
    const id = await plan.twap({ legs: [leg('AAA', 'BUY', '110'), leg('BBB', 'SELL', '1000')] });
    await desk.pass(5 * SECOND);
    desk.venue.setMark('AAA-PERP', '15000');
    await desk.pass(2 * MINUTE);
    const { slices } = await plan.schedule(id);
    expect(slices[1]).to.include({ status: 'FAILED', executionId: null });
    expect(slices[1]?.error).to.include('AAA-PERP');
    await desk.pass(10 * MINUTE);
    const done = await plan.schedule(id);
    expect(done.status).to.be.oneOf(['COMPLETED', 'PARTIALLY_COMPLETED']);
    expect(desk.venue.held('AAA-PERP')).to.equal(done.ledger[0]?.quantity);
  });

  it('a clock that is set back neither stalls it nor sends a slice twice', async () => {
    const id = await plan.twap();
    await desk.pass(2 * MINUTE + 5 * SECOND);
    desk.clock.jump(-HOUR);
    await desk.pass(7 * MINUTE + 30 * SECOND);
    const done = await plan.schedule(id);
    expect(done.status).to.equal('COMPLETED');
    expect(plan.sent('AAA-PERP')).to.deep.equal(Array(10).fill('1'));
    const at = done.slices.map(({ scheduledAt }) => scheduledAt);
    expect(at[3]).to.be.lessThan(at[2] ?? 0);
  });

  it('holds slices back while the ratio is worse than the limit, and ends with its time', async () => {
    desk.venue.setMark('AAA-PERP', '121');
    const id = await plan.twap({ limitRatio: '1.05' });
    await desk.pass(3 * MINUTE + 30 * SECOND);
    expect(plan.sent('AAA-PERP')).to.deep.equal([]);
    expect((await plan.schedule(id)).status).to.equal('ACTIVE');
    desk.venue.setMark('AAA-PERP', '110');
    await desk.pass(2 * SECOND);
    expect(plan.sent('BBB-PERP')).to.deep.equal(['3']);
    desk.venue.setMark('AAA-PERP', '121');
    await desk.pass(10 * MINUTE);
    const done = await plan.schedule(id);
    expect(done.status).to.equal('PARTIALLY_COMPLETED');
    expect(done.error).to.include('limit of 1.05');
    expect(done.slices.filter(({ status }) => status === 'CANCELLED')).to.have.length.greaterThan(0);
  });

  it('pauses while prices are too old, and goes on by itself', async () => {
    const id = await plan.twap();
    await desk.pass(5 * SECOND);
    desk.venue.setStale('BBB-PERP', true);
    await desk.pass(MINUTE);
    expect(await plan.schedule(id)).to.include({ status: 'PAUSED', pauseReason: 'FEED_STALE' });
    desk.venue.setStale('BBB-PERP', false);
    await desk.pass(9 * MINUTE);
    const done = await plan.schedule(id);
    expect(done.status).to.equal('COMPLETED');
    expect(done.ledger[1]?.settled).to.equal('1000');
  });

  it('waits for its basket while something else trades it', async () => {
    const release = desk.venue.holdLookups();
    desk.venue.behave((order) => (order.quantity === '5' ? { answer: 'silent', streamed: 0 } : {}));
    const execution = await desk.open([leg('AAA', 'BUY', '500'), leg('BBB', 'SELL', '500')]);
    await desk.pass(SECOND);
    const id = await plan.twap();
    await desk.pass(10 * SECOND);
    expect((await plan.schedule(id)).slices[0]?.status).to.equal('PENDING');
    release();
    await desk.ended(execution);
    await desk.pass(5 * SECOND);
    expect((await plan.schedule(id)).slices[0]?.status).to.equal('COMPLETED');
  });

  it('sends nothing that opens while trading is paused, and catches up after', async () => {
    const id = await plan.twap();
    await desk.pass(5 * SECOND);
    await desk.tradingPause.move('user', 'pause');
    expect(await plan.refused({})).to.deep.include({ code: 'RESOURCE_BUSY', details: { reason: 'PAUSED' } });
    await desk.pass(3 * MINUTE);
    expect(plan.sent('AAA-PERP')).to.have.length(1);
    await desk.tradingPause.move('user', 'resume');
    await desk.pass(7 * MINUTE);
    expect(await plan.schedule(id)).to.include({ status: 'COMPLETED' });
  });
});

describe('TWAP schedules that close', () => {
  const plan = planDeskForEachTest();
  const desk = standIn(() => plan.desk);
  let positionId: string;
  beforeEach(async () => {
    const opened = await desk.opened([leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')]);
    positionId = opened.positionId ?? '';
  });

  async function close(fraction: string): Promise<string> {
    const made = await plan.schedules.close(
      PRINCIPAL,
      {
        account: desk.account,
        idempotency: null,
        answer: ({ id }) => JSON.stringify({ id }),
      },
      {
        positionId,
        fraction,
        slippage: null,
        clientId: null,
        durationSeconds: 300,
        intervalSeconds: 60,
        randomize: false,
        limitRatio: null,
        missedSlicePolicy: 'CATCH_UP',
      },
    );
    if (!made.ok) throw new Error(JSON.stringify(made.error));
    return JSON.parse(made.value.json).id;
  }

  it('take out a part, reduce-only, also while trading is paused', async () => {
    await desk.tradingPause.move('user', 'pause');
    const id = await close('0.5');
    await desk.pass(5 * MINUTE);
    const done = await plan.schedule(id);
    expect(done).to.include({ status: 'COMPLETED', kind: 'CLOSE', positionId, fraction: '0.5' });
    const orders = desk.venue.sent.slice(2);
    expect(orders).to.have.length(10);
    expect(orders.every(({ reduceOnly, quantity }) => reduceOnly && quantity === '1')).to.equal(true);
    expect((await desk.position(positionId)).legs.map(({ quantity }) => quantity)).to.deep.equal(['5', '5']);
  });

  it('close it', async () => {
    const id = await close('1');
    await desk.pass(5 * MINUTE);
    expect(await plan.schedule(id)).to.include({ status: 'COMPLETED', averageRatio: '1' });
    expect((await desk.position(positionId)).status).to.equal('CLOSED');
    expect(desk.venue.held('AAA-PERP')).to.equal('0');
  });

  it('end when something else closes the position', async () => {
    const id = await close('1');
    await desk.pass(MINUTE + 5 * SECOND);
    await desk.ended(await desk.close(positionId));
    const done = await plan.schedule(id);
    expect(done).to.include({ status: 'CANCELLED', error: 'The position is closed' });
    await desk.pass(10 * MINUTE);
    expect(desk.venue.held('AAA-PERP')).to.equal('0');
  });

  it('reduce-only ones act on the basket that has the legs the other way round', async () => {
    const reducing = { legs: [leg('AAA', 'SELL', '400'), leg('BBB', 'BUY', '400')], reduceOnly: true };
    const id = await plan.twap({ ...reducing, durationSeconds: 120 });
    await desk.pass(3 * MINUTE);
    expect(await plan.schedule(id)).to.include({ status: 'COMPLETED', positionId });
    expect((await desk.position(positionId)).legs.map(({ quantity }) => quantity)).to.deep.equal(['6', '6']);
    const missing = { legs: [leg('AAA', 'BUY', '400'), leg('CCC', 'SELL', '400')], reduceOnly: true };
    expect(await plan.refused(missing)).to.include({ code: 'NOOP_ERROR' });
  });
});
