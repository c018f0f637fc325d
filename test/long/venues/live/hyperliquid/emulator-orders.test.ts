import { expect } from 'chai';
import type { Action } from '../../../../../gateway/venues/live/hyperliquid/signing/l1-action.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { signingVectors } from '../../../../support/signing-vectors.ts';
import { type Emulator, startEmulator } from '../../../../support/venues/hyperliquid/emulator.ts';
import { cloidOf, orderAction, Trader } from '../../../../support/venues/hyperliquid/trader.ts';
import { connectionId, signerOfL1 } from '../../../../support/venues/hyperliquid/wire/signatures.ts';

const KEY = `0x${'11'.repeat(32)}` as const;
const OTHER_KEY = `0x${'22'.repeat(32)}` as const;
const MASTER = '0x00000000000000000000000000000000000000aa';
const ETH = 1;
const PURR = 12;

describe('emulated Hyperliquid: signatures', () => {
  for (const vector of signingVectors().l1) {
    it(`hashes and recovers as recorded: ${vector.name}`, async () => {
      const { action, nonce, vaultAddress, expiresAfter, connectionId: recorded, signature } = vector;
      const envelope = { action: action as never, nonce, vaultAddress, expiresAfter };
      expect(connectionId(envelope)).to.equal(recorded);
      for (const network of ['mainnet', 'testnet'] as const) {
        const signer = await signerOfL1(network, { ...envelope, signature: signature[network] });
        expect(signer).to.equal(vector.signer.toLowerCase());
      }
    });
  }
});

describe('emulated Hyperliquid: orders', () => {
  const clock = createFakeClock();
  let venue: Emulator;
  let trader: Trader;

  beforeEach(async () => {
    venue = await startEmulator({ clock, accounts: [{ address: MASTER, deposit: '10000' }] });
    trader = new Trader(venue.url, KEY, clock);
    venue.script.addAgent(MASTER, trader.address);
  });
  afterEach(() => venue.close());

  const refused: readonly (readonly [string, Parameters<Trader['order']>[0][number], RegExp, string?])[] = [
    ['six significant figures', { asset: ETH, px: '4000.12', sz: '1' }, /divisible by tick/, 'tickRejected'],
    ['too many decimals', { asset: PURR, px: '0.1234567', sz: '100' }, /divisible by tick/, 'tickRejected'],
    ['a price of 0', { asset: ETH, px: '0', sz: '1' }, /invalid price/],
    ['a size of 0', { asset: ETH, px: '4000', sz: '0' }, /zero size/],
    ['a size of too many decimals', { asset: ETH, px: '4000', sz: '1.00001' }, /invalid size/],
    [
      'less than the minimum',
      { asset: ETH, px: '4000', sz: '0.0024' },
      /minimum value/,
      'minTradeNtlRejected',
    ],
    [
      'more than the margin',
      { asset: ETH, px: '4040', sz: '60' },
      /Insufficient margin/,
      'perpMarginRejected',
    ],
    [
      'a reduction of nothing',
      { asset: ETH, px: '4040', sz: '1', reduceOnly: true },
      /increase/,
      'reduceOnlyRejected',
    ],
    ['a price far away', { asset: ETH, px: '9000', sz: '1' }, /reference price/, 'oracleRejected'],
    [
      'a post-only order that would match',
      { asset: ETH, px: '4040', sz: '1', tif: 'Alo' },
      /bbo was 3999\.\d@400/,
      'badAloPxRejected',
    ],
    ['a delisted instrument', { asset: 3, px: '0.5', sz: '100' }, /Trading is halted/],
  ];
  for (const [what, leg, words, status = 'rejected'] of refused) {
    it(`refuses ${what}`, async () => {
      const [answer] = await trader.order([{ ...leg, cloid: cloidOf(9) }]);
      expect(answer.error)
        .to.match(words)
        .and.match(new RegExp(` asset=${leg.asset}$`));
      const found = await trader.info('orderStatus', { user: MASTER, oid: cloidOf(9) });
      expect(found.order.status).to.equal(status);
      expect(venue.script.state(MASTER).positions).to.deep.equal([]);
    });
  }

  it('closes a position below the minimum only as a whole and reduce-only', async () => {
    await trader.order([{ asset: ETH, px: '4040', sz: '0.003' }]);
    venue.script.setMark('ETH', '2500');
    const [part] = await trader.order([
      { asset: ETH, isBuy: false, px: '2400', sz: '0.002', reduceOnly: true },
    ]);
    expect(part.error).to.match(/minimum/);
    const [open] = await trader.order([{ asset: ETH, isBuy: false, px: '2400', sz: '0.003' }]);
    expect(open.error).to.match(/minimum/);
    const [all] = await trader.order([
      { asset: ETH, isBuy: false, px: '2400', sz: '0.003', reduceOnly: true },
    ]);
    expect(all.filled.totalSz).to.equal('0.003');
    expect(venue.script.state(MASTER).positions).to.deep.equal([]);
  });

  describe('who may act', () => {
    const leg = { asset: ETH, px: '4040', sz: '1' } as const;

    it('not a stranger, and not an agent that is revoked or has ended', async () => {
      const stranger = new Trader(venue.url, OTHER_KEY, clock);
      expect(await stranger.order([leg])).to.equal(`User or API Wallet ${stranger.address} does not exist.`);
      venue.script.expireAgent(MASTER, trader.address);
      expect(await trader.order([leg])).to.match(/does not exist/);
      venue.script.revokeAgent(MASTER, trader.address);
      expect(await trader.order([leg])).to.match(/does not exist/);
    });

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

    it('has no builder approved, and remembers who asked', async () => {
      const { type, orders, grouping } = orderAction([
        { asset: ETH, px: '4040', sz: '1' },
      ]) as never as Record<string, never>;
      const builder = { b: MASTER, f: 10 };
      const answer = await trader.act({ type, orders, grouping, builder } as never);
      expect(answer).to.deep.equal({ status: 'err', response: 'Builder fee has not been approved.' });
      expect(venue.script.sentContaining('BUILDER')).to.have.length(1);
      expect(venue.script.sentContaining('referrer')).to.deep.equal([]);
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
});
