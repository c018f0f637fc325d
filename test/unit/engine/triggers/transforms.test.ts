/** Triggers and brackets on the z-score and the spread of a ratio. */

import { expect } from 'chai';
import type { Condition } from '../../../../gateway/domain/condition-table.ts';
import { triggerDeskForEachTest } from '../../../support/desks-for-tests.ts';
import { PRINCIPAL } from '../../../support/engine-desk.ts';
import { AAA, BBB } from '../../../support/trigger-desk.ts';

const HOUR = 3_600_000;

const zScore = (direction: 'MORE_THAN' | 'LESS_THAN', value: string, lookback = 24): Condition => ({
  type: 'PRICE_RATIO',
  direction,
  value,
  transform: 'Z_SCORE',
  lookback,
});

describe('triggers on a transformed ratio', () => {
  const at = triggerDeskForEachTest();

  const thisHour = () => Math.floor(at.desk.clock.now() / HOUR) * HOUR;

  /** `count` hours up to the last full one, the ratio by turns 1 % above and below 1: mean of the logarithm 0. */
  function record(count: number, swing = 0.01): void {
    for (let back = 0; back < count; back += 1) {
      const log = back % 2 === 0 ? swing : -swing;
      at.hours.put(thisHour() - back * HOUR, { [AAA]: String(100 * Math.exp(log)), [BBB]: '100' });
    }
  }

  // The sample deviation of 24 values of ±0.01 is 0.01 × √(24 ÷ 23).
  const deviation = 0.01 * Math.sqrt(24 / 23);
  const markAt = (z: number) => String(100 * Math.exp(z * deviation));

  async function moves(z: number): Promise<void> {
    at.desk.venue.setMarks({ [AAA]: markAt(z), [BBB]: '100' });
    await at.desk.quiet();
  }

  it('keeps no other alert waiting while its hours of prices are long in coming', async () => {
    record(24);
    await moves(0);
    let come = () => {};
    at.hours.comes = new Promise<void>((resolve) => {
      come = resolve;
    });
    const late = at.alert({ condition: zScore('MORE_THAN', '2') });
    const other = await at.alert();
    expect((await at.trigger(other)).status).to.equal('ACTIVE');
    come();
    expect((await at.trigger(await late)).status).to.equal('ACTIVE');
  });

  it('fires past its z-score, and says at which one', async () => {
    record(24);
    await moves(0);
    const id = await at.open({ condition: zScore('MORE_THAN', '2') });
    const window = at.services.triggers.observation(id)?.window;
    expect(window).to.include({ until: thisHour(), observations: 24, needed: 12 });
    expect(Number(window?.ratioLevel)).to.be.closeTo(Math.exp(2 * deviation), 1e-9);
    await moves(1.999);
    expect((await at.trigger(id)).status).to.equal('ACTIVE');
    expect(Number(at.services.triggers.observation(id)?.value)).to.be.closeTo(1.999, 1e-6);
    await moves(2.001);
    const fired = await at.ended(id);
    expect(fired.status).to.equal('COMPLETED');
    expect(Number(fired.lastValue)).to.be.closeTo(2.001, 1e-6);
  });

  it('fires at a spread of 0 or below', async () => {
    record(24);
    await moves(1);
    const id = await at.open({
      condition: {
        type: 'WEIGHTED_RATIO',
        direction: 'LESS_THAN',
        value: '0',
        transform: 'SPREAD',
        lookback: 24,
      },
    });
    // The weighted ratio is the root of the price ratio, and so is its spread half: 0.5 × 1.02 %.
    expect(Number(at.services.triggers.observation(id)?.value)).to.be.closeTo(50 * deviation, 1e-6);
    await moves(0.01);
    expect((await at.trigger(id)).status).to.equal('ACTIVE');
    await moves(-0.01);
    expect((await at.ended(id)).status).to.equal('COMPLETED');
  });

  it('compares with the hours up to the last full one, computed anew at each full hour', async () => {
    record(24);
    await moves(1.9);
    const id = await at.open({ condition: zScore('MORE_THAN', '2') });
    const next = thisHour() + HOUR;
    // With this hour the mean rises and the deviation grows: what was nearly met is far away.
    at.hours.put(next, { [AAA]: '110', [BBB]: '100' });
    at.desk.clock.jump(next - at.desk.clock.now() + 1);
    await moves(2.1);
    await at.desk.pass(100);
    expect((await at.trigger(id)).status).to.equal('ACTIVE');
    expect(at.services.triggers.observation(id)?.window?.until).to.equal(next);
    const calm = next + HOUR;
    for (let back = 0; back < 24; back += 1) {
      at.hours.put(calm - back * HOUR, { [AAA]: back % 2 === 0 ? '100.1' : '99.9', [BBB]: '100' });
    }
    at.desk.clock.jump(calm - at.desk.clock.now() + 1);
    await at.desk.pass(61_000);
    expect((await at.ended(id)).status).to.equal('COMPLETED');
  });

  it('leaves out hours without a price of both legs, and waits while fewer than half are known', async () => {
    record(12);
    const few = await at.refused({ condition: zScore('MORE_THAN', '2', 26) });
    expect(few).to.include({ code: 'VALIDATION_ERROR' });
    expect(JSON.stringify(few)).to.contain('condition.lookback').and.contain('12 are known');
    at.hours.put(thisHour() - 12 * HOUR, { [AAA]: '100' });
    expect(JSON.stringify(await at.refused({ condition: zScore('MORE_THAN', '2', 26) }))).to.contain(
      '12 are',
    );
    await moves(0);
    const id = await at.open({ condition: zScore('MORE_THAN', '2') });
    // After a sleep of 22 hours two of the 24 are known, and no price fires it.
    at.desk.clock.jump(22 * HOUR);
    await moves(50);
    await at.desk.pass(2_000);
    expect((await at.trigger(id)).status).to.equal('ACTIVE');
    expect(at.services.triggers.observation(id)?.window).to.include({ observations: 2, ratioLevel: null });
    // They become known late: they count from the next full hour on.
    for (let back = -1; back < 24; back += 1) {
      at.hours.put(thisHour() - back * HOUR, { [AAA]: back % 2 === 0 ? '101' : '99', [BBB]: '100' });
    }
    await moves(51);
    expect((await at.trigger(id)).status).to.equal('ACTIVE');
    at.desk.clock.jump(HOUR);
    await at.desk.pass(61_000);
    expect((await at.ended(id)).status).to.equal('COMPLETED');
    expect(at.desk.venue.batches).to.have.length(1);
  });

  it('a window that cannot be read holds up no other, and is tried again', async () => {
    record(30);
    await moves(0);
    const unread = await at.open({ condition: zScore('MORE_THAN', '2', 30) });
    const id = await at.open({ condition: zScore('MORE_THAN', '2') });
    const next = thisHour() + HOUR;
    at.hours.put(next, { [AAA]: '100', [BBB]: '100' });
    at.hours.fails = ({ from, to }) => to - from === 30 * HOUR;
    at.desk.clock.jump(next - at.desk.clock.now() + 1);
    await moves(4);
    await at.desk.pass(5_000);
    expect((await at.ended(id)).status).to.equal('COMPLETED');
    expect((await at.trigger(unread)).status).to.equal('ACTIVE');
    expect(at.services.triggers.observation(unread)?.window).to.equal(null);
    at.hours.fails = () => false;
    await at.desk.pass(2_000);
    expect((await at.ended(unread)).status).to.equal('COMPLETED');
  });

  it('tells its user, once, that what waits cannot fire for want of its hours, and when it can again', async () => {
    record(24);
    await moves(0);
    const id = await at.open({ condition: zScore('MORE_THAN', '2') });
    const told = async () => (await at.notifications()).filter((one) => one.startsWith('CONNECTOR_'));
    at.desk.clock.jump(22 * HOUR);
    const repeat = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        await moves(0.001 * (minute % 3));
        await at.desk.pass(60_000);
      }
    };
    await repeat(4);
    expect(await told()).to.deep.equal([]);
    await repeat(4);
    expect(await told()).to.deep.equal(['CONNECTOR_DEGRADED']);
    for (let back = -1; back < 24; back += 1) {
      at.hours.put(thisHour() - back * HOUR, { [AAA]: back % 2 === 0 ? '101' : '99', [BBB]: '100' });
    }
    at.desk.clock.jump(HOUR);
    await repeat(2);
    expect((await told()).toSorted()).to.deep.equal(['CONNECTOR_DEGRADED', 'CONNECTOR_RECOVERED']);
    expect((await at.trigger(id)).status).to.equal('ACTIVE');
  });

  it('refuses a ratio that stood still, other prices than marks, and what is met already', async () => {
    record(24, 0);
    const still = await at.refused({ condition: zScore('MORE_THAN', '2') });
    expect(JSON.stringify(still)).to.contain('condition.transform').and.contain('stood still');
    record(24);
    const last = await at.refused({ condition: zScore('MORE_THAN', '2', 25), priceSource: 'LAST' });
    expect(JSON.stringify(last)).to.contain('priceSource');
    await moves(3);
    const met = await at.refused({ condition: zScore('MORE_THAN', '2', 25) });
    expect(JSON.stringify(met)).to.contain('condition.value').and.contain('met already');
    const id = await at.open({ condition: zScore('MORE_THAN', '2', 25), allowImmediate: true });
    expect((await at.ended(id)).status).to.equal('COMPLETED');
  });

  for (const onMissed of ['FIRE', 'SKIP'] as const) {
    it(`${onMissed}: what was met while the process was dead`, async () => {
      record(24);
      await moves(0);
      const id = await at.open({ condition: zScore('MORE_THAN', '2'), onMissed });
      at.desk.kill();
      at.desk.venue.setMarks({ [AAA]: markAt(3), [BBB]: '100' });
      await at.desk.start();
      await at.desk.pass(4_000);
      expect((await at.trigger(id)).status).to.equal(onMissed === 'FIRE' ? 'COMPLETED' : 'ACTIVE');
      if (onMissed === 'FIRE') return;
      await moves(1);
      await moves(2.1);
      expect((await at.ended(id)).status).to.equal('COMPLETED');
    });
  }

  it('fires once, whatever is repeated, comes late, or dies', async () => {
    record(24);
    await moves(0);
    const id = await at.open({ condition: zScore('MORE_THAN', '2') });
    await moves(3);
    await at.ended(id);
    for (let round = 0; round < 3; round += 1) {
      await at.desk.start();
      await moves(3);
      for (let back = 0; back < 24; back += 1) {
        at.hours.put(thisHour() - back * HOUR, { [AAA]: back % 2 === 0 ? '100.2' : '99.8', [BBB]: '100' });
      }
      at.desk.clock.jump(HOUR);
      await moves(0);
      await moves(3 + round);
      await at.desk.pass(61_000);
    }
    expect(at.desk.venue.batches).to.have.length(1);
    expect((await at.triggers()).map(({ status }) => status)).to.deep.equal(['COMPLETED']);
  });

  it('keeps its transform when its level is moved', async () => {
    record(24);
    await moves(0);
    const id = await at.open({ condition: zScore('MORE_THAN', '2') });
    expect((await at.change(id, { level: '1001' })).ok).to.equal(false);
    expect((await at.change(id, { level: '-1' })).ok, 'met already').to.equal(false);
    expect((await at.change(id, { level: '1' })).ok).to.equal(true);
    await moves(0.9);
    expect((await at.trigger(id)).status).to.equal('ACTIVE');
    await moves(1.1);
    expect((await at.ended(id)).status).to.equal('COMPLETED');
  });

  it('closes a position by its brackets', async () => {
    record(24);
    await moves(0);
    const id = await at.position();
    const set = (over: object) =>
      at.services.brackets.set(PRINCIPAL, at.desk.account, id, {
        stopLoss: {
          ...{ type: 'PRICE_RATIO', value: '-2', transform: 'Z_SCORE', lookback: 24, trailing: null },
          ...over,
        },
      });
    expect(JSON.stringify(await set({ value: '1' }))).to.contain('stopLoss.value');
    expect(JSON.stringify(await set({ lookback: 200 }))).to.contain('stopLoss.lookback');
    expect((await set({})).ok).to.equal(true);
    await at.desk.start();
    await moves(-1.9);
    expect(at.desk.state.positions.get(id)?.status).to.equal('OPEN');
    at.desk.venue.setMarks({ [AAA]: markAt(-2.1), [BBB]: '100' });
    await at.desk.advanceTo(() => at.desk.state.positions.get(id) === undefined);
    expect((await at.notifications()).at(-1)).to.equal('STOP_LOSS_HIT');
  });
});
