/** Streams of a live venue that break, fall silent, repeat and surprise. */
import { expect } from 'chai';
import type { VenueFill } from '../../gateway/engine/ports/venue.ts';
import { until } from '../support/until.ts';
import type { Begin, Desk, LiveVenue } from './live-venue.ts';

export function streamsSpec<D extends Desk>(venue: LiveVenue<D>, begin: Begin<D>): void {
  let desk: D;
  beforeEach(async () => {
    desk = await begin();
  });
  const quantity = async () => (await desk.positions())[0]?.quantity;

  it('a stream that is silent but open is given up: prices are not trusted, and the history has what was missed', async () => {
    const cursor = await desk.cursor();
    desk.script.streamFaults({ silent: ['*'] });
    const order = desk.order();
    await desk.placeOne(order);
    await until(desk.clock, 'the silence is noticed', () => desk.venue.status().status === 'DOWN', 120_000);
    expect(desk.venue.accountState?.(desk.test.account)).to.equal(null);
    desk.script.streamFaults({});
    await desk.untilReconnected();
    const { fills } = await desk.history(cursor);
    expect(fills.map(({ clientOrderId }) => clientOrderId)).to.deep.equal([order.clientOrderId]);
  });

  for (const code of [1012, undefined]) {
    it(`maintenance ends the streams (${code ?? 'broken'}) and refuses new ones for a while: down, then told as reconnected, and the history has all of it once`, async () => {
      const cursor = await desk.cursor();
      await desk.placeOne();
      await desk.untilFills(1);
      desk.script.streamFaults({ refused: true });
      desk.script.cutStreams(code);
      await until(desk.clock, 'the connector is down', () => desk.venue.status().status === 'DOWN');
      expect(desk.venue.accountState?.(desk.test.account)).to.equal(null);
      desk.buyElsewhere('SOL', '2', '200');
      desk.script.streamFaults({});
      await desk.untilReconnected();
      const { fills } = await desk.history(cursor);
      expect(fills.map(({ symbol }) => symbol)).to.deep.equal(['BTC-PERP', 'SOL-PERP']);
    });
  }

  it('fills that come twice, again or in another order keep their ids, which the history has too', async () => {
    const cursor = await desk.cursor();
    const ids = () => [...new Set(desk.fills.map(({ tradeId }) => tradeId))].sort();
    desk.script.streamFaults({ twice: true });
    await desk.trade();
    await desk.trade(desk.closing());
    await until(desk.clock, 'both fills were told', () => ids().length === 2);
    venue.repeatFills(desk, 2);
    desk.script.streamFaults({ swapped: true });
    await desk.trade();
    await desk.trade(desk.closing());
    await until(desk.clock, 'all fills were told', () => ids().length === 4);
    if (venue.tellsFillsOnce) expect(desk.fills).to.have.length(4);
    else expect(desk.fills.length).to.be.at.least(8);
    const { fills } = await desk.history(cursor);
    expect(fills.map(({ tradeId }) => tradeId).sort()).to.deep.equal(ids());
    expect(ids()).to.not.include('');
  });

  for (const faults of venue.wrongSnapshots) {
    it(`first messages that are wrong (${Object.keys(faults)[0]}) take nothing away, and what follows is heard`, async () => {
      await desk.placeOne();
      await desk.untilFills(1);
      desk.script.streamFaults(faults);
      desk.script.cutStreams();
      await desk.untilReconnected();
      await desk.untilSubscribed(2);
      expect(await quantity()).to.equal('0.001');
      const state = desk.venue.accountState?.(desk.test.account);
      if (state != null) expect(state.positions.map((one) => one.quantity)).to.deep.equal(['0.001']);
      await desk.placeOne(desk.closing());
      await desk.untilFills(2);
    });
  }

  for (const json of venue.malformedStates) {
    it(`a malformed state of the account (${JSON.stringify(json)}) is no answer, never "holds nothing"`, async () => {
      await desk.placeOne();
      await desk.untilFills(1);
      desk.script.fault({ on: venue.stateRequest, do: 'answer', json, times: null });
      for (const asked of [desk.venue.positions(desk.test.account), desk.venue.balances(desk.test.account)]) {
        const told = await asked;
        expect(told.ok ? told.value : told.error.kind).to.equal('unknown');
      }
      expect(desk.venue.accountState?.(desk.test.account)?.positions.length ?? null).to.not.equal(0);
      desk.script.clearFaults();
      expect(await quantity()).to.equal('0.001');
    });
  }

  it('a venue that is off line: orders are not sent or unknown, never done, and it comes back by itself', async () => {
    desk.script.offline(true);
    await until(desk.clock, 'the connector is down', () => desk.venue.status().status === 'DOWN');
    const order = desk.order();
    expect((await desk.placeOne(order)).kind).to.be.oneOf(['not_sent', 'unknown']);
    desk.script.offline(false);
    await desk.untilReconnected();
    expect(desk.held()).to.equal('0');
    const next = venue.sendsAgain ? order : desk.order();
    expect(await desk.trade(next)).to.include({ kind: 'done', state: 'filled' });
  });

  it('the past that a stream tells first after a reconnect is no news', async () => {
    await desk.placeOne();
    await desk.untilFills(1);
    desk.script.settleFunding();
    await until(desk.clock, 'the payment was told', () => desk.payments.length === 1);
    desk.script.cutStreams();
    await desk.untilReconnected();
    await desk.untilSubscribed(2);
    await desk.placeOne(desk.closing());
    await desk.untilFills(2);
    expect(desk.payments).to.have.length(1);
  });

  it('a payment that stream and history both tell has one id and one sign: longs pay, shorts receive', async () => {
    const cursor = await desk.cursor();
    await desk.trade();
    await desk.trade(desk.order({ symbol: 'ETH-PERP', side: 'SELL', quantity: '0.05', limitPrice: '3960' }));
    desk.script.setFundingRate('BTC', '0.0001');
    desk.script.setFundingRate('ETH', '0.0001');
    desk.script.streamFaults({ twice: true });
    desk.script.settleFunding();
    const ids = () => new Set(desk.payments.map(({ venueId }) => venueId));
    await until(desk.clock, 'the stream told both', () => ids().size === 2);
    const { funding } = await desk.history(cursor);
    const paid = funding.map(({ symbol, amount, rate, quantity }) => [symbol, amount, rate, quantity]);
    expect(paid).to.have.deep.members([
      ['BTC-PERP', '-0.01', '0.0001', '0.001'],
      ['ETH-PERP', '0.02', '0.0001', '-0.05'],
    ]);
    expect(ids().size).to.equal(2);
    for (const payment of funding) {
      expect(desk.payments).to.deep.include(payment);
      const mark = payment.symbol === 'BTC-PERP' ? 100_000 : 4_000;
      expect(Number(payment.markPrice)).to.be.closeTo(mark, 1);
    }
  });

  const forced: readonly (readonly [string, (desk: D) => void, VenueFill['forced']])[] = [
    ['a liquidation', ({ script, user }) => script.liquidate(user, 'BTC', '98000'), undefined],
    ['a deleveraging', ({ script, user }) => script.deleverage(user, 'BTC', '99000'), 'ADL'],
    ['a settlement', venue.settle, 'SETTLEMENT'],
  ];
  for (const [what, act, cause] of forced) {
    it(`${what} changes what is held, is no order of ours, and names its cause in stream and history`, async () => {
      const cursor = await desk.cursor();
      await desk.placeOne();
      await desk.untilFills(1);
      act(desk);
      await desk.untilFills(2);
      const [, fill] = desk.fills;
      expect(fill).to.include({ clientOrderId: null, side: 'SELL', quantity: '0.001' });
      expect(fill?.isLiquidation).to.equal(what === 'a liquidation');
      expect(fill?.forced).to.equal(cause);
      expect((await desk.history(cursor)).fills.at(-1)).to.deep.equal(fill);
      expect(desk.held()).to.equal('0');
    });
  }

  it('awake after sleep: connections, clock and account are made and read again before anything may open', async () => {
    const cursor = await desk.cursor();
    // Trades during the sleep. The account cannot be read at first.
    desk.buyElsewhere('SOL', '2', '200');
    await desk.untilFills(1);
    desk.script.fault({ on: venue.stateRequest, do: 'status', code: 503, times: null });
    desk.script.clearTraffic();
    const seen: string[] = [];
    desk.venue.onStatus(({ trading }) => seen.push(trading ?? 'not stated'));
    desk.venue.woke?.();
    expect(desk.venue.accountState?.(desk.test.account)).to.equal(null);
    await until(desk.clock, 'the streams are back', () => desk.reconnections === 1);
    await until(desk.clock, 'the account was asked for', () => desk.count(venue.stateRequest));
    expect(desk.venue.status()).to.include({ trading: 'CLOSE_ONLY' });
    desk.script.clearFaults();
    await until(desk.clock, 'everything is read', () => desk.venue.status().status === 'UP');
    expect(seen).to.deep.equal(['DOWN', 'CLOSE_ONLY', 'UP']);
    expect(venue.timeRequests(desk)).to.be.at.least(5);
    expect(desk.count('ws subscribe')).to.be.at.least(3);
    expect((await desk.history(cursor)).fills).to.have.length(1);
    const state = desk.venue.accountState?.(desk.test.account);
    expect(state?.positions.map(({ symbol }) => symbol)).to.deep.equal(['SOL-PERP']);
  });
}
