import { expect } from 'chai';
import { systemClock } from '../../../../../gateway/system/clock.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { until, whileTimePasses } from '../../../../support/until.ts';
import { type Emulator, startEmulator } from '../../../../support/venues/hyperliquid/emulator.ts';
import { launchEmulator } from '../../../../support/venues/hyperliquid/remote.ts';
import { cloidOf, orderAction, Trader } from '../../../../support/venues/hyperliquid/trader.ts';

const KEY = `0x${'11'.repeat(32)}` as const;
const MASTER = '0x00000000000000000000000000000000000000aa';
const ETH = 1;

describe('emulated Hyperliquid: faults', () => {
  const clock = createFakeClock();
  let venue: Emulator;
  let trader: Trader;

  beforeEach(async () => {
    venue = await startEmulator({ clock, accounts: [{ address: MASTER, deposit: '10000' }], pulseMs: 0 });
    trader = new Trader(venue.url, KEY, clock);
    venue.script.addAgent(MASTER, trader.address);
  });
  afterEach(() => venue.close());

  const buy = (cloid = cloidOf(1)) => trader.order([{ asset: ETH, px: '4040', sz: '1', cloid }]);
  const held = () => venue.script.state(MASTER).positions[0]?.size ?? '0';
  const failed = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: Error) => error,
    );
  const lookup = async (oid: string) => (await trader.info('orderStatus', { user: MASTER, oid })).status;

  it('the answer is lost after the order was executed, and lookups do not know it for a while', async () => {
    venue.script.fault({ do: 'lose_answer', on: 'order' });
    venue.script.forgetOrders(2, MASTER);
    expect(await failed(buy())).to.be.instanceOf(Error);
    expect(held()).to.equal('1');
    expect([await lookup(cloidOf(1)), await lookup(cloidOf(1)), await lookup(cloidOf(1))]).to.deep.equal([
      ...['unknownOid', 'unknownOid', 'order'],
    ]);
    expect(venue.script.armedFaults()).to.equal(0);
  });

  it('the connection is cut before anything is executed', async () => {
    venue.script.fault({ do: 'cut_before', on: 'order' });
    expect(await failed(buy())).to.be.instanceOf(Error);
    expect(held()).to.equal('0');
    expect((await buy())[0].filled.totalSz).to.equal('1.0');
  });

  it('no answer comes, whether or not the order was executed', async () => {
    for (const [n, execute] of [false, true].entries()) {
      venue.script.fault({ do: 'hang', execute, on: 'order' });
      const client = new AbortController();
      const body = JSON.stringify(
        trader.signed(orderAction([{ asset: ETH, px: '4040', sz: '1', cloid: cloidOf(n) }])),
      );
      const { signal } = client;
      const answer = failed(fetch(`${venue.url}/exchange`, { method: 'POST', body, signal }));
      await clock.advance(600_000);
      client.abort();
      expect(await answer).to.have.property('name', 'AbortError');
      expect(held()).to.equal(execute ? '1' : '0');
    }
  });

  it('a request waits before the venue, so long that it expires, or after', async () => {
    venue.script.fault({ do: 'delay', beforeMs: 80, on: 'order' });
    const late = trader.order([{ asset: ETH, px: '4040', sz: '1' }], { expiresAfter: clock.now() + 40 });
    expect(await whileTimePasses(clock, late)).to.match(/expired/);
    venue.script.fault({ do: 'delay', afterMs: 80, on: 'order' });
    const slow = buy();
    await clock.advance(40);
    expect(held()).to.equal('1');
    expect((await whileTimePasses(clock, slow))[0].filled.totalSz).to.equal('1.0');
  });

  it('an order that its sender has given up on executes later', async () => {
    venue.script.fault({ do: 'delay', beforeMs: 200, on: 'order' });
    const body = JSON.stringify(
      trader.signed(orderAction([{ asset: ETH, px: '4040', sz: '1', cloid: cloidOf(1) }])),
    );
    const client = new AbortController();
    const { signal } = client;
    const answer = failed(fetch(`${venue.url}/exchange`, { method: 'POST', body, signal }));
    await clock.advance(50);
    client.abort();
    expect(await answer).to.have.property('name', 'AbortError');
    expect(await lookup(cloidOf(1))).to.equal('unknownOid');
    await until(clock, 'the order is there', async () => (await lookup(cloidOf(1))) === 'order', 3_000);
    expect(held()).to.equal('1');
  });

  it('a request is refused as a whole without being executed', async () => {
    const json = {
      status: 'err',
      response: 'Only post-only orders allowed immediately after a network upgrade',
    };
    venue.script.fault({ do: 'answer', json, on: 'updateLeverage' });
    const action = { type: 'updateLeverage', asset: ETH, isCross: true, leverage: 3 };
    expect(await trader.act(action)).to.deep.equal(json);
    expect(await trader.act(action)).to.have.property('status', 'ok');
  });

  it("the venue's clock differs from ours, as its answers' dates say", async () => {
    venue.script.setClockOffset(-30_000);
    const response = await trader.post('/info', { type: 'meta' });
    const offset = Date.parse(response.headers.get('date') ?? '') - clock.now();
    // Dates have whole seconds.
    expect(offset).to.be.within(-31_000, -30_000);
  });

  it('a proxy answers a page of HTML, or 429, before or after the venue saw it', async () => {
    venue.script.fault({ do: 'status', code: 502, on: 'exchange' });
    const page = await trader.post('/exchange', trader.signed({ type: 'noop' }));
    expect(page.status).to.equal(502);
    expect(page.headers.get('content-type')).to.equal('text/html');
    expect(await page.text()).to.match(/^<html>/);
    venue.script.fault({ do: 'status', code: 429, on: '*', times: 2 });
    expect((await trader.post('/info', { type: 'meta' })).status).to.equal(429);
    expect((await trader.post('/info', { type: 'meta' })).status).to.equal(429);
    expect((await trader.post('/info', { type: 'meta' })).status).to.equal(200);
    venue.script.fault({ do: 'status', code: 502, on: 'order', execute: true });
    expect(await failed(buy())).to.be.instanceOf(Error);
    expect(held()).to.equal('1');
  });

  it('an answer is empty, malformed or breaks off', async () => {
    await buy();
    venue.script.fault({ do: 'answer', json: {}, on: 'clearinghouseState', user: MASTER });
    expect(await trader.info('clearinghouseState', { user: MASTER })).to.deep.equal({});
    venue.script.fault({ do: 'truncate', on: 'order' });
    expect(await failed(buy(cloidOf(2)))).to.be.instanceOf(SyntaxError);
    expect(held()).to.equal('2');
  });

  it('one leg of a batch is refused with the words of the script', async () => {
    venue.script.fault({
      do: 'refuse_leg',
      leg: 1,
      text: 'Order price is too aggressive.',
      on: 'order',
      user: MASTER,
    });
    const leg = { asset: ETH, px: '4040', sz: '0.1' } as const;
    const answers = await trader.order([leg, { ...leg, cloid: cloidOf(5) }, leg]);
    expect(answers.map((one: object) => Object.keys(one)[0])).to.deep.equal(['filled', 'error', 'filled']);
    expect(answers[1].error).to.equal('Order price is too aggressive. asset=1');
  });

  it('meets only the account that it names, and all requests until it is cleared', async () => {
    venue.script.fault({ do: 'answer', json: [], on: 'openOrders', user: MASTER, times: null });
    await trader.order([{ asset: ETH, px: '3000', sz: '1', tif: 'Gtc' }]);
    for (let n = 0; n < 3; n += 1)
      expect(await trader.info('openOrders', { user: MASTER })).to.deep.equal([]);
    venue.script.clearFaults();
    expect(await trader.info('openOrders', { user: MASTER })).to.have.length(1);
  });

  it('the venue is off line, and comes back', async () => {
    venue.script.offline(true);
    expect(await failed(trader.info('meta'))).to.be.instanceOf(Error);
    venue.script.offline(false);
    expect(await trader.info('meta')).to.have.property('universe');
  });

  it('runs in a process of its own, scripted over a port of its own', async () => {
    const remote = await launchEmulator({ accounts: [{ address: MASTER, deposit: '10000' }] });
    try {
      const far = new Trader(remote.url, KEY, systemClock);
      await remote.script.addAgent(MASTER, far.address);
      await remote.script.setMark('ETH', '4000');
      const [answer] = await far.order([{ asset: ETH, px: '4040', sz: '1' }]);
      expect(answer.filled.totalSz).to.equal('1.0');
      expect((await remote.script.state(MASTER)).positions[0]).to.deep.include({ coin: 'ETH', size: '1' });
      expect(await failed(remote.script.setMark('NONE', '1')))
        .to.have.property('message')
        .that.matches(/NONE/);
      const wrong = await fetch(remote.controlUrl, { method: 'POST', body: '{"call":"constructor"}' });
      expect(wrong.status).to.equal(400);
    } finally {
      await remote.close();
    }
  });
});
