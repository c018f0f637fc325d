/**
 * Orders at an emulated Hyperliquid that loses, denies, refuses and repeats: what the adapter says became of them.
 *
 * Each of these mistakes, made in the adapter by hand, fails at least the test named:
 *
 * | mistake | fails |
 * |---|---|
 * | side flipped; client id lost; asset of the next instrument; signed for the other network | live venue spec, "an id that was sent already" |
 * | sign of positions flipped | live venue spec, "lookups deny an order that exists" |
 * | answer of another leg, or all in reverse; index among the tradable instruments only | live venue spec, "one refused leg hides none" |
 * | every order Gtc; a part called filled | live venue spec, "an IOC that finds a part" |
 * | every order Ioc | here, "the list of open orders is empty" |
 * | no answer, or a 5xx, called not sent | live venue spec, "is lost or unreadable after the order executed" |
 * | reduce-only lost | venue spec, 07 |
 * | expiry dropped, or in this machine's time | live venue spec, "makes an expiry pass too early" |
 * | asset of cancels wrong | `faults-account`, "are kept for closes and cancels" |
 * | subaccount not named | live venue spec, "a subaccount is an account like any other" |
 * | unified account read as a plain one | `faults-account`, "a unified account" |
 * | cross and isolated swapped, set or read; asset of a leverage wrong | venue spec, 13 |
 * | margin moved the other way, or in USD | venue spec, 22 |
 * | quantity or price unscaled: of orders, answers, fills, positions | live venue spec, "an instrument of thousands" |
 * | side of fills flipped; somebody else's liquidation taken for ours | live venue spec, "names its cause"; `faults-streams`, "is liquidated" |
 * | sign of funding flipped; sign of fees flipped | live venue spec, "one id and one sign"; venue spec, 04 |
 */
import { expect } from 'chai';
import { openForEachTest } from '../../../../support/open-for-tests.ts';
import { until } from '../../../../support/until.ts';
import { VenueDesk } from '../../../../support/venues/hyperliquid/venue-desk.ts';

describe('orders at Hyperliquid, when things go wrong', () => {
  const desk = openForEachTest(() => VenueDesk.start());

  it('one error for all legs refuses each of them, with its words', async () => {
    const error = 'Insufficient margin to place order. asset=0';
    const response = { type: 'order', data: { statuses: [{ error }] } };
    desk.script.fault({ on: 'order', do: 'answer', json: { status: 'ok', response } });
    const outcomes = await desk.place(desk.order(), desk.order(), desk.order());
    for (const outcome of outcomes)
      expect(outcome).to.include({ kind: 'rejected', reason: 'margin', message: error });
    expect(outcomes).to.have.length(3);
  });

  it('an error of the request refuses each leg for the reason that its words name', async () => {
    const response = 'Order price too far from oracle';
    desk.script.fault({ on: 'order', do: 'answer', json: { status: 'err', response } });
    for (const outcome of await desk.place(desk.order(), desk.order()))
      expect(outcome).to.include({ kind: 'rejected', reason: 'price', message: response });
  });

  it('one answer that is no refusal says nothing of the other legs', async () => {
    const response = { type: 'order', data: { statuses: [{ resting: { oid: 7 } }] } };
    desk.script.fault({ on: 'order', do: 'answer', json: { status: 'ok', response } });
    for (const outcome of await desk.place(desk.order(), desk.order()))
      expect(outcome).to.include({ kind: 'unknown' });
  });

  it('orders of many baskets that are looked up together share the reading of their fills', async () => {
    const orders = [desk.order(), desk.order(), desk.order(), desk.order()];
    for (const order of orders) await desk.placeOne(order);
    desk.script.clearTraffic();
    const found = await Promise.all(orders.map((order) => desk.lookUp(order)));
    for (const [one] of found) expect(one).to.include({ kind: 'done', filledQuantity: '0.001' });
    for (const [one] of found) expect(one?.kind === 'done' ? one.fills : []).to.have.length(1);
    expect(desk.count('userFillsByTime')).to.be.at.most(2);
  });

  it('the list of open orders is empty or not one although an order rests: the lookup says that it rests', async () => {
    const order = desk.order({ timeInForce: 'GTC', limitPrice: '90000' });
    expect(await desk.placeOne(order)).to.include({ kind: 'resting' });
    desk.script.fault({ on: 'openOrders', do: 'answer', json: [] });
    const empty = await desk.venue.openOrders(desk.test.account);
    expect(empty.ok ? empty.value : null).to.deep.equal([]);
    expect((await desk.lookUp(order))[0]).to.include({ kind: 'resting', filledQuantity: '0' });
    desk.script.fault({ on: 'openOrders', do: 'answer', json: { error: 'busy' } });
    expect(await desk.venue.openOrders(desk.test.account)).to.deep.include({ ok: false });
  });

  describe('fills that name their order by the venue’s number only', () => {
    beforeEach(() => desk.script.setFillsNameClientIds(false));

    it('are booked to the right orders of a basket, on the stream, in the lookup and in the history', async () => {
      const cursor = await desk.cursor();
      const basket = [
        desk.order({ quantity: '0.002' }),
        desk.order({ symbol: 'ETH-PERP', side: 'SELL', quantity: '0.05', limitPrice: '3960' }),
        desk.order({ symbol: 'SOL-PERP', quantity: '1.5', limitPrice: '202' }),
      ];
      await desk.place(...basket);
      await desk.untilFills(3);
      const wanted = basket.map(({ clientOrderId, symbol }) => `${symbol} ${clientOrderId}`).sort();
      const named = (fills: VenueDesk['fills']) =>
        fills.map(({ clientOrderId, symbol }) => `${symbol} ${clientOrderId}`).sort();
      expect(named(desk.fills)).to.deep.equal(wanted);
      expect(named((await desk.history(cursor)).fills)).to.deep.equal(wanted);
      const found = await desk.lookUp(...basket);
      expect(named(found.flatMap((one) => (one.kind === 'done' ? one.fills : [])))).to.deep.equal(wanted);
    });

    it('are booked although order updates are silent and the answer is lost: the venue is asked whose they are', async () => {
      desk.script.streamFaults({ silent: ['orderUpdates'] });
      desk.script.fault({ on: 'order', do: 'lose_answer' });
      const order = desk.order();
      expect(await desk.placeOne(order)).to.include({ kind: 'unknown' });
      await desk.untilFills(1);
      expect(desk.fills[0]).to.include({ clientOrderId: order.clientOrderId });
    });

    it('and are heard before the order’s answer are that order’s', async () => {
      desk.script.fault({ on: 'order', do: 'delay', afterMs: 300 });
      const order = desk.order();
      let isAnswered = false;
      const answered = desk.placeOne(order).finally(() => {
        isAnswered = true;
      });
      await until(desk.clock, 'the stream told the order', () => desk.events.length > 0);
      expect(isAnswered).to.equal(false);
      expect(await answered).to.include({ kind: 'done', state: 'filled', filledQuantity: '0.001' });
      await until(desk.clock, 'the stream told the fill', () => desk.fills.length > 0);
      expect(desk.fills.map(({ clientOrderId }) => clientOrderId)).to.deep.equal([order.clientOrderId]);
    });

    it('of somebody else’s order belong to none of ours', async () => {
      desk.script.tradeElsewhere(desk.user, 'SOL', 'buy', '1', '200');
      await desk.untilFills(1);
      expect(desk.fills[0]).to.include({ clientOrderId: null, symbol: 'SOL-PERP' });
    });
  });

  it('a leverage that comes late is not set, and the next one is', async () => {
    desk.script.setClockOffset(20_000);
    const late = await desk.setLeverage();
    expect(late.ok ? null : late.error).to.include({ kind: 'throttled' });
    // The clock has been measured since.
    expect((await desk.setLeverage()).ok).to.equal(true);
  });

  it('an order does not wait for questions that hang, however many there are', async () => {
    await desk.placeOne();
    desk.script.fault({ on: 'orderStatus', do: 'hang', execute: false, times: null });
    const asked = desk.lookUp(...Array.from({ length: 60 }, () => desk.order()));
    await until(desk.clock, 'some hang', () => desk.script.sentContaining('orderStatus').length > 20);
    expect(await desk.placeOne(desk.closing())).to.include({ kind: 'done', state: 'filled' });
    await desk.venue.stop();
    await asked;
  });
});
