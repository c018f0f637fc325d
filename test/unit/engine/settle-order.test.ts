/** Outcome of a sent order: asked for until it is known, never sent again, never ended without all its fills. */

import { expect } from 'chai';
import { dec, text } from '../../../gateway/domain/decimal.ts';
import { engineDeskForEachTest, notificationsOf } from '../../support/desks-for-tests.ts';
import { leg } from '../../support/engine-desk.ts';
import { type Behaviour, SCRIPTED_SETTLE_MS } from '../../support/scripted-venue.ts';

const LEGS = [leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')];

describe('settling an order', () => {
  const desk = engineDeskForEachTest();

  const first = (behaviour: Behaviour) =>
    desk.venue.behave((order) => (order.symbol === 'AAA-PERP' ? behaviour : {}));
  /** Pauses before each question about the order, the first one counted from the sending. */
  const pauses = (sentAt: number): number[] => {
    const at = desk.venue.asked.map((question) => question.at);
    return at.map((time, index) => time - (at[index - 1] ?? sentAt));
  };
  const expectSentOnce = () => {
    const ids = desk.venue.sent.map((order) => order.clientOrderId);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(desk.venue.batches).to.have.length(1);
  };

  it('an answered order is not asked about', async () => {
    const execution = await desk.opened(LEGS);
    expect(execution).to.include({ status: 'COMPLETED' });
    expect(desk.venue.asked).to.deep.equal([]);
  });

  it('no answer: asked with growing pauses up to eight seconds, also when denials become final, and never sent again', async () => {
    first({ answer: 'silent', streamed: 0, lookups: Array.from({ length: 8 }, () => 'no_answer' as const) });
    const sentAt = desk.clock.now();
    const execution = await desk.opened(LEGS);
    expect(execution.status).to.equal('COMPLETED');
    // 5,000 ms to the expiry and 500 ms in which the venue may still execute: the fourth question comes just after.
    expect(pauses(sentAt)).to.deep.equal([500, 1_000, 2_000, 2_001, 8_000, 8_000, 8_000, 8_000, 8_000]);
    expectSentOnce();
  });

  it('what has filled is booked after a second, while the venue is silent about another leg', async () => {
    first({ answer: 'silent', streamed: 0, lookups: Array.from({ length: 8 }, () => 'no_answer' as const) });
    const id = await desk.open(LEGS);
    const held = () =>
      desk.state.positions.of(desk.account.id).map(({ legs }) => legs.map(({ quantity }) => quantity));
    await desk.pass(900);
    expect(held()).to.deep.equal([]);
    await desk.pass(200);
    expect(held()).to.deep.equal([['0', '10']]);
    expect((await desk.execution(id)).orders.map(({ filledQuantity }) => filledQuantity)).to.deep.equal([
      '0',
      '10',
    ]);
    const { status, positionId } = await desk.ended(id);
    expect(status).to.equal('COMPLETED');
    const { legs } = await desk.position(positionId);
    expect(legs.map(({ quantity, targetWeight }) => [quantity, targetWeight])).to.deep.equal([
      ['10', '0.5'],
      ['10', '0.5'],
    ]);
  });

  it('a close books what it has closed after a second, too, and the rest once', async () => {
    const { positionId } = await desk.opened(LEGS);
    first({ answer: 'silent', streamed: 0, lookups: Array.from({ length: 4 }, () => 'no_answer' as const) });
    const id = await desk.close(positionId ?? '');
    await desk.pass(1_100);
    expect((await desk.position(positionId)).legs.map(({ quantity }) => quantity)).to.deep.equal(['10', '0']);
    expect(await desk.ended(id)).to.include({ status: 'COMPLETED' });
    expect(await desk.position(positionId)).to.include({ status: 'CLOSED' });
    expect((await desk.store.fillsOfExecution(id)).map(({ quantity }) => quantity)).to.deep.equal([
      '10',
      '10',
    ]);
  });

  it('a silence of more than four seconds is told where some legs have filled, or a stop-loss is to come', async () => {
    const told = async () =>
      (await notificationsOf(desk)).map(({ category, parameters }) => [category, parameters.reason]);
    const silent: Behaviour = {
      ...{ answer: 'silent', streamed: 0 },
      lookups: Array.from({ length: 4 }, () => 'no_answer' as const),
    };
    first(silent);
    await desk.open(LEGS);
    await desk.pass(3_900);
    expect(await told()).to.deep.equal([]);
    await desk.pass(200);
    const [[category, reason] = []] = await told();
    expect(category).to.equal('LEG_IMBALANCE');
    expect(reason).to.match(/^Some legs have filled, and the venue has not said/);
    await desk.allEnded();
    desk.venue.behave(() => silent);
    const stopLoss = { type: 'DOLLAR', value: '100', trailing: null } as const;
    const setup = { stopLoss, takeProfit: null, autoRebalance: null };
    await desk.open([leg('CCC', 'BUY', '1000')], { setup });
    await desk.open([leg('CCC', 'SELL', '1000')]);
    await desk.pass(4_100);
    expect((await told()).map(([name]) => name)).to.deep.equal(['LEG_IMBALANCE', 'STOP_LOSS_NOT_SET']);
  });

  it('four orders that stay unknown for a minute cost 30 lookups at most', async () => {
    desk.venue.behave(() => ({
      lost: true,
      lookups: Array.from({ length: 99 }, () => 'no_answer' as const),
    }));
    const symbols = ['AAA', 'BBB', 'CCC', 'DDD'] as const;
    await desk.open(symbols.map((symbol) => leg(symbol, 'BUY', '1000')));
    await desk.pass(60_000);
    expect(desk.venue.asked.length).to.be.within(8, 30);
    expectSentOnce();
  });

  it('orders of many baskets that are unknown at once leave room for each other', async () => {
    desk.venue.behave(() => ({
      lost: true,
      lookups: Array.from({ length: 99 }, () => 'no_answer' as const),
    }));
    const symbols = ['AAA', 'BBB', 'CCC', 'DDD'] as const;
    const baskets = Array.from({ length: 15 }, (_, index) =>
      symbols.filter((_, bit) => ((index + 1) & (1 << bit)) !== 0),
    );
    for (const basket of baskets) await desk.open(basket.map((symbol) => leg(symbol, 'BUY', '100')));
    await desk.pass(60_000);
    expect(new Set(desk.venue.sent.map(({ clientOrderId }) => clientOrderId)).size).to.equal(32);
    // Without regard to each other they would be asked about nine times each.
    expect(desk.venue.asked.length).to.be.within(32, 32 * 7);
  });

  it('fills that make up the whole order end it without a question, although its answer was lost', async () => {
    first({ answer: 'silent', parts: 3 });
    const sentAt = desk.clock.now();
    const execution = await desk.opened(LEGS);
    expect(execution.status).to.equal('COMPLETED');
    expect(desk.venue.asked).to.deep.equal([]);
    expect((execution.finishedAt ?? 0) - sentAt).to.equal(0);
  });

  for (const fraction of ['0', '0.4', '1']) {
    it(`an order that was only taken in ends by the stream's word within half a second, without a question (${fraction} fills)`, async () => {
      first({ answer: 'accepted', fraction, parts: 2, endToldAfterMs: 290 });
      const execution = await desk.opened(LEGS);
      expect(execution.orders[0]).to.include({
        status: fraction === '1' ? 'FILLED' : 'CANCELLED',
        filledQuantity: text(dec('10').mul(fraction)),
      });
      expect(desk.venue.asked).to.deep.equal([]);
      expectSentOnce();
    });
  }

  it('orders that were only taken in, of which the stream says nothing, are asked for together, once', async () => {
    desk.venue.behave(() => ({ answer: 'accepted', streamed: 0, fraction: '0.5' }));
    const sentAt = desk.clock.now();
    const execution = await desk.opened(LEGS);
    expect(execution.orders.map(({ filledQuantity }) => filledQuantity)).to.deep.equal(['5', '5']);
    expect(desk.venue.asked.map(({ at }) => at - sentAt)).to.deep.equal([300, 300]);
    expect(desk.venue.questions).to.equal(1);
  });

  it('while nothing is known the order says UNKNOWN_OUTCOME, on disk and as an event; the truth takes its place', async () => {
    first({ answer: 'silent', streamed: 0, lookups: ['no_answer'] });
    const id = await desk.open(LEGS);
    await desk.advanceTo(() => desk.venue.asked.length > 0);
    const asking = await desk.execution(id);
    expect(asking.status).to.equal('ACTIVE');
    expect(asking.orders[0]).to.include({ status: 'PENDING', errorCode: 'UNKNOWN_OUTCOME' });
    expect(asking.orders[1]).to.include({ status: 'PENDING', errorCode: null });
    expect(desk.events.map(({ event, entityId }) => `${event} ${entityId}`)).to.deep.equal([
      `order.updated ${asking.orders[0]?.id}`,
    ]);
    const ended = await desk.ended(id);
    expect(ended.orders[0]).to.include({ status: 'FILLED', error: null, errorCode: null });
  });

  it('not_found before the order can have expired is not final', async () => {
    first({ answer: 'silent', streamed: 0, lookups: Array.from({ length: 3 }, () => 'not_found' as const) });
    const execution = await desk.opened(LEGS);
    expect(execution.orders[0]).to.include({ status: 'FILLED' });
    expectSentOnce();
  });

  it('not_found is final once the venue can no longer execute it: REJECTED, UNKNOWN_OUTCOME, sent once', async () => {
    first({ lost: true });
    const id = await desk.open(LEGS);
    await desk.quiet();
    const expiresAt = desk.venue.sent[0]?.expiresAt ?? 0;
    const execution = await desk.ended(id);
    expect(execution).to.include({ status: 'FAILED', errorCode: 'UNKNOWN_OUTCOME' });
    expect(execution.orders[0]).to.include({
      status: 'REJECTED',
      errorCode: 'UNKNOWN_OUTCOME',
      filledQuantity: '0',
    });
    expect(execution.orders[1]).to.include({ status: 'FILLED' });
    expect(execution.finishedAt).to.be.greaterThan(expiresAt + SCRIPTED_SETTLE_MS);
    expectSentOnce();
  });

  it('a not_found that was true when it was asked for, but came late, is asked again', async () => {
    // The venue answers "never seen" just before the order arrives; the answer travels until the order has expired.
    desk.venue.behave(() => ({ answer: 'silent', streamed: 0, lookups: ['not_found'] }));
    const release = desk.venue.holdLookups();
    const id = await desk.open([LEGS[0] ?? leg('AAA', 'BUY', '1000')]);
    await desk.advanceTo(() => desk.venue.asked.length === 1);
    await desk.pass(30_000);
    release();
    const execution = await desk.ended(id);
    expect(execution.status).to.equal('COMPLETED');
    expect(await desk.heldInBaskets('AAA-PERP')).to.equal(desk.venue.held('AAA-PERP'));
  });

  it('fills that the stream told count, although the venue goes on saying not_found', async () => {
    first({
      answer: 'silent',
      fraction: '0.5',
      lookups: Array.from({ length: 40 }, () => 'not_found' as const),
    });
    const execution = await desk.opened(LEGS);
    expect(execution.orders[0]).to.include({ status: 'CANCELLED', filledQuantity: '5' });
    expect(await desk.heldInBaskets('AAA-PERP')).to.equal('5');
  });

  it('an IOC that the venue says is resting is asked about until it is done', async () => {
    first({ answer: 'resting', streamed: 0, lookups: ['resting', 'resting'] });
    const execution = await desk.opened(LEGS);
    expect(execution.orders[0]).to.include({ status: 'FILLED' });
    expect(desk.venue.asked).to.have.length(3);
  });

  for (const told of [0, 1, 2] as const) {
    it(`fills that lag behind filledQuantity are waited for (the stream tells each ${told} times)`, async () => {
      first({ answer: 'without_fills', parts: 3, streamed: told, lookups: ['done_without_fills'] });
      const execution = await desk.opened(LEGS);
      const position = await desk.position(execution.positionId);
      expect(execution.orders[0]).to.include({ status: 'FILLED', filledQuantity: '10' });
      expect(position.legs[0]?.quantity).to.equal('10');
      const fills = (await desk.fills()).filter((fill) => fill.symbol === 'AAA-PERP');
      expect(fills.map((fill) => fill.tradeId)).to.deep.equal(
        desk.venue.fills.filter((fill) => fill.symbol === 'AAA-PERP').map((fill) => fill.tradeId),
      );
    });
  }

  it('a fill that the stream tells again after the end changes nothing', async () => {
    const execution = await desk.opened(LEGS);
    const before = await desk.position(execution.positionId);
    for (const fill of desk.venue.fills) desk.venue.tell({ kind: 'fill', fill });
    await desk.pass(1_000);
    expect(await desk.fills()).to.have.length(2);
    expect(await desk.position(execution.positionId)).to.deep.equal(before);
  });

  it('a rejection names the leg and the venue’s reason, and is not asked about', async () => {
    first({ rejects: { reason: 'margin', message: 'not enough collateral' } });
    const execution = await desk.opened(LEGS);
    expect(execution).to.include({ status: 'FAILED', errorCode: 'VENUE_REJECTED' });
    expect(execution.error)
      .to.include('Leg 1 (AAA-PERP BUY)')
      .and.to.include('not enough collateral')
      .and.to.include('partly filled');
    expect(desk.venue.asked).to.deep.equal([]);
  });

  it('an order that never arrived ends in time, whatever the clock was set to meanwhile', async () => {
    first({ lost: true });
    const sentAt = desk.clock.uptime();
    const id = await desk.open(LEGS);
    await desk.advanceTo(() => desk.venue.asked.length > 0);
    desk.clock.jump(-3_600_000);
    await desk.ended(id);
    expect((await desk.execution(id)).orders[0]).to.include({
      status: 'REJECTED',
      errorCode: 'UNKNOWN_OUTCOME',
    });
    expect(desk.clock.uptime() - sentAt).to.be.lessThan(20_000);
    expectSentOnce();
  });
});
