/** Triggers across the end of the process, at every point, and across sleep. */

import { expect } from 'chai';
import { notificationsOf, triggerDeskForEachTest } from '../../../support/desks-for-tests.ts';
import { AAA, BBB, under } from '../../../support/trigger-desk.ts';
import { plain, setBrackets } from './bracket-desk.ts';

describe('triggers and the end of the process', () => {
  const at = triggerDeskForEachTest();

  const stopLoss = plain('DOLLAR', '50');

  it('goes on waiting after a start', async () => {
    const id = await at.open();
    await at.desk.start();
    await at.waitsAt(id, '109');
    await at.firesAt(id, '111');
  });

  for (const onMissed of ['FIRE', 'SKIP'] as const) {
    it(`${onMissed}: what was met while nobody watched`, async () => {
      const id = await at.open({ onMissed });
      at.desk.kill();
      at.desk.venue.setMark(AAA, '120');
      await at.desk.start();
      await at.desk.pass(3_000);
      if (onMissed === 'FIRE') {
        expect((await at.ended(id)).status).to.equal('COMPLETED');
        const told = (await notificationsOf(at.desk)).at(-1);
        expect(told?.category).to.equal('TRIGGER_EXECUTED');
        expect(told?.parameters.reason).to.contain('late');
        return;
      }
      expect((await at.trigger(id)).status).to.equal('ACTIVE');
      await at.moveMark(AAA, '110');
      await at.firesAt(id, '111');
    });

    it(`${onMissed}: what was met during sleep`, async () => {
      const id = await at.open({ onMissed });
      await at.moveMark(AAA, '101');
      at.desk.clock.jump(3_600_000);
      await at.moveMark(AAA, '120', 2_000);
      expect((await at.trigger(id)).status).to.equal(onMissed === 'FIRE' ? 'COMPLETED' : 'ACTIVE');
    });
  }

  it('between a trigger that has failed and its unwinding: the trigger ends with the unwinding', async () => {
    const { desk } = at;
    desk.venue.behave(({ symbol }) =>
      symbol === BBB ? { rejects: { reason: 'margin', message: 'not enough collateral' } } : {},
    );
    const id = await at.open({ onLegFailure: 'UNWIND' });
    desk.dieAfterCommit = ({ newExecutions }) => newExecutions?.[0]?.parentId != null;
    desk.venue.setMark(AAA, '111');
    await desk.advanceTo(() => !desk.isAlive);
    const left = await at.trigger(id);
    expect(left.status).to.equal('TRIGGERED');
    expect(left.filled.map(({ quantity }) => quantity)).to.deep.equal([desk.venue.held(AAA), '0']);
    await desk.start();
    const failed = await at.ended(id);
    expect(failed.status).to.equal('FAILED');
    expect(failed.filled.map(({ quantity }) => quantity)).to.deep.equal(['0', '0']);
    expect(desk.venue.held(AAA)).to.equal('0');
  });

  it('met, and gone again while nobody watched: nothing fires', async () => {
    const id = await at.open();
    at.desk.kill();
    at.desk.venue.setMark(AAA, '120');
    at.desk.venue.setMark(AAA, '100');
    await at.desk.start();
    await at.desk.pass(3_000);
    expect((await at.trigger(id)).status).to.equal('ACTIVE');
  });

  it('expires while nobody is there', async () => {
    const id = await at.open({ expiresAt: at.desk.clock.now() + 60_000 });
    at.desk.kill();
    at.desk.clock.jump(120_000);
    at.desk.venue.setMark(AAA, '120');
    await at.desk.start();
    expect((await at.ended(id)).status).to.equal('EXPIRED');
    expect(at.desk.venue.batches).to.deep.equal([]);
  });

  it('dead before TRIGGERED is on disk: it fires after the start if it still holds', async () => {
    const id = await at.open();
    at.desk.storeRefuses = (unit) => unit.triggers?.some(({ status }) => status === 'TRIGGERED') ?? false;
    await at.moveMark(AAA, '111');
    at.desk.storeRefuses = () => false;
    await at.desk.start();
    expect((await at.ended(id)).status).to.equal('COMPLETED');
    expect(at.desk.venue.batches).to.have.length(1);
  });

  it('dead right after TRIGGERED: its execution runs after the start, whatever the price is then', async () => {
    const id = await at.open();
    at.desk.dieAfterCommit = (unit) => unit.triggers?.some(({ status }) => status === 'TRIGGERED') ?? false;
    await at.moveMark(AAA, '111');
    expect(at.desk.isAlive).to.equal(false);
    expect(at.desk.venue.batches).to.deep.equal([]);
    at.desk.venue.setMark(AAA, '100');
    await at.desk.start();
    expect((await at.ended(id)).status).to.equal('COMPLETED');
    expect(at.desk.venue.batches).to.have.length(1);
  });

  for (const when of ['before', 'after'] as const) {
    it(`dead ${when} the orders reach the venue: at most once, and the trigger ends with them`, async () => {
      const id = await at.open();
      at.desk.dieAtSend = when;
      at.desk.venue.setMark(AAA, '111');
      await at.desk.advanceTo(() => !at.desk.isAlive);
      await at.desk.start();
      const done = await at.ended(id);
      expect(done.status).to.equal(when === 'after' ? 'COMPLETED' : 'FAILED');
      expect(await at.desk.heldInBaskets(AAA)).to.equal(at.desk.venue.held(AAA));
      await at.moveMark(AAA, '112', 1_000);
      expect(at.desk.venue.batches.length).to.equal(when === 'after' ? 1 : 0);
    });
  }

  it('dead right after the end of its execution: both ended in one unit', async () => {
    const id = await at.open();
    at.desk.dieAfterCommit = (unit) =>
      unit.executions?.some(({ finishedAt }) => finishedAt !== null) ?? false;
    at.desk.venue.setMark(AAA, '111');
    await at.desk.advanceTo(() => !at.desk.isAlive);
    expect((await at.trigger(id)).status).to.equal('COMPLETED');
  });

  it('a bracket fires after a start too, and ends its other', async () => {
    const positionId = await at.position();
    await setBrackets(at, positionId, { takeProfit: plain('DOLLAR', '50'), stopLoss });
    await at.desk.start();
    const { takeProfit: profit, stopLoss: loss } = at.services.brackets.of(positionId);
    at.desk.dieAfterCommit = (unit) => unit.triggers?.some(({ status }) => status === 'TRIGGERED') ?? false;
    await at.moveMark(AAA, '94');
    await at.desk.start();
    expect((await at.ended(loss?.id ?? '')).status).to.equal('COMPLETED');
    expect((await at.trigger(profit?.id ?? '')).status).to.equal('CANCELLED');
    expect((await at.desk.position(positionId)).status).to.equal('CLOSED');
    expect([at.desk.venue.held(AAA), at.desk.venue.held(BBB)]).to.deep.equal(['0', '0']);
  });

  it('a stop-loss whose orders never left is sent again: nothing was sent twice, and nothing stays open', async () => {
    const positionId = await at.position();
    const id = (await setBrackets(at, positionId, { stopLoss })).stopLoss?.id ?? '';
    at.desk.dieAtSend = 'before';
    at.desk.venue.setMark(AAA, '94');
    await at.desk.advanceTo(() => !at.desk.isAlive);
    await at.desk.start();
    expect((await at.ended(id)).status).to.equal('COMPLETED');
    expect([at.desk.venue.held(AAA), at.desk.venue.held(BBB)]).to.deep.equal(['0', '0']);
  });

  it('paused by its feed when the process ended: it goes on when the feed is there at the start', async () => {
    const id = await at.closes(await at.position(), { condition: under('90') });
    at.desk.venue.setStale(AAA, true);
    await at.desk.pass(2_000);
    expect((await at.trigger(id)).status).to.equal('PAUSED');
    at.desk.venue.setStale(AAA, false);
    await at.desk.start();
    await at.desk.pass(1_000);
    expect((await at.trigger(id)).status).to.equal('ACTIVE');
    await at.firesAt(id, '89');
  });

  it('still stale at the start: it stays paused, and goes on with the feed', async () => {
    const id = await at.open();
    at.desk.venue.setStale(AAA, true);
    await at.desk.pass(2_000);
    await at.desk.start();
    await at.desk.pass(3_000);
    expect((await at.trigger(id)).status).to.equal('PAUSED');
    at.desk.venue.setStale(AAA, false);
    await at.desk.pass(2_000);
    expect((await at.trigger(id)).status).to.equal('ACTIVE');
  });

  it('a ladder ends after a start too', async () => {
    const id = await at.ladder();
    at.desk.venue.setMark(AAA, '84');
    await at.desk.allEnded();
    await at.desk.start();
    await at.moveMark(AAA, '60', 2_000);
    await at.desk.allEnded();
    expect((await at.storedLadder(id)).status).to.equal('COMPLETED');
  });

  it('an account with something that waits is not removed', async () => {
    const id = await at.open();
    expect(at.desk.state.claims.hold(at.desk.account.id)).to.equal(null);
    await at.services.triggers.cancel(at.desk.account, id);
    expect(at.desk.state.claims.hold(at.desk.account.id)).to.not.equal(null);
  });
});
