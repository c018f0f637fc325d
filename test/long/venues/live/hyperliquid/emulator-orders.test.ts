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
const SOL = 5;
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

  it('fills an IOC order inside its limit, and tells the rest as cancelled', async () => {
    venue.script.setBook(
      'ETH',
      [['3999', '1']],
      [
        ['4000', '0.5'],
        ['4001', '0.5'],
        ['4003', '5'],
      ],
    );
    const [full] = await trader.order([{ asset: ETH, px: '4000', sz: '0.2', cloid: cloidOf(1) }]);
    expect(full.filled).to.deep.include({ totalSz: '0.2', avgPx: '4000.0', cloid: cloidOf(1) });
    const [part] = await trader.order([{ asset: ETH, px: '4001', sz: '2', cloid: cloidOf(2) }]);
    expect(part.filled).to.deep.include({ totalSz: '0.8', avgPx: '4000.62' });
    const found = await trader.info('orderStatus', { user: MASTER, oid: cloidOf(2) });
    expect(found.order.status).to.equal('canceled');
    expect(found.order.order).to.deep.include({ origSz: '2.0', sz: '1.2', cloid: cloidOf(2), tif: 'Ioc' });
    const [none] = await trader.order([{ asset: ETH, px: '4002', sz: '2', cloid: cloidOf(3) }]);
    expect(none.error).to.equal('Order could not immediately match against any resting orders. asset=1');
    const missed = await trader.info('orderStatus', { user: MASTER, oid: cloidOf(3) });
    expect(missed.order.status).to.equal('iocCancelRejected');
    expect(venue.script.state(MASTER).positions).to.deep.equal([{ coin: 'ETH', size: '1', entry: '4000.5' }]);
  });

  it('answers for each leg of a batch alone', async () => {
    const answers = await trader.order([
      { asset: 0, px: '101000', sz: '0.001' },
      { asset: ETH, px: '4040', sz: '0.0001' },
      { asset: SOL, px: '202', sz: '1' },
      { asset: 99, px: '1', sz: '100' },
    ]);
    expect(answers[0].filled.totalSz).to.equal('0.001');
    expect(answers[1]).to.deep.equal({ error: 'Order must have minimum value of $10. asset=1' });
    expect(answers[2].filled.totalSz).to.equal('1.0');
    expect(answers[3].error).to.match(/asset=99$/);
  });

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

  it('cuts a reduce-only order to the position', async () => {
    await trader.order([{ asset: ETH, px: '4040', sz: '1' }]);
    const [answer] = await trader.order([
      { asset: ETH, isBuy: false, px: '3960', sz: '3', reduceOnly: true, cloid: cloidOf(5) },
    ]);
    expect(answer.filled.totalSz).to.equal('1.0');
    expect(venue.script.state(MASTER).positions).to.deep.equal([]);
    const found = await trader.info('orderStatus', { user: MASTER, oid: cloidOf(5) });
    expect(found.order).to.deep.include({ status: 'canceled' });
    expect(found.order.order.sz).to.equal('2.0');
  });

  it('rests what does not match, fills it as maker when the market comes, and cancels by either id', async () => {
    const [rests, other, third] = await trader.order([
      { asset: ETH, px: '3900', sz: '1', tif: 'Gtc', cloid: cloidOf(1) },
      { asset: ETH, px: '3800', sz: '1', tif: 'Alo', cloid: cloidOf(2) },
      { asset: ETH, px: '3700', sz: '1', tif: 'Gtc' },
    ]);
    expect(rests.resting).to.include({ cloid: cloidOf(1) });
    const open = await trader.info('openOrders', { user: MASTER });
    expect(open.map(({ oid }: { oid: number }) => oid)).to.have.members(
      [rests, other, third].map(({ resting }) => resting.oid),
    );
    const long = await trader.info('frontendOpenOrders', { user: MASTER });
    expect(long[0]).to.include({ orderType: 'Limit', tif: 'Gtc', cloid: cloidOf(1), origSz: '1.0' });
    venue.script.setMark('ETH', '3850');
    const [fill] = await trader.info('userFills', { user: MASTER });
    expect(fill).to.include({
      px: '3900.0',
      crossed: false,
      dir: 'Open Long',
      fee: '0.585',
      cloid: cloidOf(1),
    });
    const cancels = await trader.act({
      type: 'cancelByCloid',
      cancels: [
        { asset: ETH, cloid: cloidOf(2) },
        { asset: ETH, cloid: cloidOf(1) },
        { asset: 0, cloid: cloidOf(2) },
      ],
    });
    const gone = 'Order was never placed, already canceled, or filled.';
    expect(cancels.response.data.statuses).to.deep.equal([
      'success',
      { error: `${gone} asset=1` },
      { error: `${gone} asset=0` },
    ]);
    const last = await trader.act({ type: 'cancel', cancels: [{ a: ETH, o: third.resting.oid }] });
    expect(last.response).to.deep.equal({ type: 'cancel', data: { statuses: ['success'] } });
    expect(await trader.info('openOrders', { user: MASTER })).to.deep.equal([]);
  });

  it('does not trade an account with itself, and cancels reducers that have nothing left to reduce', async () => {
    venue.script.setBook('ETH', [['3990', '5']], [['4010', '5']]);
    await trader.order([{ asset: ETH, px: '4000', sz: '1', tif: 'Gtc', cloid: cloidOf(1) }]);
    await trader.order([{ asset: ETH, isBuy: false, px: '3990', sz: '1', cloid: cloidOf(2) }]);
    const status = async (n: number) =>
      (await trader.info('orderStatus', { user: MASTER, oid: cloidOf(n) })).order.status;
    expect(await status(1)).to.equal('selfTradeCanceled');
    expect(await status(2)).to.equal('filled');
    await trader.order([
      { asset: ETH, px: '3000', sz: '1', reduceOnly: true, tif: 'Gtc', cloid: cloidOf(3) },
    ]);
    await trader.order([{ asset: ETH, px: '4010', sz: '1', reduceOnly: true }]);
    expect(await status(3)).to.equal('reduceOnlyCanceled');
  });

  it('lists an order once for each state that it had, the last one first', async () => {
    await trader.order([{ asset: ETH, px: '3000', sz: '1', tif: 'Gtc', cloid: cloidOf(1) }]);
    await trader.act({ type: 'cancelByCloid', cancels: [{ asset: ETH, cloid: cloidOf(1) }] });
    const history = await trader.info('historicalOrders', { user: MASTER });
    expect(history.map(({ status }: { status: string }) => status)).to.deep.equal(['canceled', 'open']);
    expect(history[0].order).to.deep.equal(history[1].order);
  });

  it('refuses a client id that it knows, and keeps the first order under it', async () => {
    const [first] = await trader.order([{ asset: ETH, px: '4040', sz: '1', cloid: cloidOf(7) }]);
    const [second] = await trader.order([{ asset: ETH, px: '4040', sz: '2', cloid: cloidOf(7) }]);
    expect(second.error).to.be.a('string');
    const found = await trader.info('orderStatus', { user: MASTER, oid: cloidOf(7) });
    expect(found.order.order.oid).to.equal(first.filled.oid);
    expect(venue.script.state(MASTER).positions[0]?.size).to.equal('1');
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
