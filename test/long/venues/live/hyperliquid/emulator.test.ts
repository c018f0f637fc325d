/** The rules and limits of the emulated venue that no adapter of ours runs into by itself. */
import { expect } from 'chai';
import fc from 'fast-check';
import { privateKeyToAccount } from 'viem/accounts';
import { dec, sum, text } from '../../../../../gateway/domain/decimal.ts';
import {
  type AgentApproval,
  approvalAction,
  approvalTypedData,
} from '../../../../../gateway/venues/live/hyperliquid/signing/agent-approval.ts';
import { addressOf, type Hex } from '../../../../../gateway/venues/live/hyperliquid/signing/keys.ts';
import type { Action } from '../../../../../gateway/venues/live/hyperliquid/signing/l1-action.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { forAllAsync, propertyRuns } from '../../../../support/property-runs.ts';
import { until } from '../../../../support/until.ts';
import { type Emulator, startEmulator } from '../../../../support/venues/hyperliquid/emulator.ts';
import { Listener, orderAction, Trader } from '../../../../support/venues/hyperliquid/trader.ts';

const KEY = `0x${'11'.repeat(32)}` as const;
const WALLET = privateKeyToAccount(`0x${'33'.repeat(32)}`);
const MASTER = WALLET.address.toLowerCase() as Hex;
const ETH = 1;

describe('emulated Hyperliquid', () => {
  const clock = createFakeClock();
  let venue: Emulator;
  let trader: Trader;

  beforeEach(async () => {
    venue = await startEmulator({ clock, accounts: [{ address: MASTER, deposit: '10000' }], pulseMs: 0 });
    trader = new Trader(venue.url, KEY, clock);
    venue.script.addAgent(MASTER, trader.address);
  });
  afterEach(() => venue.close());

  it('gives 2,000 fills at a time, oldest first, and the newest first where asked', async () => {
    for (let n = 0; n < 2_005; n += 1) venue.script.tradeElsewhere(MASTER, 'ETH', 'buy', '0.001', '4000');
    const first = await trader.info('userFillsByTime', { user: MASTER, startTime: 0 });
    const newest = await trader.info('userFillsByTime', { user: MASTER, startTime: 0, reversed: true });
    const all = venue.script.state(MASTER).fills;
    expect(first).to.have.length(2_000);
    expect(first[0].tid).to.equal(all[0]?.tid);
    expect(newest[0].tid).to.equal(all.at(-1)?.tid);
    expect(await trader.info('userFills', { user: MASTER })).to.have.length(2_000);
  });

  describe('approvals of agents', () => {
    const AGENT = addressOf(`0x${'44'.repeat(32)}`);
    const soon = () => clock.now() + 86_400_000;
    let last = 0;

    async function approve(change: Partial<AgentApproval> = {}, wallet = WALLET) {
      last = Math.max(last + 1, clock.now());
      const approval: AgentApproval = {
        ...{ network: 'mainnet', agentAddress: AGENT, agentName: `tandem valid_until ${soon()}` },
        ...{ nonce: last, chainId: 42161, ...change },
      };
      const typed = approvalTypedData(approval);
      const signed = await wallet.signTypedData({
        ...typed,
        domain: { ...typed.domain, chainId: BigInt(approval.chainId) },
        message: { ...typed.message, nonce: BigInt(approval.nonce) },
      });
      const signature = {
        r: signed.slice(0, 66),
        s: `0x${signed.slice(66, 130)}`,
        v: Number.parseInt(signed.slice(130), 16),
      };
      const body = { action: approvalAction(approval), nonce: approval.nonce, signature };
      return (await trader.post('/exchange', body)).json() as Promise<{ status: string; response: unknown }>;
    }

    it('lets the agent trade until its time is over, on any chain of the wallet', async () => {
      const validUntil = soon();
      const answer = await approve({ agentName: `tandem-1 valid_until ${validUntil}`, chainId: 1 });
      expect(answer).to.deep.equal({ status: 'ok', response: { type: 'default' } });
      const agents = await trader.info('extraAgents', { user: MASTER });
      expect(agents).to.deep.include({ name: 'tandem-1', address: AGENT, validUntil });
      const agent = new Trader(venue.url, `0x${'44'.repeat(32)}`, clock);
      expect((await agent.order([{ asset: ETH, px: '4040', sz: '1' }]))[0].filled.totalSz).to.equal('1.0');
      venue.script.setClockOffset(86_400_000 * 1.5);
      expect(
        await agent.order([{ asset: ETH, px: '4040', sz: '1' }], { nonce: clock.now() + 86_400_000 }),
      ).to.match(/does not exist/);
    });

    it('replaces the agent of the same name, and takes an address never again', async () => {
      expect((await approve()).status).to.equal('ok');
      expect(await trader.info('userRole', { user: trader.address })).to.deep.equal({ role: 'missing' });
      expect((await approve()).response).to.equal('Extra agent already used.');
    });

    it('refuses strangers, the other network, too many names and too long a time', async () => {
      const stranger = privateKeyToAccount(`0x${'55'.repeat(32)}`);
      expect((await approve({}, stranger)).response).to.match(/^Must deposit before performing actions/);
      expect((await approve({ network: 'testnet' })).status).to.equal('err');
      expect(
        (await approve({ agentName: `x valid_until ${clock.now() + 181 * 86_400_000}` })).status,
      ).to.equal('err');
      expect((await approve({ agentName: 'a'.repeat(17) })).status).to.equal('err');
      const address = (n: number) => `0x${String(n).padStart(40, '0')}` as Hex;
      for (const [n, agentName] of ['b', 'c'].entries()) {
        expect((await approve({ agentName, agentAddress: address(n + 1) })).status).to.equal('ok');
      }
      expect((await approve({ agentName: 'd', agentAddress: address(3) })).response).to.match(
        /^Too many extra agents/,
      );
      expect((await approve({ agentName: '', agentAddress: address(4) })).status).to.equal('ok');
      expect(await trader.info('extraAgents', { user: MASTER })).to.have.length(3);
    });
  });

  describe('who may act', () => {
    const leg = { asset: ETH, px: '4040', sz: '1' } as const;

    it('not who signed for the other network, another order of keys or longer numbers', async () => {
      expect(await trader.order([leg], { network: 'testnet' })).to.match(/does not exist/);
      const { type, orders, grouping } = orderAction([leg]) as Action & { orders: never; grouping: string };
      expect((await trader.act({ orders, type, grouping } as Action)).response).to.match(/does not exist/);
      expect(await trader.order([{ ...leg, px: '4040.0' }])).to.match(/does not exist/);
      expect((await trader.order([leg]))[0].filled.totalSz).to.equal('1.0');
    });

    it('not for a subaccount of somebody else', async () => {
      const mine = '0x00000000000000000000000000000000000000bb';
      const theirs = '0x00000000000000000000000000000000000000cc';
      venue.script.addAccount({ address: mine, deposit: '5000', kind: 'subAccount', master: MASTER });
      venue.script.addAccount({ address: theirs, deposit: '5000', kind: 'subAccount', master: mine });
      expect((await trader.order([leg], { vaultAddress: mine }))[0].filled.totalSz).to.equal('1.0');
      expect(venue.script.state(mine).positions).to.have.length(1);
      expect(venue.script.state(MASTER).positions).to.deep.equal([]);
      expect(await trader.order([leg], { vaultAddress: theirs })).to.match(/does not exist/);
      const role = await trader.info('userRole', { user: mine });
      expect(role).to.deep.equal({ role: 'subAccount', data: { master: MASTER } });
    });

    it('not twice with one nonce, nor with one out of time', async () => {
      const now = clock.now();
      expect((await trader.order([leg], { nonce: now }))[0].filled.totalSz).to.equal('1.0');
      expect(await trader.order([leg], { nonce: now })).to.equal(`Invalid nonce: duplicate nonce ${now}`);
      const day = 86_400_000;
      expect(await trader.order([leg], { nonce: now - 2 * day - 1 })).to.match(/^Invalid nonce/);
      expect(await trader.order([leg], { nonce: now + day + 1_000 })).to.match(/^Invalid nonce/);
    });

    it('with a nonce between the 100 highest, but not below them', async () => {
      const now = clock.now();
      for (let n = 0; n < 100; n += 1) await trader.act({ type: 'noop' }, { nonce: now - 2 * n });
      expect((await trader.act({ type: 'noop' }, { nonce: now - 51 })).status).to.equal('ok');
      expect((await trader.act({ type: 'noop' }, { nonce: now - 198 })).response).to.match(/^Invalid nonce/);
    });

    it('not after the expiry that was signed; it costs five requests', async () => {
      const late = { expiresAfter: clock.now() - 1 };
      expect(await trader.order([leg], late)).to.match(/expired/);
      expect(venue.script.state(MASTER).requestsUsed).to.equal(5);
      venue.script.setLateExpiry('silence');
      expect(await trader.order([leg], late).catch((error: Error) => error)).to.be.instanceOf(Error);
      expect((await trader.order([leg], { expiresAfter: clock.now() + 5_000 }))[0].filled.totalSz).to.equal(
        '1.0',
      );
    });

    it('not above the limit of the account, but then once in ten seconds, and cancels longer', async () => {
      venue.script.setRequests(MASTER, 100, 100);
      expect((await trader.act({ type: 'noop' })).status).to.equal('ok');
      expect((await trader.act({ type: 'noop' })).response).to.equal(
        'Too many cumulative requests sent (102 > 100) for cumulative volume traded $0.00. Place taker orders to free up 1 request per USDC traded.',
      );
      expect((await trader.act({ type: 'cancel', cancels: [{ a: 0, o: 1 }] })).status).to.equal('ok');
      const limit = await trader.info('userRateLimit', { user: MASTER });
      expect(limit).to.deep.include({ nRequestsUsed: 102, nRequestsCap: 100 });
    });
  });

  describe('strictness', () => {
    it('does not read unknown fields, types and forms', async () => {
      const right = trader.signed(orderAction([{ asset: ETH, px: '4040', sz: '1' }])) as Record<
        string,
        unknown
      >;
      const action = right['action'] as Record<string, unknown>;
      const [leg] = action['orders'] as Record<string, unknown>[];
      const wrong: readonly unknown[] = [
        { ...right, extra: 1 },
        { ...right, action: { ...action, extra: 1 } },
        { ...right, action: { ...action, orders: [{ ...leg, extra: 1 }] } },
        { ...right, action: { ...action, orders: [{ ...leg, p: 4040 }] } },
        { ...right, action: { ...action, orders: [{ ...leg, p: '4e3' }] } },
        { ...right, action: { ...action, orders: [{ ...leg, c: '0x12' }] } },
        { ...right, action: { ...action, orders: [{ ...leg, t: { limit: { tif: 'Fok' } } }] } },
        { ...right, action: { ...action, orders: [] } },
        { ...right, action: { type: 'withdraw3' } },
        { ...right, signature: '0x' },
        { ...right, nonce: '1' },
        [],
        null,
      ];
      for (const body of wrong) {
        const response = await trader.post('/exchange', body);
        expect(response.status, JSON.stringify(body)).to.equal(422);
      }
      expect((await trader.post('/exchange', '{"action"')).status).to.equal(400);
      expect((await trader.post('/info', { type: 'whatever' })).status).to.equal(422);
      expect((await trader.post('/info', { type: 'clearinghouseState', user: '0x12' })).status).to.equal(422);
      expect((await trader.post('/elsewhere', {})).status).to.equal(404);
      expect(venue.script.state(MASTER).orders).to.deep.equal([]);
    });

    it('counts requests and their weight, and sends away who asks too much', async () => {
      venue.script.clearTraffic();
      await trader.info('meta');
      await trader.info('userRole', { user: MASTER });
      await trader.info('l2Book', { coin: 'ETH' });
      await trader.order([{ asset: ETH, px: '4040', sz: '1' }]);
      await trader.order(Array.from({ length: 40 }, () => ({ asset: ETH, px: '4040', sz: '0.01' })));
      expect(venue.script.traffic()).to.deep.equal({
        counts: { meta: 1, userRole: 1, l2Book: 1, order: 2 },
        weight: 20 + 60 + 2 + 1 + 2,
        streams: 0,
      });
      venue.script.setWeightPerMinute(100);
      expect((await trader.post('/info', { type: 'meta' })).status).to.equal(429);
    });
  });

  describe('streams', () => {
    let listener: Listener;

    beforeEach(async () => {
      listener = await Listener.open(venue.wsUrl);
    });
    afterEach(() => listener.close());

    const count = (channel: string, most: number) =>
      until(clock, `${most} messages of ${channel}`, () => listener.of(channel).length >= most, 3_000);

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
  });

  it('loses and makes no money: cash is deposits, results, fees and funding, whatever is traded', async () => {
    const deal = fc.record({
      isBuy: fc.boolean(),
      size: fc.integer({ min: 1, max: 900 }),
      mark: fc.integer({ min: 3_000, max: 5_000 }),
    });
    await forAllAsync(
      [fc.boolean(), fc.array(deal, { minLength: 1, maxLength: 12 })],
      propertyRuns(15),
      async (isCross, deals) => {
        const own = await startEmulator({ clock, accounts: [{ address: MASTER, deposit: '10000' }] });
        const dealer = new Trader(own.url, KEY, clock);
        own.script.addAgent(MASTER, dealer.address);
        await dealer.act({ type: 'updateLeverage', asset: ETH, isCross, leverage: 7 });
        for (const { isBuy, size, mark } of deals) {
          own.script.setMark('ETH', String(mark));
          await dealer.order([
            { asset: ETH, isBuy, px: isBuy ? '5800' : '2500', sz: text(dec(size).div(1_000)) },
          ]);
          own.script.settleFunding();
        }
        own.script.setMark('ETH', '4000');
        const state = own.script.state(MASTER);
        const total = (field: 'closedPnl' | 'fee') => sum(state.fills.map((fill) => dec(fill[field])));
        const { size = '0', entry = '0' } = state.positions[0] ?? {};
        const expected = dec(10_000).plus(total('closedPnl')).minus(total('fee')).plus(state.funding);
        const open = dec(size).mul(dec(4_000).minus(entry));
        await own.close();
        // Each closed part is rounded to a millionth.
        expect(dec(state.value).minus(expected).minus(open).abs().toNumber()).to.be.lessThan(0.0001);
      },
    );
  });
});
