/** The trading pause: nothing that opens leaves after a pause was answered, closing goes on, and a restart changes nothing. */

import { expect } from 'chai';
import { engineDeskForEachTest } from '../../support/desks-for-tests.ts';
import { basketOf, leg, PRINCIPAL } from '../../support/engine-desk.ts';

const PAIR = [leg('AAA', 'BUY', '2', 'BASE'), leg('BBB', 'SELL', '3', 'BASE')];

describe('the trading pause', () => {
  const desk = engineDeskForEachTest();

  const { userId } = PRINCIPAL;
  const pause = () => desk.tradingPause.move(userId, 'pause');
  const resume = () => desk.tradingPause.move(userId, 'resume');
  const tryOpen = () => desk.engine.openBasket(PRINCIPAL, desk.command(), basketOf(PAIR));

  it('refuse what opens or grows, not what reduces; nothing is recorded', async () => {
    const { positionId } = await desk.opened(PAIR);
    expect(await pause()).to.deep.include({ ok: true });
    const commits = desk.commits.length;
    const grow = desk.engine.adjustPosition(PRINCIPAL, desk.command(), {
      positionId: positionId ?? '',
      intent: 'INCREASE',
      by: 'fraction',
      fraction: '0.5',
      slippage: null,
      onLegFailure: 'KEEP',
      clientId: null,
    });
    for (const answer of [await tryOpen(), await grow]) {
      expect(!answer.ok && answer.error).to.deep.include({
        code: 'RESOURCE_BUSY',
        details: { reason: 'PAUSED' },
      });
    }
    expect(desk.commits).to.have.length(commits);
    expect((await desk.ended(await desk.close(positionId ?? '', '0.5'))).status).to.equal('COMPLETED');
    expect((await desk.ended(await desk.close(positionId ?? ''))).status).to.equal('COMPLETED');
    await resume();
    expect((await desk.opened(PAIR)).status).to.equal('COMPLETED');
  });

  it('an execution that was accepted before and has not left fails, and says so', async () => {
    const { balances } = desk.venue;
    desk.venue.balances = async (account) => {
      desk.venue.balances = balances;
      await pause();
      return balances(account);
    };
    const execution = await desk.opened(PAIR);
    expect(execution).to.include({ status: 'FAILED', errorCode: 'PAUSED', activeAt: null });
    expect(desk.venue.batches).to.deep.equal([]);
  });

  it('a leg that would be tried again is not', async () => {
    desk.venue.behave(() => ({ fraction: '0.5' }));
    const id = await desk.open(PAIR, { onLegFailure: 'RETRY' });
    await desk.advanceTo(() => desk.venue.batches.length === 1);
    await pause();
    expect((await desk.ended(id)).status).to.equal('FAILED');
    expect(desk.venue.batches).to.have.length(1);
  });

  it('an unwind goes on: it closes', async () => {
    desk.venue.behave(({ symbol, reduceOnly }) =>
      symbol === 'BBB-PERP' && !reduceOnly ? { fraction: '0' } : {},
    );
    desk.venue.onArrival(async () => {
      desk.venue.onArrival(() => undefined);
      await pause();
    });
    await desk.opened(PAIR, { onLegFailure: 'UNWIND' });
    await desk.allEnded();
    expect(desk.tradingPause.holds(userId)).to.equal(true);
    expect(desk.venue.held('AAA-PERP')).to.equal('0');
  });

  it('hold from the asking, and are let go when they could not be kept', async () => {
    desk.storeRefuses = (unit) => unit.settings !== undefined;
    const pausing = pause();
    const during = await tryOpen();
    expect(!during.ok && during.error.details).to.deep.equal({ reason: 'PAUSED' });
    const paused = await pausing;
    expect(!paused.ok && paused.error.code).to.equal('DATABASE_ERROR');
    expect(desk.tradingPause.of(userId).status).to.equal('RUNNING');
    expect((await desk.opened(PAIR)).status).to.equal('COMPLETED');
  });

  it('pause twice, resume twice: NOOP_ERROR; panic as often as wanted', async () => {
    const codes = [];
    for (const event of [
      'resume',
      'pause',
      'pause',
      'panic',
      'panic',
      'pause',
      'resume',
      'resume',
    ] as const) {
      const moved = await desk.tradingPause.move(userId, event);
      codes.push(moved.ok ? moved.value.status : moved.error.code);
    }
    expect(codes).to.deep.equal([
      'NOOP_ERROR',
      'PAUSED',
      'NOOP_ERROR',
      'PANIC',
      'PANIC',
      'NOOP_ERROR',
      'RUNNING',
      'NOOP_ERROR',
    ]);
  });

  it('of one user do not hold another’s', async () => {
    await desk.tradingPause.move('another', 'pause');
    expect(desk.tradingPause.holds('another')).to.equal(true);
    expect((await desk.opened(PAIR)).status).to.equal('COMPLETED');
  });

  it('hold after a restart, with the time at which they were pulled', async () => {
    await desk.store.commit({
      users: [
        {
          id: userId,
          email: 'ada@example.test',
          passwordHash: null,
          walletAddress: null,
          displayName: null,
          createdAt: 0,
          updatedAt: 0,
        },
      ],
    });
    await pause();
    const { pausedAt } = desk.tradingPause.of(userId);
    await desk.pass(5_000);
    await desk.tradingPause.move(userId, 'panic');
    await desk.start();
    expect(desk.tradingPause.of(userId)).to.include({ status: 'PANIC', pausedAt });
    const refused = await tryOpen();
    expect(refused.ok).to.equal(false);
    await resume();
    await desk.start();
    expect(desk.tradingPause.holds(userId)).to.equal(false);
  });
});
