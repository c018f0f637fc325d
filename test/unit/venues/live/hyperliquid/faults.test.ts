/**
 * Orders at an emulated Hyperliquid that loses, denies, refuses and repeats: what the adapter says became of them.
 *
 * Each of these mistakes, made in the adapter by hand, fails at least the test named (w: `witness-adapter` as well, which
 * is skipped where the other client is not installed):
 *
 * | mistake | fails |
 * |---|---|
 * | side flipped; client id lost; asset of the next instrument; signed for the other network | live venue spec, "an id that was sent already" |
 * | sign of positions flipped | live venue spec, "lookups deny an order that exists" |
 * | answer of another leg, or all in reverse; index among the tradable instruments only | here, "one refused leg hides none" |
 * | every order Gtc; a part called filled | live venue spec, "an IOC that finds a part" |
 * | every order Ioc | here, "the list of open orders is empty" |
 * | no answer, or a 5xx, called not sent | live venue spec, "is lost or unreadable after the order executed" |
 * | reduce-only lost | venue spec, 07 |
 * | expiry dropped, or in this machine's time | live venue spec, "makes an expiry pass too early" |
 * | asset of cancels wrong (w) | `faults-account`, "are kept for closes and cancels" |
 * | subaccount not named; unified account read as a plain one (w) | `faults-account`, the tests of these |
 * | cross and isolated swapped, set or read (w); asset of a leverage wrong (w) | venue spec, 13 |
 * | margin moved the other way, or in USD | venue spec, 22 |
 * | quantity or price unscaled: of orders, answers, fills, positions (w) | `outgoing`, "quantities and prices of kPEPE" |
 * | side of fills flipped (w); somebody else's liquidation taken for ours | `faults-streams`, "names its cause", "is liquidated" |
 * | sign of funding flipped (w); sign of fees flipped (w) | `faults-streams`, "one id and one sign"; venue spec, 04 |
 */
import { expect } from 'chai';
import { until } from '../../../../support/until.ts';
import { refOf, VenueDesk } from '../../../../support/venues/hyperliquid/venue-desk.ts';

describe('orders at Hyperliquid, when things go wrong', () => {
  let desk: VenueDesk;
  beforeEach(async () => {
    desk = await VenueDesk.start();
  });
  afterEach(() => desk.close());

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
    expect(desk.script.traffic().counts['userFillsByTime']).to.be.at.most(2);
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
      await until(desk.clock, 'the stream told all fills', () => desk.fills.length === 3);
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
      await until(desk.clock, 'the stream told the fill', () => desk.fills.length === 1);
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
      await until(desk.clock, 'the stream told the fill', () => desk.fills.length === 1);
      expect(desk.fills[0]).to.include({ clientOrderId: null, symbol: 'SOL-PERP' });
    });
  });

  it('one refused leg hides none of the others, wherever it stands in the batch', async () => {
    for (const leg of [0, 1, 2]) {
      const text = 'Insufficient margin to place order. asset=0';
      desk.script.fault({ on: 'order', do: 'refuse_leg', leg, text });
      // Orders of one expiry are one request, as a basket's are; the numbers of the legs are the request's.
      const expiresAt = desk.clock.now() + 5_000;
      const orders = ['BTC-PERP', 'ETH-PERP', 'SOL-PERP'].map((symbol) =>
        desk.order({
          ...{ symbol, quantity: symbol === 'BTC-PERP' ? '0.001' : '0.1', expiresAt },
          limitPrice: symbol === 'BTC-PERP' ? '101000' : symbol === 'ETH-PERP' ? '4040' : '202',
        }),
      );
      const outcomes = await desk.place(...orders);
      expect(outcomes.map(({ clientOrderId }) => clientOrderId)).to.deep.equal(
        orders.map(({ clientOrderId }) => clientOrderId),
      );
      const kinds = outcomes.map(({ kind }) => kind);
      expect(kinds).to.deep.equal([0, 1, 2].map((index) => (index === leg ? 'rejected' : 'done')));
      expect(outcomes[leg]).to.include({ reason: 'margin' });
    }
  });

  it('an IOC that finds nothing is done and cancelled with nothing filled', async () => {
    desk.script.setBook('BTC', [['99990', '1']], [['105000', '1']]);
    const order = desk.order();
    const wanted = { kind: 'done', state: 'cancelled', filledQuantity: '0' };
    expect(await desk.placeOne(order)).to.include(wanted);
    expect((await desk.lookUp(order))[0]).to.include(wanted);
  });

  it('an order that fills while its cancel is lost is found filled', async () => {
    const order = desk.order({ timeInForce: 'GTC', limitPrice: '99000' });
    await desk.placeOne(order);
    desk.script.fault({ on: 'cancelByCloid', do: 'cut_before' });
    const cancelled = await desk.venue.cancel(desk.test.account, refOf(order));
    expect(cancelled.ok ? null : cancelled.error.kind).to.equal('unknown');
    desk.script.setMark('BTC', '98000');
    expect((await desk.lookUp(order))[0]).to.include({ kind: 'done', state: 'filled' });
  });

  for (const words of ['Invalid nonce: duplicate nonce 5', 'Invalid nonce: nonce too low 5']) {
    it(`a refused nonce means that nothing was looked at: not sent, and the same id goes through once (${words})`, async () => {
      desk.script.fault({ on: 'order', do: 'answer', json: { status: 'err', response: words } });
      const order = desk.order();
      const first = await desk.placeOne(order);
      expect(first).to.include({ kind: 'not_sent' });
      expect(await desk.placeOne(order)).to.include({ kind: 'done', state: 'filled' });
      expect([desk.sentTimes(order), desk.held()]).to.deep.equal([2, '0.001']);
    });
  }

  it('a leverage that comes late is not set, and the next one is', async () => {
    desk.script.setClockOffset(20_000);
    const set = () =>
      desk.venue.setLeverage(desk.test.account, { symbol: 'BTC-PERP', leverage: 3, marginMode: 'cross' });
    const late = await set();
    expect(late.ok ? null : late.error).to.include({ kind: 'throttled' });
    // The clock has been measured since.
    expect((await set()).ok).to.equal(true);
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

  it('a price too far from the oracle’s refuses that leg for its price', async () => {
    await desk.placeOne();
    desk.script.setOracle('BTC', '2000000');
    const outcome = await desk.placeOne(desk.closing());
    expect(outcome).to.include({ kind: 'rejected', reason: 'price' });
    expect(desk.held()).to.equal('0.001');
  });

  for (const end of ['revokeAgent', 'expireAgent'] as const) {
    it(`a key that ends in the middle of the day is told as such, for orders and settings (${end})`, async () => {
      const [agent] = desk.script.state(desk.user).agents;
      desk.script[end](desk.user, agent?.address ?? '');
      const outcome = await desk.placeOne();
      expect(outcome).to.include({ kind: 'rejected', reason: 'other' });
      expect(outcome.kind === 'rejected' ? outcome.message : '').to.match(/does not exist/);
      expect(desk.warnings(/refuses the key/)).to.have.length(1);
      const setting = { symbol: 'BTC-PERP', leverage: 3, marginMode: 'cross' } as const;
      const set = await desk.venue.setLeverage(desk.test.account, setting);
      expect(set.ok ? null : set.error.kind).to.equal('auth');
      expect(desk.warnings(/refuses the key/)).to.have.length(2);
      // Requests without a key go on.
      expect(await desk.venue.positions(desk.test.account)).to.deep.include({ ok: true });
    });
  }
});
