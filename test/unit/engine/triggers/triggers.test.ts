/** Triggers on a fake clock, a real store and a scripted venue. */

import { expect } from 'chai';
import { triggerDeskForEachTest } from '../../../support/desks-for-tests.ts';
import { leg, PRINCIPAL } from '../../../support/engine-desk.ts';
import { AAA, BBB, over, PAIR, type TriggerDesk, under } from '../../../support/trigger-desk.ts';
import { codeOf } from '../../../support/unwrap.ts';

describe('triggers', () => {
  const at = triggerDeskForEachTest();

  it('fires once the condition is met, strictly, and opens what was asked for', async () => {
    const id = await at.open();
    await at.waitsAt(id, '110');
    at.desk.venue.setMark(AAA, '110.1');
    const done = await at.ended(id);
    expect(done).to.include({ status: 'COMPLETED', lastValue: '110.1', error: null });
    const execution = await at.desk.execution(done.executionId ?? '');
    expect(execution).to.include({ origin: 'TRIGGER', intent: 'OPEN', status: 'COMPLETED' });
    expect(done.positionId).to.equal(execution.positionId);
    expect(at.desk.venue.held(AAA)).to.equal('9.082');
    expect(await at.notifications()).to.deep.equal(['TRIGGER_EXECUTED']);
    expect(at.desk.events.filter(({ entityId }) => entityId === id).map(({ event }) => event)).to.deep.equal([
      'trigger.created',
      'trigger.updated',
      'trigger.completed',
    ]);
    await at.moveMark(AAA, '120', 1_000);
    expect(at.desk.venue.batches).to.have.length(1);
  });

  it('is TRIGGERED on disk, with its execution, before anything is sent', async () => {
    const id = await at.open();
    at.desk.venue.onArrival(async () => {
      expect((await at.trigger(id)).status).to.equal('TRIGGERED');
    });
    at.desk.venue.setMark(AAA, '111');
    const { status, executionId } = await at.ended(id);
    expect(status).to.equal('COMPLETED');
    const unit = at.desk.commits.find(
      ({ unit: { newExecutions } }) => newExecutions?.[0]?.id === executionId,
    );
    expect(unit?.unit.triggers?.map((trigger) => trigger.status)).to.deep.equal(['TRIGGERED']);
  });

  it('decides on one update as a whole: a ratio does not cross on half of it', async () => {
    const id = await at.open({ condition: { type: 'PRICE_RATIO', direction: 'MORE_THAN', value: '1.05' } });
    at.desk.venue.setMarks({ [AAA]: '110', [BBB]: '110' });
    await at.desk.quiet();
    expect((await at.trigger(id)).status).to.equal('ACTIVE');
    at.desk.venue.setMarks({ [AAA]: '116', [BBB]: '110' });
    expect((await at.ended(id)).status).to.equal('COMPLETED');
  });

  it('watches all six kinds of conditions', async () => {
    const dominance = { name: 'btc_dominance', value: '50', prediction: null };
    const prediction = {
      name: `prediction:${JSON.stringify(['poly', 'rain'])}`,
      value: '40',
      prediction: { source: 'poly', marketKey: 'rain', question: 'Will it rain?' },
    };
    at.desk.venue.setFeed(dominance);
    at.desk.venue.setFeed(prediction);
    const direction = 'MORE_THAN';
    const ids = [
      await at.open({ condition: over('101') }),
      await at.open({ condition: { type: 'PRICE_RATIO', direction, value: '1.01' } }),
      await at.open({ condition: { type: 'WEIGHTED_RATIO', direction, value: '1.005' } }),
      await at.open({
        condition: { type: 'CROSS_ASSET_PRICE', direction, value: '101', symbol: 'CCC-PERP' },
      }),
      await at.open({ condition: { type: 'BTC_DOM', direction, value: '51' } }),
      await at.open({
        condition: {
          type: 'PREDICTION_MARKET_OUTCOME',
          direction,
          value: '41',
          source: 'poly',
          marketKey: 'rain',
        },
      }),
    ];
    at.desk.venue.setMarks({ [AAA]: '102', 'CCC-PERP': '102' });
    at.desk.venue.setFeed({ ...dominance, value: '51.5' });
    at.desk.venue.setFeed({ ...prediction, value: '41.5' });
    const ended = await Promise.all(ids.map((id) => at.desk.advanceUntil(at.ended(id))));
    expect(ended.map(({ status }) => status)).to.deep.equal(Array(6).fill('COMPLETED'));
    expect(ended.map(({ lastValue }) => lastValue)).to.deep.equal([
      '102',
      '1.02',
      '1.00995049384',
      '102',
      '51.5',
      '41.5',
    ]);
    // One basket: the first opened it, the others added to it, one after the other.
    expect(await at.desk.positions()).to.have.length(1);
  });

  it('fails with its execution, and says why', async () => {
    at.desk.venue.behave(() => ({ rejects: { reason: 'other', message: 'no' } }));
    const id = await at.open();
    at.desk.venue.setMark(AAA, '111');
    const failed = await at.ended(id);
    expect(failed.status).to.equal('FAILED');
    expect(failed.error).to.contain('rejected');
    expect(await at.notifications()).to.deep.equal(['TRIGGER_FAILED']);
  });

  it('waits for its basket when that is busy, and then adds to what it has become', async () => {
    const id = await at.open();
    const first = await at.desk.open(PAIR);
    await at.moveMark(AAA, '111');
    const done = await at.ended(id);
    expect((await at.desk.execution(first)).status).to.equal('COMPLETED');
    const execution = await at.desk.execution(done.executionId ?? '');
    expect(execution).to.include({ status: 'COMPLETED', intent: 'ADJUST' });
    expect(await at.desk.positions()).to.have.length(1);
  });

  it('arms the brackets that it was given with what it filled', async () => {
    const stopLoss = { type: 'PERCENTAGE', value: '5', trailing: null } as const;
    const id = await at.open({ stopLoss });
    at.desk.venue.setMark(AAA, '111');
    const { positionId } = await at.ended(id);
    const [bracket] = (await at.triggers()).filter(({ bracketType }) => bracketType !== null);
    expect(bracket).to.include({ status: 'ACTIVE', positionId, bracketType: 'STOP_LOSS' });
    expect(at.services.brackets.of(positionId ?? '').stopLoss?.id).to.equal(bracket?.id);
    await at.firesAt(bracket?.id ?? '', '95');
    expect((await at.desk.position(positionId)).status).to.equal('CLOSED');
    expect(await at.notifications()).to.deep.equal(['TRIGGER_EXECUTED', 'STOP_LOSS_HIT']);
  });

  it('closes a share of a position', async () => {
    const positionId = await at.position();
    const id = await at.closes(positionId, { fraction: '0.25', condition: under('90') });
    at.desk.venue.setMark(AAA, '89');
    const done = await at.ended(id);
    expect(done).to.include({ status: 'COMPLETED', kind: 'CLOSE', positionId });
    expect(at.desk.venue.held(AAA)).to.equal('7.5');
    expect((await at.desk.position(positionId)).status).to.equal('OPEN');
  });

  it('ends with the position that it was to close', async () => {
    const positionId = await at.position();
    const id = await at.closes(positionId);
    await at.desk.ended(await at.desk.close(positionId));
    expect(await at.trigger(id)).to.include({ status: 'CANCELLED', error: 'The position was closed' });
    await at.moveMark(AAA, '120', 1_000);
    expect(at.desk.venue.held(AAA)).to.equal('0');
  });

  describe('what is asked for', () => {
    it('is refused where it is met already, unless it may fire at once', async () => {
      const refused = await at.refused({ condition: over('99') });
      expect(refused).to.include({ code: 'VALIDATION_ERROR' });
      expect(refused.details).to.have.nested.property('[0].path', 'condition.value');
      expect(await at.triggers()).to.deep.equal([]);
      const id = await at.open({ condition: over('99'), allowImmediate: true });
      expect((await at.ended(id)).status).to.equal('COMPLETED');
    });

    const cases: readonly [string, Parameters<TriggerDesk['refused']>[0], string][] = [
      ['an unknown leg', { legs: [leg('ZZZ', 'BUY', '100')] }, 'legs.0.symbol'],
      [
        'an unknown cross asset',
        { condition: { type: 'CROSS_ASSET_PRICE', direction: 'MORE_THAN', value: '1', symbol: 'ZZZ-PERP' } },
        'condition.symbol',
      ],
      [
        'a price of no leg',
        { condition: { ...over('200'), symbol: 'CCC-PERP' } as never },
        'condition.symbol',
      ],
      ['an end in the past', { expiresAt: 1 }, 'expiresAt'],
      ['a client that is none', { clientId: 'nobody' }, 'clientId'],
      ['a leg below the minimum', { legs: [leg('AAA', 'BUY', '9.99')] }, 'legs.0.amount'],
      [
        'a bracket that does not fit',
        {
          legs: [leg('AAA', 'BUY', '100')],
          stopLoss: { type: 'PRICE_RATIO', value: '1', trailing: null },
        },
        'stopLoss.type',
      ],
    ];
    for (const [what, asked, path] of cases) {
      it(`is refused with ${what}`, async () => {
        const refused = await at.refused(asked);
        expect(refused.code).to.equal('VALIDATION_ERROR');
        expect(refused.details).to.have.nested.property('[0].path', path);
        expect(await at.triggers()).to.deep.equal([]);
      });
    }

    it('is refused where the prediction market is unknown, and before any is known', async () => {
      const condition = {
        type: 'PREDICTION_MARKET_OUTCOME',
        direction: 'MORE_THAN',
        value: '41',
        source: 'poly',
        marketKey: 'snow',
      } as const;
      expect((await at.refused({ condition })).code).to.equal('CONFIGURATION_ERROR');
      at.desk.venue.setFeed({
        name: 'prediction:["poly","rain"]',
        value: '40',
        prediction: { source: 'poly', marketKey: 'rain', question: '?' },
      });
      expect(await at.refused({ condition })).to.have.nested.property(
        'details[0].path',
        'condition.marketKey',
      );
    });

    it('is refused where the connector has no such feed', async () => {
      at.desk.venue.dropFeeds();
      const level = { direction: 'MORE_THAN', value: '60' } as const;
      for (const condition of [
        { type: 'BTC_DOM', ...level },
        { type: 'PREDICTION_MARKET_OUTCOME', ...level, source: 'poly', marketKey: 'snow' },
      ] as const) {
        const { code, details } = await at.refused({ condition });
        expect(code).to.equal('NOT_IMPLEMENTED_ERROR');
        expect(details).to.deep.equal({ path: 'condition.type' });
      }
      expect(await at.triggers()).to.deep.equal([]);
    });
  });

  describe('changed, paused, cancelled', () => {
    it('fires at its new level', async () => {
      const id = await at.open();
      const changed = await at.change(id, { level: '130' });
      expect(changed.ok && changed.value.condition?.value).to.equal('130');
      await at.moveMark(AAA, '120', 1_000);
      expect((await at.trigger(id)).status).to.equal('ACTIVE');
      await at.firesAt(id, '131');
    });

    it('does nothing while paused, and is looked at again when it is resumed', async () => {
      const { account } = at.desk;
      const id = await at.open();
      expect((await at.services.triggers.pause(account, id)).ok).to.equal(true);
      expect(await at.trigger(id)).to.include({ status: 'PAUSED', pauseReason: 'USER', lastValue: '100' });
      await at.moveMark(AAA, '120', 1_000);
      expect((await at.trigger(id)).status).to.equal('PAUSED');
      expect((await at.services.triggers.resume(PRINCIPAL, account, id)).ok).to.equal(true);
      expect((await at.ended(id)).status).to.equal('COMPLETED');
    });

    it('refuses what is so already, and what is not there', async () => {
      const { account } = at.desk;
      const { triggers } = at.services;
      const id = await at.open();
      const code = async (done: ReturnType<typeof triggers.cancel>) => codeOf(await done);
      expect(await code(triggers.resume(PRINCIPAL, account, id))).to.equal('NOOP_ERROR');
      expect(await code(triggers.pause(account, id))).to.equal('accepted');
      expect(await code(triggers.pause(account, id))).to.equal('NOOP_ERROR');
      expect(await code(triggers.cancel({ ...account, id: 'other' }, id))).to.equal('RESOURCE_NOT_FOUND');
      expect(await code(triggers.cancel(account, id))).to.equal('accepted');
      expect(await code(triggers.cancel(account, id))).to.equal('NOOP_ERROR');
      expect(await code(triggers.resume(PRINCIPAL, account, id))).to.equal('NOOP_ERROR');
      await at.moveMark(AAA, '120', 1_000);
      expect(at.desk.venue.batches).to.deep.equal([]);
    });

    it('is busy while it fires', async () => {
      const id = await at.open();
      let release = () => {};
      at.desk.venue.onArrival(() => new Promise((resolve) => (release = resolve)));
      await at.moveMark(AAA, '111');
      const cancelled = await at.services.triggers.cancel(at.desk.account, id);
      expect(cancelled).to.have.nested.property('error.code', 'RESOURCE_BUSY');
      release();
      expect((await at.ended(id)).status).to.equal('COMPLETED');
    });

    it('all that wait are cancelled at once', async () => {
      const ids = [await at.open(), await at.open(), await at.open()];
      const report = await at.services.triggers.cancelAll(at.desk.account);
      expect(report.ok && report.value.cancelled).to.have.members(ids);
      expect((await at.triggers()).map(({ status }) => status)).to.deep.equal(Array(3).fill('CANCELLED'));
      const again = await at.services.triggers.cancelAll(at.desk.account);
      expect(again).to.have.nested.property('error.code', 'NOOP_ERROR');
    });
  });

  it('expires at its time, whatever the price does then', async () => {
    const id = await at.open({ expiresAt: at.desk.clock.now() + 90_000 });
    await at.desk.pass(89_999);
    expect((await at.trigger(id)).status).to.equal('ACTIVE');
    at.desk.clock.jump(5_000);
    await at.moveMark(AAA, '120', 60_000);
    expect((await at.trigger(id)).status).to.equal('EXPIRED');
    expect(at.desk.venue.batches).to.deep.equal([]);
    expect(await at.notifications()).to.deep.equal(['TRIGGER_EXPIRED']);
  });

  it('expires at the time it was moved to, not at the one before', async () => {
    const later = await at.open({ expiresAt: at.desk.clock.now() + 10_000 });
    const never = await at.open({ expiresAt: at.desk.clock.now() + 10_000 });
    expect((await at.change(later, { expiresAt: at.desk.clock.now() + 90_000 })).ok).to.equal(true);
    expect((await at.change(never, { expiresAt: null })).ok).to.equal(true);
    await at.desk.pass(60_000);
    expect((await at.trigger(later)).status).to.equal('ACTIVE');
    await at.desk.pass(60_000);
    expect((await at.trigger(later)).status).to.equal('EXPIRED');
    expect((await at.trigger(never)).status).to.equal('ACTIVE');
  });

  describe('a stale feed', () => {
    it('pauses it with that reason, and its return goes on', async () => {
      const id = await at.open();
      at.desk.venue.setStale(AAA, true);
      await at.desk.pass(2_000);
      expect(await at.trigger(id)).to.include({ status: 'PAUSED', pauseReason: 'FEED_STALE' });
      at.desk.venue.setStale(AAA, false);
      await at.moveMark(AAA, '105');
      expect(await at.trigger(id)).to.include({ status: 'ACTIVE', pauseReason: null });
      await at.firesAt(id, '111');
    });

    for (const onMissed of ['FIRE', 'SKIP'] as const) {
      it(`${onMissed}: what was met meanwhile`, async () => {
        const id = await at.open({ onMissed });
        at.desk.venue.setStale(AAA, true);
        await at.desk.pass(2_000);
        at.desk.venue.setStale(AAA, false);
        await at.moveMark(AAA, '120', 5_000);
        expect((await at.trigger(id)).status).to.equal(onMissed === 'FIRE' ? 'COMPLETED' : 'ACTIVE');
        await at.moveMark(AAA, '125', 5_000);
        expect((await at.trigger(id)).status).to.equal(onMissed === 'FIRE' ? 'COMPLETED' : 'ACTIVE');
        await at.moveMark(AAA, '109', 2_000);
        await at.firesAt(id, '111');
        expect(at.desk.venue.batches).to.have.length(1);
      });
    }
  });

  describe('trading paused by its owner', () => {
    it('keeps an opening one back, and looks at it again afterwards', async () => {
      const id = await at.open();
      await at.desk.tradingPause.move('user', 'pause');
      await at.moveMark(AAA, '111', 3_000);
      expect((await at.trigger(id)).status).to.equal('ACTIVE');
      await at.desk.tradingPause.move('user', 'resume');
      expect((await at.ended(id)).status).to.equal('COMPLETED');
    });

    it('lets a closing one go on', async () => {
      const id = await at.closes(await at.position());
      await at.desk.tradingPause.move('user', 'pause');
      await at.firesAt(id, '111');
    });
  });

  it('fires all the same when the database refuses for a while', async () => {
    const id = await at.open();
    let refusals = 3;
    at.desk.storeRefuses = (unit) => {
      const isFiring = unit.triggers?.some(({ status }) => status === 'TRIGGERED') ?? false;
      if (!isFiring || refusals === 0) return false;
      refusals -= 1;
      return true;
    };
    await at.moveMark(AAA, '111');
    await at.firesAt(id, '100');
    expect(at.desk.refused).to.equal(3);
  });
});
