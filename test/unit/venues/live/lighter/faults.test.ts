/**
 * Orders at an emulated Lighter that loses, denies, refuses and repeats: what the adapter says became of them.
 *
 * Each of these mistakes, made in the adapter by hand, fails at least the test named:
 *
 * | mistake | fails |
 * |---|---|
 * | side flipped; sign of positions flipped | venue spec, 04 |
 * | reduce-only lost | venue spec, 07 |
 * | cross and isolated swapped | venue spec, 13 and 14 |
 * | margin moved the other way | venue spec, 22 |
 * | no answer called not sent | live venue spec, "is lost or unreadable after the order executed" |
 * | expiry dropped, or in this machine's time | live venue spec, "by seconds is a warning" |
 * | rates taken for fractions | live venue spec, "one id and one sign" |
 * | not sent again after a wrong nonce | `nonces`, "goes once more with its number" |
 */
import { expect } from 'chai';
import { openForEachTest } from '../../../../support/open-for-tests.ts';
import { until } from '../../../../support/until.ts';
import { VenueDesk } from '../../../../support/venues/lighter/venue-desk.ts';

describe('orders at Lighter, when things go wrong', () => {
  const desk = openForEachTest(() => VenueDesk.start());

  it('an order that the venue takes in is accepted, and the stream tells its end: nobody asks', async () => {
    desk.script.clearTraffic();
    const basket = desk.basket();
    const outcomes = await desk.place(...basket);
    for (const { kind } of outcomes) expect(kind).to.be.oneOf(['accepted', 'done']);
    for (const order of basket)
      expect(await desk.ended(order)).to.include({
        kind: 'done',
        state: 'filled',
        filledQuantity: order.quantity,
      });
    expect([desk.count('sendTxBatch createOrder'), desk.count('accountOrders')]).to.deep.equal([1, 0]);
  });

  it('baskets that ask at once share a question, each with its own answer: a standard account has few', async () => {
    desk.script.streamFaults({ silent: ['account_all_orders', 'account_all_trades', 'account_tx'] });
    const baskets = [desk.basket(), desk.basket(), desk.basket(), desk.basket()];
    for (const basket of baskets) await desk.place(...basket);
    desk.script.clearTraffic();
    const found = await Promise.all(baskets.map((basket) => desk.lookUp(...basket)));
    for (const [index, answers] of found.entries()) {
      const ids = baskets[index]?.map(({ clientOrderId }) => clientOrderId);
      expect(answers.map(({ clientOrderId }) => clientOrderId)).to.deep.equal(ids);
      for (const one of answers) expect(one.kind === 'done' ? one.fills : []).to.have.length(1);
    }
    // At most the first one was on its way when the others asked.
    expect(desk.count('accountOrders')).to.be.within(1, 2);
    expect(desk.count('trades')).to.be.within(1, 2);
  });

  it('an answer that is lost with the order itself: unknown, not found, and the next order has its nonce', async () => {
    const nonce = desk.nextNonce;
    desk.script.fault({ on: 'sendTx', do: 'cut_before' });
    const lost = desk.order();
    expect(await desk.placeOne(lost)).to.include({ kind: 'unknown' });
    expect(await desk.trade()).to.include({ state: 'filled' });
    expect((await desk.lookUp(lost))[0]).to.include({ kind: 'not_found' });
    expect(desk.nextNonce).to.equal(nonce + 1);
  });

  it('an id that was sent and is not found is never sent again: it may still be on its way', async () => {
    desk.script.fault({ on: 'sendTx', do: 'status', code: 503 });
    const order = desk.order();
    await desk.placeOne(order);
    expect(await desk.placeOne(order)).to.include({ kind: 'unknown' });
    expect([desk.sentTimes(order), desk.held()]).to.deep.equal([1, '0']);
  });

  describe('the sequencer', () => {
    it('refuses what the API has taken: accepted, then rejected with its reason, and the lookup says so too', async () => {
      desk.script.refuseInSequencer({ kind: 'createOrder', code: 21_739, message: 'not enough margin' });
      const order = desk.order();
      expect(await desk.trade(order)).to.include({ kind: 'rejected', reason: 'margin' });
      expect((await desk.lookUp(order))[0]).to.include({ kind: 'rejected', reason: 'margin' });
      expect(await desk.trade()).to.include({ state: 'filled' });
    });

    for (const consumesNonce of [true, false]) {
      it(`keeps a refused transaction’s nonce or gives it back (${consumesNonce}): the next order finds the right one`, async () => {
        desk.script.refuseInSequencer({ kind: 'createOrder', consumesNonce });
        const refused = desk.order();
        await desk.placeOne(refused);
        await desk.ended(refused);
        const order = desk.order();
        expect(await desk.trade(order)).to.include({ state: 'filled' });
        expect(desk.sentTimes(order)).to.equal(1);
      });
    }

    for (const [orderStatus, wanted] of [
      ['canceled-margin-not-allowed', { kind: 'rejected', reason: 'margin' }],
      ['canceled-reduce-only', { kind: 'rejected', reason: 'reduce_only' }],
      ['canceled-too-much-slippage', { kind: 'done', state: 'cancelled', filledQuantity: '0' }],
      ['canceled-self-trade', { kind: 'done', state: 'cancelled', filledQuantity: '0' }],
    ] as const) {
      it(`ends an order as ${orderStatus}`, async () => {
        desk.script.refuseInSequencer({ kind: 'createOrder', orderStatus });
        const order = desk.order();
        expect(await desk.trade(order)).to.include(wanted);
        expect((await desk.lookUp(order))[0]).to.include(wanted);
      });
    }

    it('lets a reduce-only order that would open vanish: accepted, nothing told, not found, and the next order goes', async () => {
      const vanished = desk.closing();
      expect(await desk.placeOne(vanished)).to.include({ kind: 'accepted' });
      expect(await desk.trade()).to.include({ state: 'filled' });
      expect(desk.told(vanished)).to.equal(undefined);
      expect((await desk.lookUp(vanished))[0]).to.include({ kind: 'not_found' });
    });

    it('comes to an order after its expiry: it does not execute, and its nonce is the next order’s', async () => {
      desk.script.setExecutionDelay(1_600);
      const late = desk.order({ expiresAt: desk.clock.now() + 1_300 });
      expect(await desk.placeOne(late)).to.include({ kind: 'accepted' });
      expect(await desk.ended(late)).to.include({ kind: 'rejected', reason: 'expired' });
      desk.script.setExecutionDelay(0);
      expect(await desk.trade()).to.include({ state: 'filled' });
      expect(desk.held()).to.equal('0.001');
    });
  });

  describe('a batch', () => {
    it('that is refused although a part of it may have been taken is unknown: nothing is sent twice', async () => {
      const basket = desk.basket();
      const json = { code: 21_739, message: 'not enough margin to create the order' };
      desk.script.fault({ on: 'sendTxBatch', do: 'answer', json, code: 400, execute: true });
      const outcomes = await desk.place(...basket);
      expect(outcomes.map(({ kind }) => kind)).to.deep.equal(['unknown', 'unknown', 'unknown']);
      for (const order of basket) {
        expect(await desk.ended(order)).to.include({ state: 'filled' });
        expect(desk.sentTimes(order)).to.equal(1);
      }
    });

    it('of more than fifteen legs leaves in parts', async () => {
      const expiresAt = desk.clock.now() + 10_000;
      const orders = Array.from({ length: 20 }, () => desk.order({ expiresAt }));
      await desk.place(...orders);
      for (const order of orders) expect(await desk.ended(order)).to.include({ state: 'filled' });
      expect(desk.count('sendTxBatch createOrder')).to.equal(2);
    });
  });

  it('an order that fills while its cancel is on its way is not cancelled: the sequencer says so', async () => {
    const order = await desk.rest();
    desk.script.setExecutionDelay(300);
    const cancelled = desk.cancel(order);
    await until(desk.clock, 'the cancel has left', () => desk.count('sendTx cancelOrder') === 1);
    desk.script.setMark('BTC', '98000');
    const answer = await cancelled;
    expect(answer.ok ? null : answer.error.kind).to.equal('rejected');
    expect(await desk.ended(order)).to.include({ state: 'filled' });
  });

  it('a setting whose end the stream does not tell is asked for by its hash', async () => {
    desk.script.streamFaults({ silent: ['account_tx'] });
    const set = await desk.setLeverage();
    expect(set).to.deep.include({ ok: true });
    expect(desk.count('tx')).to.be.at.least(1);
  });
});
