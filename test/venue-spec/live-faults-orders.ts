/** Orders at a live venue that loses, denies, refuses and repeats. */
import { expect } from 'chai';
import type { PlaceOrder } from '../../gateway/engine/ports/venue.ts';
import { until } from '../support/until.ts';
import type { Begin, Desk, LiveVenue } from './live-venue.ts';

const FILLED = { kind: 'done', state: 'filled', filledQuantity: '0.001' };

export function ordersSpec<D extends Desk>(venue: LiveVenue<D>, begin: Begin<D>): void {
  let desk: D;
  const { orderRequest: on } = venue;
  beforeEach(async () => {
    desk = await begin();
  });
  const expectFound = async (order: PlaceOrder, wanted: object) => {
    const [found] = await desk.lookUp(order);
    expect(found).to.include(wanted);
    return found?.kind === 'done' ? found.fills : [];
  };

  for (const fault of venue.unreadable) {
    it(`an answer is lost or unreadable after the order executed (${JSON.stringify(fault)}): unknown, found by its id, sent once`, async () => {
      desk.script.fault({ on, ...fault });
      const order = desk.order();
      expect(await desk.placeOne(order)).to.include({ kind: 'unknown' });
      expect(await desk.ended(order)).to.include({ kind: 'done', state: 'filled' });
      expect(await expectFound(order, FILLED)).to.have.length(1);
      expect([desk.sentTimes(order), desk.held()]).to.deep.equal([1, '0.001']);
    });
  }

  it('an answer does not come in time: unknown, and found', async () => {
    desk.script.fault({ on, do: 'hang', execute: true });
    const order = desk.order({ expiresAt: desk.clock.now() + 2_200 });
    expect(await desk.placeOne(order)).to.include({ kind: 'unknown' });
    await expectFound(order, { kind: 'done', state: 'filled' });
    expect(desk.sentTimes(order)).to.equal(1);
  });

  it('an answer is a maintenance page before anything executed: unknown, never not sent, and later not found', async () => {
    desk.script.fault({ on, do: 'status', code: 503 });
    const order = desk.order();
    expect(await desk.placeOne(order)).to.include({ kind: 'unknown' });
    await expectFound(order, { kind: 'not_found' });
    expect([desk.sentTimes(order), desk.held()]).to.deep.equal([1, '0']);
  });

  it('an id that was sent already, sent again, has its first outcome and executes nothing', async () => {
    const order = desk.order();
    desk.script.fault({ on, do: 'lose_answer' });
    await desk.trade(order);
    expect(await desk.placeOne(order)).to.include({ kind: 'done', state: 'filled' });
    expect([desk.sentTimes(order), desk.held()]).to.deep.equal([venue.sendsAgain ? 2 : 1, '0.001']);
  });

  it('lookups deny an order that exists: not found, while the history and the position tell of it', async () => {
    const cursor = await desk.cursor();
    venue.forgetOrders(desk, 2);
    desk.script.fault({ on, do: 'lose_answer' });
    desk.script.streamFaults({ silent: venue.orderStreams });
    const order = desk.order();
    expect(await desk.placeOne(order)).to.include({ kind: 'unknown' });
    await until(desk.clock, 'it executed', () => desk.held() === '0.001');
    await expectFound(order, { kind: 'not_found' });
    const { fills } = await desk.history(cursor);
    expect(fills.map(({ clientOrderId }) => clientOrderId)).to.deep.equal([order.clientOrderId]);
    expect((await desk.positions())[0]).to.include({ symbol: 'BTC-PERP', quantity: '0.001' });
    await expectFound(order, { kind: 'not_found' });
    await expectFound(order, { kind: 'done', state: 'filled' });
  });

  it('a fill that is heard before the order’s answer is that order’s', async () => {
    desk.script.fault({ on, do: 'delay', afterMs: 300 });
    const order = desk.order();
    let isAnswered = false;
    const answered = desk.placeOne(order).finally(() => {
      isAnswered = true;
    });
    await until(desk.clock, 'the stream told the fill', () => desk.fills.length > 0);
    expect([isAnswered, desk.fills[0]?.clientOrderId]).to.deep.equal([false, order.clientOrderId]);
    expect(await answered).to.include({ kind: 'done', state: 'filled', filledQuantity: '0.001' });
  });

  it('a fill of another program belongs to none of our orders', async () => {
    desk.buyElsewhere('SOL', '1', '200');
    const fill = await until(desk.clock, 'the stream told it', () => desk.fills.at(0));
    expect(fill).to.include({ clientOrderId: null, symbol: 'SOL-PERP', isLiquidation: false });
  });

  it('an IOC that finds a part of its quantity is done and cancelled, with what it filled', async () => {
    desk.script.setBook('BTC', [['99990', '1']], [['100010', '0.0004']]);
    const order = desk.order();
    const wanted = { kind: 'done', state: 'cancelled', filledQuantity: '0.0004' };
    const answer = await desk.placeOne(order);
    if (venue.answersEnds) expect(answer).to.include(wanted);
    expect(await desk.ended(order)).to.include(wanted);
    const fills = await expectFound(order, wanted);
    expect(fills.map(({ quantity }) => quantity)).to.deep.equal(['0.0004']);
  });

  it('an IOC that finds nothing is done and cancelled with nothing filled', async () => {
    desk.script.setBook('BTC', [['99990', '1']], [['105000', '1']]);
    const order = desk.order();
    const wanted = { kind: 'done', state: 'cancelled', filledQuantity: '0' };
    const answer = await desk.placeOne(order);
    if (venue.answersEnds) expect(answer).to.include(wanted);
    expect(await desk.ended(order)).to.include(wanted);
    await expectFound(order, wanted);
  });

  it('one refused leg hides none of the others, wherever it stands in the basket', async () => {
    for (const [leg, quantity] of ['0.00001', '0.0001', '0.01'].entries()) {
      const basket = desk.basket().map((order, at) => (at === leg ? { ...order, quantity } : order));
      const outcomes = await desk.place(...basket);
      expect(outcomes.map(({ clientOrderId }) => clientOrderId)).to.deep.equal(
        basket.map(({ clientOrderId }) => clientOrderId),
      );
      expect(outcomes[leg], JSON.stringify(outcomes)).to.include({ kind: 'rejected', reason: 'minimum' });
      for (const [at, order] of basket.entries())
        if (at !== leg) expect(await desk.ended(order)).to.include({ state: 'filled' });
    }
  });

  it('a basket whose stream is silent is found by one lookup for all legs', async () => {
    desk.script.streamFaults({ silent: venue.orderStreams });
    const basket = desk.basket();
    await desk.place(...basket);
    desk.script.clearTraffic();
    const found = await desk.lookUp(...basket);
    expect(found.map(({ kind }) => kind)).to.deep.equal(['done', 'done', 'done']);
    for (const one of found) expect(one.kind === 'done' ? one.fills : []).to.have.length(1);
    for (const kind of venue.lookupTraffic) expect(desk.count(kind), kind).to.equal(1);
  });

  it('an order that fills while its cancel is lost is found filled', async () => {
    const order = await desk.rest();
    desk.script.fault({ on: venue.cancelRequest, do: 'cut_before' });
    const cancelled = await desk.cancel(order);
    expect(cancelled.ok ? null : cancelled.error.kind).to.equal('unknown');
    desk.script.setMark('BTC', '98000');
    await expectFound(order, { kind: 'done', state: 'filled' });
  });

  for (const [how, refuse] of Object.entries(venue.refusePrice)) {
    it(`a price that the venue finds too far (${how}) refuses that order for its price`, async () => {
      refuse(desk);
      expect(await desk.placeOne()).to.include({ kind: 'rejected', reason: 'price' });
      expect(desk.held()).to.equal('0');
    });
  }

  it('the cancel of an order that has filled is refused, and the lookup says that it filled', async () => {
    const order = await desk.rest();
    desk.script.setMark('BTC', '98000');
    await desk.ended(order);
    const cancelled = await desk.cancel(order);
    expect(cancelled.ok ? null : cancelled.error.kind).to.equal('rejected');
    await expectFound(order, FILLED);
  });

  for (const refusal of venue.refusedNonces) {
    it(`a refused nonce means that nothing was looked at: not sent, and the same id goes through once (${JSON.stringify(refusal)})`, async () => {
      desk.script.fault({ on, ...refusal });
      const order = desk.order();
      const first = await desk.placeOne(order);
      expect(first.kind === 'not_sent' ? first.message : first.kind).to.match(/invalid nonce/i);
      expect(await desk.trade(order)).to.include({ kind: 'done', state: 'filled' });
      expect([desk.sentTimes(order), desk.held()]).to.deep.equal([refusal.times + 1, '0.001']);
    });
  }

  it('nonces that are refused again and again are not tried at full speed', async () => {
    for (const refusal of venue.refusedNonces) desk.script.fault({ on, ...refusal, times: null });
    const waits = [];
    for (let sent = 0; sent < 2; sent += 1) {
      const outcome = await desk.placeOne();
      waits.push(outcome.kind === 'not_sent' ? outcome.retryAt - desk.clock.now() : 0);
    }
    expect(waits[1])
      .to.be.greaterThan(1_000)
      .and.greaterThan(waits[0] ?? 0);
  });

  it('a refused leverage fails that call only: the next orders go', async () => {
    const message = venue.leverageRefusal;
    venue.refuseLeverage(desk, message);
    const refused = await desk.setLeverage();
    expect(refused.ok ? null : refused.error).to.deep.include({ kind: 'rejected', message });
    expect(await desk.setLeverage('ETH-PERP')).to.deep.include({ ok: true });
    expect(await desk.trade()).to.include({ kind: 'done' });
    expect(desk.venue.status()).to.include({ status: 'UP' });
  });
}
