/** Take-profit and stop-loss of open positions. */

import { expect } from 'chai';
import type { Bracket } from '../../../../gateway/domain/trigger.ts';
import { triggerDeskForEachTest } from '../../../support/desks-for-tests.ts';
import { leg } from '../../../support/engine-desk.ts';
import { AAA, BBB, PAIR } from '../../../support/trigger-desk.ts';
import {
  type BracketChange,
  bracketsRefused,
  plain,
  setBrackets,
  setupOf,
  trailing,
} from './bracket-desk.ts';

describe('brackets', () => {
  const at = triggerDeskForEachTest();
  let positionId: string;
  beforeEach(async () => {
    positionId = await at.position();
  });

  const set = (change: BracketChange) => setBrackets(at, positionId, change);
  const setStop = async (stopLoss: Bracket) => (await set({ stopLoss })).stopLoss?.id ?? '';
  const refusal = (change: BracketChange, id = positionId) => bracketsRefused(at, id, change);
  const closed = async () => (await at.desk.position(positionId)).status === 'CLOSED';

  it('one cancels other: the stop-loss makes room with the firing and is cancelled with the close', async () => {
    const { takeProfit, stopLoss } = await set({
      takeProfit: plain('DOLLAR', '50'),
      stopLoss: plain('PERCENTAGE', '3'),
    });
    await at.waitsAt(takeProfit?.id ?? '', '105');
    at.desk.venue.setMark(AAA, '105.1');
    const done = await at.ended(takeProfit?.id ?? '');
    expect(done).to.include({ status: 'COMPLETED', lastValue: '51' });
    const other = await at.trigger(stopLoss?.id ?? '');
    expect(other).to.include({ status: 'CANCELLED', error: 'The other bracket of the position fired' });
    const unit = at.desk.commits.find(({ unit: { triggers } }) =>
      triggers?.some((one) => one.status === 'TRIGGERED'),
    );
    expect(unit?.unit.triggers?.map(({ id, status }) => [id, status])).to.deep.equal([
      [done.id, 'TRIGGERED'],
      [other.id, 'PAUSED'],
    ]);
    const last = at.desk.commits.find(({ unit: { triggers } }) =>
      triggers?.some(({ status }) => status === 'COMPLETED'),
    );
    expect(last?.unit.triggers?.map(({ id, status }) => [id, status])).to.have.deep.members([
      [done.id, 'COMPLETED'],
      [other.id, 'CANCELLED'],
    ]);
    expect(last?.unit.positions?.map(({ status }) => status)).to.deep.equal(['CLOSED']);
    expect(await closed()).to.equal(true);
    expect((await at.desk.execution(done.executionId ?? '')).origin).to.equal('BRACKET');
    expect(await at.notifications()).to.deep.equal(['TAKE_PROFIT_HIT']);
    expect(at.services.brackets.of(positionId)).to.deep.equal({ takeProfit: null, stopLoss: null });
  });

  it('both due at once: the stop-loss fires', async () => {
    const { takeProfit, stopLoss } = await set({
      takeProfit: plain('PRICE_RATIO', '1.2'),
      stopLoss: plain('DOLLAR', '20'),
    });
    // Far more long than short by now: the ratio can rise while the position loses.
    await at.desk.ended(await at.desk.open([leg('AAA', 'BUY', '5000'), leg('BBB', 'SELL', '100')]));
    at.desk.venue.setMarks({ [AAA]: '90', [BBB]: '70' });
    expect((await at.ended(stopLoss?.id ?? '')).status).to.equal('COMPLETED');
    expect((await at.trigger(takeProfit?.id ?? '')).status).to.equal('CANCELLED');
    expect(at.desk.venue.held(AAA)).to.equal('0');
  });

  for (const [bracket, miss, hit] of [
    [plain('PERCENTAGE', '1'), '102', '102.1'],
    [plain('DOLLAR', '20'), '102', '102.1'],
    [plain('POSITION_VALUE', '2020'), '102', '102.1'],
    [plain('PRICE_RATIO', '1.02'), '102', '102.1'],
    [plain('WEIGHTED_RATIO', '1.01'), '102', '102.1'],
  ] as const) {
    it(`take-profit by ${bracket.type}`, async () => {
      const { takeProfit } = await set({ takeProfit: bracket });
      await at.waitsAt(takeProfit?.id ?? '', miss);
      await at.firesAt(takeProfit?.id ?? '', hit);
    });
  }

  it('a trailing stop follows the best value and fires when it is lost by delta', async () => {
    const id = await setStop(trailing('DOLLAR', '100', '20'));
    for (const mark of ['101', '105', '103.5', '106', '104']) {
      await at.moveMark(AAA, mark);
    }
    expect(at.services.triggers.observation(id)).to.include({ peak: '60', value: '40' });
    expect((await at.trigger(id)).status).to.equal('ACTIVE');
    at.desk.venue.setMark(AAA, '103.9');
    expect(await at.ended(id)).to.include({ status: 'COMPLETED', lastValue: '39' });
    expect(await at.notifications()).to.deep.equal(['STOP_LOSS_HIT']);
  });

  it('a trailing take-profit begins at its activation', async () => {
    const { takeProfit } = await set({ takeProfit: trailing('DOLLAR', '30', '10') });
    const id = takeProfit?.id ?? '';
    for (const mark of ['102.9', '101', '103', '102.1']) {
      await at.moveMark(AAA, mark);
    }
    expect((await at.trigger(id)).status).to.equal('ACTIVE');
    await at.firesAt(id, '101.9');
  });

  it('a peak is kept now and then, not with every tick, and a restart goes on from it', async () => {
    const id = await setStop(trailing('DOLLAR', '500', '100'));
    for (let step = 1; step <= 100; step += 1) at.desk.venue.setMark(AAA, String(100 + step / 10));
    await at.desk.quiet();
    const rows = at.desk.commits.flatMap(({ unit }) => unit.trailingPeaks ?? []);
    expect(rows.length).to.be.within(10, 22);
    expect(at.services.triggers.observation(id)?.peak).to.equal('100');
    await at.desk.start();
    expect(Number(at.services.triggers.observation(id)?.peak)).to.be.at.least(95);
    await at.firesAt(id, '99.4');
  });

  it('a change of the quantities moves the peak with the figures', async () => {
    const id = await setStop(trailing('DOLLAR', '100', '30'));
    await at.moveMark(AAA, '110');
    await at.moveMark(AAA, '108');
    // 20 lost from the peak of 100; half is closed: 40 is what is left, and 10 more may be lost.
    await at.desk.ended(await at.desk.close(positionId, '0.5'));
    await at.desk.quiet();
    expect(at.services.triggers.observation(id)).to.include({ value: '40', peak: '60' });
    await at.waitsAt(id, '106.1');
    await at.firesAt(id, '105.9');
  });

  it('a value that has moved with the size is kept over a restart', async () => {
    const id = await setStop(plain('POSITION_VALUE', '1900'));
    await at.desk.ended(await at.desk.close(positionId, '0.5'));
    await at.desk.quiet();
    await at.desk.start();
    expect(at.services.triggers.observation(id)).to.include({ level: '950' });
    await at.waitsAt(id, '90.1');
    await at.firesAt(id, '89.9');
  });

  it('is replaced, removed, and left alone', async () => {
    const first = await set({ takeProfit: plain('DOLLAR', '50'), stopLoss: plain('DOLLAR', '50') });
    const second = await set({ takeProfit: plain('DOLLAR', '80') });
    expect(second.stopLoss?.id).to.equal(first.stopLoss?.id);
    expect((await at.trigger(first.takeProfit?.id ?? '')).status).to.equal('CANCELLED');
    await at.moveMark(AAA, '106', 1_000);
    expect(await closed()).to.equal(false);
    const third = await set({ takeProfit: null, stopLoss: null });
    expect(third).to.deep.equal({ takeProfit: null, stopLoss: null });
    expect((await refusal({ takeProfit: null })).code).to.equal('NOOP_ERROR');
    await at.moveMark(AAA, '80', 1_000);
    expect(await closed()).to.equal(false);
  });

  it('is refused where its level is passed, where its metric does not fit, and for what is not open', async () => {
    await at.moveMark(AAA, '110');
    expect(await refusal({ takeProfit: plain('DOLLAR', '99') })).to.have.nested.property(
      'details[0].path',
      'takeProfit.value',
    );
    expect(await refusal({ stopLoss: plain('PRICE_RATIO', '1.2') })).to.have.nested.property(
      'details[0].path',
      'stopLoss.value',
    );
    const { positionId: single } = await at.desk.opened([leg('CCC', 'BUY', '100')]);
    expect(await refusal({ stopLoss: plain('PRICE_RATIO', '1') }, single ?? '')).to.have.nested.property(
      'details[0].path',
      'stopLoss.type',
    );
    expect(await at.triggers()).to.deep.equal([]);
    await at.desk.ended(await at.desk.close(positionId));
    expect((await refusal({ stopLoss: plain('DOLLAR', '9') })).code).to.equal('NOOP_ERROR');
    expect((await refusal({ stopLoss: plain('DOLLAR', '9') }, 'nobody')).code).to.equal('RESOURCE_NOT_FOUND');
  });

  it('ends with a position that its owner, or the venue, closes', async () => {
    const { stopLoss } = await set({ stopLoss: plain('DOLLAR', '50') });
    for (const [symbol, side] of [
      [AAA, 'SELL'],
      [BBB, 'BUY'],
    ] as const) {
      at.desk.venue.trade({ symbol, side, quantity: '10', isLiquidation: true });
    }
    await at.desk.advanceTo(() => at.desk.state.positions.get(positionId) === undefined);
    expect(await at.trigger(stopLoss?.id ?? '')).to.include({
      status: 'CANCELLED',
      error: 'The position was closed',
    });
  });

  it('of an order: armed with its fills, whatever happens to the process in between', async () => {
    const setup = setupOf({ takeProfit: plain('DOLLAR', '40'), stopLoss: plain('DOLLAR', '40') });
    at.desk.dieAfterCommit = (unit) => (unit.newExecutions?.length ?? 0) > 0;
    const opened = at.desk.open(
      PAIR.map((one) => ({ ...one, amount: '500' })),
      { setup },
    );
    opened.catch(() => undefined);
    await at.desk.quiet();
    expect(at.desk.isAlive).to.equal(false);
    await at.desk.start();
    await at.desk.allEnded();
    // The order that was acknowledged to nobody failed, and with it its brackets.
    expect(await at.triggers()).to.deep.equal([]);

    at.desk.dieAtSend = 'after';
    at.desk.open(PAIR, { setup }).catch(() => undefined);
    await at.desk.advanceTo(() => !at.desk.isAlive);
    await at.desk.start();
    await at.desk.allEnded();
    const armed = await at.triggers();
    expect(armed.map(({ bracketType, status }) => [bracketType, status])).to.deep.equal([
      ['TAKE_PROFIT', 'ACTIVE'],
      ['STOP_LOSS', 'ACTIVE'],
    ]);
    await at.firesAt(armed[1]?.id ?? '', '97');
    expect(at.desk.venue.held(AAA)).to.equal('0');
  });
});
