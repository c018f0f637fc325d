import { expect } from 'chai';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { until } from '../../../../support/until.ts';
import { type Emulator, startEmulator } from '../../../../support/venues/hyperliquid/emulator.ts';
import { cloidOf, Listener, Trader } from '../../../../support/venues/hyperliquid/trader.ts';

const KEY = `0x${'11'.repeat(32)}` as const;
const MASTER = '0x00000000000000000000000000000000000000aa';
const ETH = 1;

describe('emulated Hyperliquid: streams', () => {
  const clock = createFakeClock();
  let venue: Emulator;
  let trader: Trader;
  let listener: Listener;

  beforeEach(async () => {
    venue = await startEmulator({ clock, accounts: [{ address: MASTER, deposit: '10000' }], pulseMs: 0 });
    trader = new Trader(venue.url, KEY, clock);
    venue.script.addAgent(MASTER, trader.address);
    listener = await Listener.open(venue.wsUrl);
  });
  afterEach(async () => {
    listener.close();
    await venue.close();
  });

  const buy = (cloid: string, sz = '1') => trader.order([{ asset: ETH, px: '4040', sz, cloid }]);
  const count = (channel: string, most: number) =>
    until(clock, `${most} messages of ${channel}`, () => listener.of(channel).length >= most, 3_000);

  it('says the state of a market first, and again when it changes', async () => {
    await listener.subscribe({ type: 'allMids' });
    await listener.subscribe({ type: 'bbo', coin: 'ETH' });
    await listener.subscribe({ type: 'l2Book', coin: 'ETH' });
    await listener.subscribe({ type: 'activeAssetCtx', coin: 'ETH' });
    await listener.subscribe({ type: 'allDexsAssetCtxs' });
    await count('allDexsAssetCtxs', 1);
    venue.script.setMark('ETH', '4100', { spread: '0.0001' });
    await count('allMids', 2);
    venue.script.setMark('SOL', '210');
    venue.script.setMark('SOL', '211');
    await count('allMids', 3);
    expect(listener.of('allMids').map(({ mids }) => mids.ETH)).to.deep.equal(['4000.0', '4100.0', '4100.0']);
    expect(listener.of('bbo')).to.have.length(2);
    expect(listener.of('bbo')[1]).to.deep.include({ coin: 'ETH' });
    expect(listener.of('bbo')[1].bbo[0]).to.include({ px: '4099.7', n: 1 });
    expect(listener.of('l2Book')[1].levels[1]).to.have.length(10);
    expect(listener.of('activeAssetCtx')[1]).to.deep.include({ coin: 'ETH' });
    expect(listener.of('activeAssetCtx')[1].ctx).to.include({
      markPx: '4100.0',
      oraclePx: '4100.0',
      midPx: '4100.0',
    });
    const [[dex, contexts]] = listener.of('allDexsAssetCtxs')[1].ctxs;
    expect(dex).to.equal('');
    expect(contexts[ETH].markPx).to.equal('4100.0');
  });

  it('repeats markets in their pulse', async () => {
    const lively = await startEmulator({ clock, pulseMs: 20 });
    const ear = await Listener.open(lively.wsUrl);
    await ear.subscribe({ type: 'allMids' });
    await until(clock, 'five messages', () => ear.of('allMids').length >= 5, 3_000);
    ear.close();
    await lively.close();
  });

  it("tells an account's fills, orders and funding, and what lay before in a first message", async () => {
    await buy(cloidOf(1));
    await listener.subscribe({ type: 'userFills', user: MASTER });
    await listener.subscribe({ type: 'orderUpdates', user: MASTER });
    await listener.subscribe({ type: 'userFundings', user: MASTER });
    await listener.subscribe({ type: 'userEvents', user: MASTER });
    await buy(cloidOf(2), '2');
    await trader.order([{ asset: ETH, px: '3000', sz: '1', tif: 'Gtc', cloid: cloidOf(3) }]);
    venue.script.settleFunding();
    venue.script.liquidate(MASTER, 'ETH', '3900');
    await count('userFills', 3);
    const [snapshot, second, third] = listener.of('userFills');
    expect(snapshot).to.deep.include({ isSnapshot: true, user: MASTER });
    expect(snapshot.fills.map(({ cloid }: { cloid: string }) => cloid)).to.deep.equal([cloidOf(1)]);
    expect(second).to.not.have.property('isSnapshot');
    expect(second.fills[0]).to.include({ cloid: cloidOf(2), sz: '2.0' });
    expect(third.fills[0].liquidation.liquidatedUser).to.equal(MASTER);
    const updates = listener.of('orderUpdates').flat();
    expect(updates.map(({ order, status }) => [order.cloid, status, order.sz])).to.deep.equal([
      [cloidOf(2), 'filled', '0.0'],
      [cloidOf(3), 'open', '1.0'],
      [cloidOf(3), 'liquidatedCanceled', '1.0'],
    ]);
    const [before, payment] = listener.of('userFundings');
    expect(before).to.deep.equal({ isSnapshot: true, user: MASTER, fundings: [] });
    expect(payment.fundings[0]).to.include({ coin: 'ETH', szi: '3.0', usdc: '-0.15' });
    const kinds = listener.of('user').map((event) => Object.keys(event)[0]);
    expect(kinds).to.deep.equal(['fills', 'funding', 'nonUserCancel', 'fills', 'liquidation']);
  });

  it("says an account's state first, and again whenever it changes", async () => {
    for (const type of ['clearinghouseState', 'openOrders', 'spotState']) {
      await listener.subscribe({ type, user: MASTER });
    }
    await buy(cloidOf(1));
    await trader.order([{ asset: ETH, px: '3000', sz: '1', tif: 'Gtc' }]);
    await trader.act({ type: 'updateLeverage', asset: ETH, isCross: true, leverage: 4 });
    venue.script.setMark('ETH', '4100');
    await count('clearinghouseState', 5);
    const states = listener
      .of('clearinghouseState')
      .map((data) => data.clearinghouseState.assetPositions[0]?.position);
    expect(states[0]).to.equal(undefined);
    expect(states[1]).to.include({ szi: '1.0', positionValue: '4000.0' });
    expect(states.at(-1)).to.deep.include({ positionValue: '4100.0', leverage: { type: 'cross', value: 4 } });
    expect(listener.of('openOrders')[0]).to.deep.equal({ dex: '', user: MASTER, orders: [] });
    expect(listener.of('openOrders').at(-1).orders).to.have.length(1);
    expect(listener.of('spotState')[0]).to.deep.equal({ user: MASTER, spotState: { balances: [] } });
  });

  it('tells in one message what one action did', async () => {
    venue.script.setBook(
      'ETH',
      [['3999', '1']],
      [
        ['4000', '0.5'],
        ['4001', '0.5'],
        ['4002', '5'],
      ],
    );
    await listener.subscribe({ type: 'userFills', user: MASTER });
    await listener.subscribe({ type: 'orderUpdates', user: MASTER });
    await trader.order([
      { asset: ETH, px: '4002', sz: '2', cloid: cloidOf(1) },
      { asset: 5, px: '202', sz: '1', cloid: cloidOf(2) },
    ]);
    await count('orderUpdates', 1);
    const [, { fills }] = listener.of('userFills');
    expect(fills.map(({ px, cloid }: { px: string; cloid: string }) => [px, Number(cloid)])).to.deep.equal([
      ...[
        ['4000.0', 1],
        ['4001.0', 1],
        ['4002.0', 1],
        ['200.02', 2],
      ],
    ]);
    expect(listener.of('orderUpdates')).to.have.length(1);
    expect(listener.of('orderUpdates')[0]).to.have.length(2);
  });

  it('answers pings, and closes the socket of who says nothing', async () => {
    listener.send({ method: 'ping' });
    await until(clock, 'a pong', () => listener.messages.some(({ channel }) => channel === 'pong'), 3_000);
    const strict = await startEmulator({ clock, idleMs: 100 });
    const mute = await Listener.open(strict.wsUrl);
    await until(clock, 'the socket is closed', () => mute.closed, 3_000);
    await strict.close();
  });

  it('complains of what it cannot take', async () => {
    const mids = { type: 'allMids' };
    await listener.subscribe(mids);
    listener.send({ method: 'subscribe', subscription: mids });
    listener.send({ method: 'subscribe', subscription: { type: 'bbo', coin: 'NONE' } });
    listener.send({ method: 'unsubscribe', subscription: { type: 'bbo', coin: 'ETH' } });
    listener.send('no JSON');
    await count('error', 4);
    const [twice, unknown, never, unreadable] = listener.of('error');
    expect(twice).to.equal('Already subscribed: {"type":"allMids"}');
    expect(unknown).to.match(/^Invalid subscription/);
    expect(never).to.match(/^Already unsubscribed/);
    expect(unreadable).to.match(/^Error parsing JSON/);
    listener.send({ method: 'unsubscribe', subscription: mids });
    await count('subscriptionResponse', 2);
    const heard = listener.of('allMids').length;
    venue.script.setMark('ETH', '4100');
    listener.send({ method: 'ping' });
    await until(clock, 'a pong', () => listener.messages.some(({ channel }) => channel === 'pong'), 3_000);
    expect(listener.of('allMids')).to.have.length(heard);
  });

  it('tracks ten users and no more', async () => {
    const user = (n: number) => ({ type: 'userFills', user: `0x${String(n).padStart(40, '0')}` });
    for (let n = 0; n < 10; n += 1) await listener.subscribe(user(n));
    await listener.subscribe({ ...user(3), type: 'orderUpdates' });
    listener.send({ method: 'subscribe', subscription: user(10) });
    await count('error', 1);
    expect(listener.of('error')).to.deep.equal(['Cannot track more than 10 total users.']);
  });

  it('takes questions and actions over the socket', async () => {
    const ask = async (id: number, type: string, payload: unknown) => {
      listener.send({ method: 'post', id, request: { type, payload } });
      const found = await until(
        clock,
        'the answer',
        () => listener.of('post').find((post) => post.id === id),
        3_000,
      );
      return found.response;
    };
    const mids = await ask(1, 'info', { type: 'allMids' });
    expect(mids).to.deep.include({ type: 'info' });
    expect(mids.payload).to.deep.include({ type: 'allMids' });
    const noop = await ask(2, 'action', trader.signed({ type: 'noop' }));
    expect(noop).to.deep.equal({ type: 'action', payload: { status: 'ok', response: { type: 'default' } } });
    expect(await ask(3, 'info', { type: 'none' })).to.deep.include({ type: 'error' });
  });

  describe('by script', () => {
    it('a stream falls silent but stays open; other channels go on', async () => {
      await listener.subscribe({ type: 'userFills', user: MASTER });
      await listener.subscribe({ type: 'orderUpdates', user: MASTER });
      venue.script.streamFaults({ silent: ['userFills'] });
      await buy(cloidOf(1));
      await count('orderUpdates', 1);
      expect(listener.of('userFills')).to.have.length(1);
      venue.script.streamFaults({ silent: ['*'] });
      await buy(cloidOf(2));
      listener.send({ method: 'ping' });
      await until(clock, 'the ping arrived', () => venue.script.traffic().counts['ws ping'] === 1, 3_000);
      expect(listener.of('orderUpdates')).to.have.length(1);
      expect(listener.closed).to.equal(false);
    });

    it('news comes twice, late, in pairs the wrong way round, and old fills come again', async () => {
      await listener.subscribe({ type: 'userFills', user: MASTER });
      venue.script.streamFaults({ twice: true });
      await buy(cloidOf(1));
      await count('userFills', 3);
      venue.script.streamFaults({ swapped: true });
      await buy(cloidOf(2));
      await buy(cloidOf(3));
      await count('userFills', 5);
      venue.script.streamFaults({ delayMs: 100 });
      await buy(cloidOf(4));
      expect(listener.of('userFills')).to.have.length(5);
      await count('userFills', 6);
      venue.script.streamFaults({});
      venue.script.repeatFills(MASTER, 2);
      await count('userFills', 7);
      const cloids = listener
        .of('userFills')
        .slice(1)
        .map(({ fills }) => fills.map((fill: { cloid: string }) => Number(fill.cloid)));
      expect(cloids).to.deep.equal([[1], [1], [3], [2], [4], [3, 4]]);
    });

    it('sockets break or close with a code, and a new one hears the old fills first', async () => {
      await listener.subscribe({ type: 'userFills', user: MASTER });
      await buy(cloidOf(1));
      venue.script.cutStreams();
      await until(clock, 'the socket broke', () => listener.closed, 3_000);
      listener = await Listener.open(venue.wsUrl);
      await listener.subscribe({ type: 'userFills', user: MASTER });
      await count('userFills', 1);
      expect(listener.of('userFills')[0]).to.deep.include({ isSnapshot: true });
      expect(listener.of('userFills')[0].fills).to.have.length(1);
      venue.script.cutStreams(1012);
      await until(clock, 'the socket closed', () => listener.closed, 3_000);
      venue.script.streamFaults({ refused: true });
      expect(await Listener.open(venue.wsUrl).catch((error: Error) => error.message)).to.match(/503/);
    });

    it('first messages are empty or broken', async () => {
      await buy(cloidOf(1));
      venue.script.streamFaults({ emptySnapshots: true });
      await listener.subscribe({ type: 'userFills', user: MASTER });
      await count('userFills', 1);
      expect(listener.of('userFills')[0].fills).to.deep.equal([]);
      await listener.subscribe({ type: 'clearinghouseState', user: MASTER });
      await count('clearinghouseState', 1);
      expect(listener.of('clearinghouseState')[0].clearinghouseState.assetPositions).to.deep.equal([]);
      venue.script.streamFaults({ brokenSnapshots: true });
      await listener.subscribe({ type: 'userFundings', user: MASTER });
      await until(clock, 'the broken text', () => listener.texts.some((text) => text.endsWith('"da')), 3_000);
    });
  });
});
