/** Ladders and their rungs. */

import { expect } from 'chai';
import { dec, sum, text } from '../../../../gateway/domain/decimal.ts';
import { triggerDeskForEachTest } from '../../../support/desks-for-tests.ts';
import { leg } from '../../../support/engine-desk.ts';
import { AAA, type TriggerDesk } from '../../../support/trigger-desk.ts';

describe('ladders', () => {
  const at = triggerDeskForEachTest();

  const statuses = async (id: string) => (await at.rungs(id)).map(({ status }) => status);

  it('is made with its rungs in one unit; their sizes add up to what was asked', async () => {
    const id = await at.ladder({ legs: [leg('AAA', 'BUY', '1000.01')], sizing: 'INCREASING' });
    const units = at.desk.commits.filter(({ unit }) => unit.ladders !== undefined);
    expect(units).to.have.length(1);
    expect(units[0]?.unit.triggers).to.have.length(5);
    const ladder = await at.storedLadder(id);
    expect(ladder.totalUsd).to.equal('1000.01');
    expect(text(sum(ladder.rungs.map(({ usd }) => dec(usd))))).to.equal('1000.01');
    expect(ladder.rungs.map(({ level }) => level)).to.deep.equal(['90', '85', '80', '75', '70']);
    expect((await at.rungs(id)).map((rung) => rung.id)).to.deep.equal(
      ladder.rungs.map(({ triggerId }) => triggerId),
    );
  });

  it('each rung fires at its level; the ladder ends with the last', async () => {
    const id = await at.ladder();
    at.desk.venue.setMark(AAA, '84');
    await at.desk.allEnded();
    expect(await statuses(id)).to.deep.equal(['COMPLETED', 'COMPLETED', 'ACTIVE', 'ACTIVE', 'ACTIVE']);
    expect((await at.storedLadder(id)).status).to.equal('ACTIVE');
    await at.moveMark(AAA, '60', 1_000);
    await at.desk.allEnded();
    expect(await statuses(id)).to.deep.equal(Array(5).fill('COMPLETED'));
    expect((await at.storedLadder(id)).status).to.equal('COMPLETED');
    expect(await at.notifications()).to.deep.equal([
      ...Array(5).fill('TRIGGER_EXECUTED'),
      'LADDER_COMPLETED',
    ]);
    const executions = await at.desk.allEnded();
    expect(executions.map(({ origin }) => origin)).to.deep.equal(Array(5).fill('LADDER'));
    expect(await at.desk.positions()).to.have.length(1);
    expect(at.desk.events.filter(({ entityId }) => entityId === id).map(({ event }) => event)).to.deep.equal([
      'ladder.created',
      ...Array(4).fill('ladder.updated'),
      'ladder.completed',
    ]);
  });

  it('ends in part where a rung fails, and fails where all do', async () => {
    const partly = await at.ladder();
    let sent = 0;
    at.desk.venue.behave(() => {
      sent += 1;
      return sent === 2 ? { rejects: { reason: 'other', message: 'no' } } : {};
    });
    await at.moveMark(AAA, '60', 1_000);
    await at.desk.allEnded();
    expect((await at.storedLadder(partly)).status).to.equal('PARTIALLY_COMPLETED');
    at.desk.venue.behave(() => ({ rejects: { reason: 'other', message: 'no' } }));
    at.desk.venue.setMark(AAA, '100');
    const failed = await at.ladder();
    await at.moveMark(AAA, '60', 1_000);
    await at.desk.allEnded();
    expect((await at.storedLadder(failed)).status).to.equal('FAILED');
  });

  it('is cancelled with every rung that waits; one that fires ends as it will', async () => {
    const id = await at.ladder();
    let release = () => {};
    at.desk.venue.onArrival(() => new Promise((resolve) => (release = resolve)));
    await at.moveMark(AAA, '88');
    const cancelled = await at.services.ladders.cancel(at.desk.account, id);
    expect(cancelled.ok && cancelled.value.ladder.status).to.equal('CANCELLED');
    expect(cancelled.ok && [...cancelled.value.statuses.values()]).to.deep.equal([
      'TRIGGERED',
      ...Array(4).fill('CANCELLED'),
    ]);
    release();
    await at.desk.allEnded();
    expect(await statuses(id)).to.deep.equal(['COMPLETED', ...Array(4).fill('CANCELLED')]);
    expect((await at.storedLadder(id)).status).to.equal('CANCELLED');
    const again = await at.services.ladders.cancel(at.desk.account, id);
    expect(again).to.have.nested.property('error.code', 'NOOP_ERROR');
    const other = await at.services.ladders.cancel({ ...at.desk.account, id: 'other' }, id);
    expect(other).to.have.nested.property('error.code', 'RESOURCE_NOT_FOUND');
  });

  it('ends when its rungs are cancelled one by one, or all at once', async () => {
    const id = await at.ladder();
    for (const { id: rung } of await at.rungs(id)) await at.services.triggers.cancel(at.desk.account, rung);
    expect((await at.storedLadder(id)).status).to.equal('CANCELLED');
    const second = await at.ladder();
    expect((await at.services.triggers.cancelAll(at.desk.account)).ok).to.equal(true);
    expect((await at.storedLadder(second)).status).to.equal('CANCELLED');
  });

  it('expires with its rungs', async () => {
    const id = await at.ladder({ expiresAt: at.desk.clock.now() + 60_000 });
    await at.desk.pass(61_000);
    expect(await statuses(id)).to.deep.equal(Array(5).fill('EXPIRED'));
    expect((await at.storedLadder(id)).status).to.equal('EXPIRED');
  });

  it('a commit of a rung that is refused does not count as its end', async () => {
    const id = await at.ladder({ levels: 2 });
    const [first, second] = await at.rungs(id);
    at.desk.storeRefuses = () => true;
    expect((await at.services.triggers.cancel(at.desk.account, first?.id ?? '')).ok).to.equal(false);
    at.desk.storeRefuses = () => false;
    expect((await at.services.triggers.cancel(at.desk.account, second?.id ?? '')).ok).to.equal(true);
    expect((await at.storedLadder(id)).status).to.equal('ACTIVE');
    expect((await at.services.triggers.cancel(at.desk.account, first?.id ?? '')).ok).to.equal(true);
    expect((await at.storedLadder(id)).status).to.equal('CANCELLED');
  });

  const cases: readonly [string, Parameters<TriggerDesk['ladderRefused']>[0], string][] = [
    ['a level that is passed', { start: '101' }, 'start'],
    ['a rung below the minimum', { legs: [leg('AAA', 'BUY', '49')] }, 'levels'],
    ['levels that coincide', { start: '90', end: '90.0000000000000001', levels: 50 }, 'levels'],
    ['an unknown leg', { legs: [leg('ZZZ', 'BUY', '1000')] }, 'legs.0.symbol'],
    ['an end in the past', { expiresAt: 1 }, 'expiresAt'],
  ];
  for (const [what, asked, path] of cases) {
    it(`is refused with ${what}`, async () => {
      const refused = await at.ladderRefused(asked);
      expect(refused.code).to.equal('VALIDATION_ERROR');
      expect(refused.details).to.have.nested.property('[0].path', path);
      expect(await at.triggers()).to.deep.equal([]);
    });
  }

  it('rungs that are passed already fire at once where that is allowed', async () => {
    const id = await at.ladder({ start: '110', end: '90', levels: 5, allowImmediate: true });
    await at.desk.allEnded();
    expect(await statuses(id)).to.deep.equal(['COMPLETED', 'COMPLETED', 'ACTIVE', 'ACTIVE', 'ACTIVE']);
  });
});
