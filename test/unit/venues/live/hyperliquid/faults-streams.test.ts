/** Streams of an emulated Hyperliquid that break, fall silent, repeat and surprise: what the adapter tells of the account. */
import { expect } from 'chai';
import type { Json } from '../../../../support/json.ts';
import { openForEachTest } from '../../../../support/open-for-tests.ts';
import { until } from '../../../../support/until.ts';
import { VenueDesk } from '../../../../support/venues/hyperliquid/venue-desk.ts';

describe('streams of Hyperliquid, when things go wrong', () => {
  const desk = openForEachTest(() => VenueDesk.start());

  const idsOf = (fills: VenueDesk['fills']) => fills.map(({ tradeId }) => tradeId);

  it('marks that are missing while best prices go on have the connection made anew', async () => {
    desk.script.streamFaults({ silent: ['allDexsAssetCtxs'] });
    await until(desk.clock, 'it is made anew', () => desk.reconnections > 0);
  });

  it('a fill of nothing, of less than nothing or for nothing is no fill', async () => {
    const fill = {
      coin: 'BTC',
      px: '100000',
      sz: '0.001',
      side: 'B',
      time: desk.clock.now(),
      oid: 1,
      cloid: null,
    };
    const of = (nth: number, change: object) => ({
      ...{ ...fill, fee: '0', feeToken: 'USDC', crossed: true, tid: nth, dir: 'Open Long' },
      ...change,
    });
    const fills = [{ sz: '0.0' }, { sz: '-0.001' }, { px: '0' }, { px: '-1' }, {}].map((change, nth) =>
      of(nth, change),
    );
    desk.script.say(desk.user, 'userFills', { user: desk.user, fills });
    await until(desk.clock, 'one is told', () => desk.fills.length > 0);
    expect(idsOf(desk.fills)).to.deep.equal(['4']);
  });

  it('fills of another program have few orders asked for one by one, many as a list, and that list once', async () => {
    const cursor = await desk.cursor();
    desk.script.clearTraffic();
    const trade = (count: number) => {
      for (let nth = 0; nth < count; nth += 1)
        desk.script.tradeElsewhere(desk.user, 'SOL', nth % 2 === 0 ? 'buy' : 'sell', '1', '200');
    };
    trade(30);
    expect((await desk.history(cursor)).fills).to.have.length(30);
    expect(desk.script.traffic().counts).to.not.have.property('historicalOrders');
    trade(200);
    for (let nth = 0; nth < 5; nth += 1) await desk.placeOne();
    await until(desk.clock, 'all are told', () => desk.fills.length >= 235);
    expect(desk.count('historicalOrders')).to.equal(1);
  });

  it('a list that holds an order once for each state, the last one first, tells its newest state only', async () => {
    const order = desk.order({ timeInForce: 'GTC', limitPrice: '90000' });
    const resting = await desk.placeOne(order);
    const oid = resting.kind === 'resting' ? Number(resting.venueOrderId) : 0;
    await until(desk.clock, 'it is told to rest', () => desk.events.length > 0);
    desk.events.length = 0;
    const at = desk.clock.now();
    const state = (status: string, sz: string, statusTimestamp: number) => ({
      order: {
        ...{ coin: 'BTC', side: 'B', limitPx: '90000.0', sz, oid, timestamp: at, origSz: '0.001' },
        cloid: order.clientOrderId,
      },
      ...{ status, statusTimestamp },
    });
    desk.script.say(desk.user, 'orderUpdates', [state('filled', '0.0', at + 5), state('open', '0.001', at)]);
    // Both in one millisecond.
    desk.script.say(desk.user, 'orderUpdates', [state('filled', '0.0', at), state('open', '0.001', at)]);
    await until(desk.clock, 'both lists were told', () => desk.events.length >= 2);
    const told = desk.events.map((event) => (event.kind === 'order' ? event.outcome.kind : event.kind));
    expect(told).to.deep.equal(['done', 'done']);
  });

  it('fills and positions on markets that are not listed here, and words and fields that nobody knows, stop nothing', async () => {
    const cursor = await desk.cursor();
    desk.script.tradeUnknown(desk.user, '@107', 'buy', '10', '40');
    desk.script.tradeUnknown(desk.user, 'flx:CRCL', 'sell', '1', '90');
    desk.script.say(desk.user, 'userFills', { user: desk.user, fills: [{ coin: 'BTC', tid: {} }] });
    desk.script.say(desk.user, 'orderUpdates', { surprise: [1, 2, 3] });
    const order = desk.order({ timeInForce: 'GTC', limitPrice: '90000' });
    await desk.placeOne(order);
    desk.script.cancelByVenue(desk.user, order.clientOrderId, 'movedToAnotherPlanet');
    expect((await desk.lookUp(order))[0]).to.include({ kind: 'listed' });
    await desk.placeOne();
    await desk.untilFills(1);
    expect((await desk.history(cursor)).fills.map(({ symbol }) => symbol)).to.deep.equal(['BTC-PERP']);
    expect(desk.logger.lines.filter(({ level }) => level === 'error')).to.deep.equal([]);
    expect(desk.venue.status()).to.include({ status: 'UP' });
  });

  it('a fill against somebody who is liquidated is a trade like any other', async () => {
    await desk.placeOne();
    const [fill] = desk.script.state(desk.user).fills;
    const liquidation = { liquidatedUser: `0x${'cd'.repeat(20)}`, markPx: '100000.0', method: 'market' };
    desk.script.say(desk.user, 'userFills', { user: desk.user, fills: [{ ...fill, tid: 7, liquidation }] });
    await desk.untilFills(2);
    expect(desk.fills[1]).to.include({ tradeId: '7', isLiquidation: false });
  });

  it('an update without a client id takes it from no order', async () => {
    const change = (message: Json): Json =>
      JSON.parse(JSON.stringify(message, (key, value) => (key === 'cloid' ? undefined : value)));
    desk.script.streamFaults({ change });
    const { clientOrderId } = await desk.placeOne();
    await desk.untilFills(1);
    expect(desk.fills[0]?.clientOrderId).to.equal(clientOrderId);
  });
});

describe('streams of Hyperliquid with the limit of everybody', () => {
  const desk = openForEachTest(() => VenueDesk.start({ weightPerMinute: 1_200 }));

  it('five hundred fills of another program keep no question about the account waiting, and are told', async () => {
    for (let nth = 0; nth < 500; nth += 1) {
      desk.script.tradeElsewhere(desk.user, 'SOL', nth % 2 === 0 ? 'buy' : 'sell', '1', '200');
    }
    await until(desk.clock, 'the first are told', () => desk.fills.length > 0);
    expect((await desk.venue.positions(desk.test.account)).ok).to.equal(true);
    expect(await desk.placeOne()).to.include({ kind: 'done', state: 'filled' });
    await until(desk.clock, 'more are told', () => desk.fills.length > 100);
  });
});
