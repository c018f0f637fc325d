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
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { propertyRuns } from '../../../../support/property-runs.ts';
import { type Emulator, startEmulator } from '../../../../support/venues/hyperliquid/emulator.ts';
import { cloidOf, Trader } from '../../../../support/venues/hyperliquid/trader.ts';

const KEY = `0x${'11'.repeat(32)}` as const;
const WALLET = privateKeyToAccount(`0x${'33'.repeat(32)}`);
const MASTER = WALLET.address.toLowerCase() as Hex;
const ETH = 1;
const PURR = 12;

describe('emulated Hyperliquid: accounts', () => {
  const clock = createFakeClock();
  let venue: Emulator;
  let trader: Trader;

  beforeEach(async () => {
    venue = await startEmulator({ clock, accounts: [{ address: MASTER, deposit: '10000' }] });
    trader = new Trader(venue.url, KEY, clock);
    venue.script.addAgent(MASTER, trader.address);
  });
  afterEach(() => venue.close());

  const buy = (sz: string, px = '4040') => trader.order([{ asset: ETH, px, sz }]);
  const sell = (sz: string, px = '3960') => trader.order([{ asset: ETH, isBuy: false, px, sz }]);
  const position = async () =>
    (await trader.info('clearinghouseState', { user: MASTER })).assetPositions[0]?.position;

  it('keeps a position with its entry, result and margin', async () => {
    venue.script.setBook(
      'ETH',
      [['3999', '9']],
      [
        ['4000', '1'],
        ['4002', '9'],
      ],
    );
    await buy('2', '4002');
    venue.script.setMark('ETH', '4101');
    expect(await position()).to.deep.include({
      ...{ coin: 'ETH', szi: '2.0', entryPx: '4001.0', positionValue: '8202.0', unrealizedPnl: '200.0' },
      ...{ leverage: { type: 'cross', value: 20 }, marginUsed: '410.1', maxLeverage: 25 },
    });
    const state = await trader.info('clearinghouseState', { user: MASTER });
    // 8,002 USD at 0.045 % were paid.
    expect(state.marginSummary).to.deep.equal({
      ...{
        accountValue: '10196.3991',
        totalNtlPos: '8202.0',
        totalRawUsd: '1994.3991',
        totalMarginUsed: '410.1',
      },
    });
    expect(state.withdrawable).to.equal('9786.2991');
  });

  it('names what a fill does to the position', async () => {
    await buy('2');
    await buy('1');
    await sell('1');
    await sell('4');
    await buy('3');
    await sell('1');
    const fills = await trader.info('userFillsByTime', { user: MASTER, startTime: 0 });
    expect(fills.map(({ dir }: { dir: string }) => dir)).to.deep.equal([
      ...['Open Long', 'Open Long', 'Close Long', 'Long > Short', 'Short > Long', 'Close Long'],
    ]);
    expect(new Set(fills.map(({ tid }: { tid: number }) => tid)).size).to.equal(6);
  });

  it('sets leverage and margin mode, and refuses as the venue does', async () => {
    const set = (asset: number, isCross: boolean, leverage: number) =>
      trader.act({ type: 'updateLeverage', asset, isCross, leverage });
    expect(await set(ETH, false, 5)).to.deep.equal({ status: 'ok', response: { type: 'default' } });
    expect((await set(ETH, true, 26)).response).to.equal('Invalid leverage value');
    expect((await set(PURR, true, 2)).response).to.equal('Cross margin is not allowed for this asset.');
    await buy('1', '4040');
    expect((await set(ETH, true, 5)).response).to.equal('Cannot switch leverage type with open position.');
    expect((await set(ETH, false, 2)).response).to.match(
      /^Isolated position does not have sufficient margin/,
    );
    expect((await set(ETH, false, 10)).status).to.equal('ok');
    expect((await position()).leverage).to.deep.include({ type: 'isolated', value: 10 });
    expect(Number((await position()).marginUsed)).to.be.closeTo(800, 2);
  });

  it('moves money into an isolated position and back', async () => {
    const move = (ntli: number, asset = ETH) =>
      trader.act({ type: 'updateIsolatedMargin', asset, isBuy: true, ntli });
    expect((await move(1_000_000)).response).to.equal('Cannot update margin for empty position.');
    await trader.act({ type: 'updateLeverage', asset: ETH, isCross: false, leverage: 10 });
    await buy('1', '4040');
    const used = dec((await position()).marginUsed);
    const cash = dec(venue.script.state(MASTER).cash);
    expect((await move(50_000_000)).status).to.equal('ok');
    expect(
      dec((await position()).marginUsed)
        .minus(used)
        .toNumber(),
    ).to.equal(50);
    expect(venue.script.state(MASTER).cash).to.equal(text(cash.minus(50)));
    expect((await move(-40_000_000)).status).to.equal('ok');
    expect((await move(-40_000_000)).response).to.equal(
      'Position does not have sufficient margin for reduction.',
    );
    expect((await move(0)).response).to.equal('Update to isolated margin cannot be zero.');
    expect((await move(99_999_000_000)).response).to.match(/^Account does not have sufficient margin/);
    await sell('1');
    expect((await trader.info('clearinghouseState', { user: MASTER })).assetPositions).to.deep.equal([]);
    expect(venue.script.state(MASTER).value).to.equal(venue.script.state(MASTER).cash);
  });

  it('pays and receives funding, which both answers tell', async () => {
    await buy('2');
    venue.script.setFundingRate('ETH', '0.0001');
    venue.script.settleFunding(1_700_000_000_000);
    const [payment] = await trader.info('userFunding', { user: MASTER, startTime: 1 });
    expect(payment).to.deep.include({ time: 1_700_000_000_000 });
    expect(payment.delta).to.deep.equal({
      ...{ type: 'funding', coin: 'ETH', usdc: '-0.8', szi: '2.0', fundingRate: '0.0001', nSamples: null },
    });
    expect((await position()).cumFunding.sinceOpen).to.equal('0.8');
    expect(await trader.info('userFunding', { user: MASTER, startTime: 1_700_000_000_001 })).to.deep.equal(
      [],
    );
  });

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

  it('acts by itself: foreign trades, liquidation, deleveraging, delisting', async () => {
    await buy('3');
    await trader.order([{ asset: 0, px: '90000', sz: '0.01', tif: 'Gtc', cloid: cloidOf(1) }]);
    venue.script.tradeElsewhere(MASTER, 'ETH', 'sell', '1', '4000');
    venue.script.deleverage(MASTER, 'ETH', '4100', '0.5');
    venue.script.liquidate(MASTER, 'ETH', '3900', '0.5');
    venue.script.delist('ETH');
    const fills = (await trader.info('userFillsByTime', { user: MASTER, startTime: 0 })).slice(1);
    expect(fills.map((fill: { dir: string; fee: string }) => [fill.dir, fill.fee === '0.0'])).to.deep.equal([
      ...[
        ['Close Long', false],
        ['Auto-Deleveraging', true],
        ['Close Long', false],
        ['Settlement', true],
      ],
    ]);
    expect(fills[0]).to.not.have.property('cloid');
    expect(fills[2].liquidation).to.deep.equal({
      liquidatedUser: MASTER,
      markPx: '4000.0',
      method: 'market',
    });
    const order = await trader.info('orderStatus', { user: MASTER, oid: cloidOf(1) });
    expect(order.order.status).to.equal('liquidatedCanceled');
    const meta = await trader.info('meta');
    expect(meta.universe[ETH]).to.include({ name: 'ETH', isDelisted: true });
    expect((await buy('1'))[0].error).to.match(/halted/);
    expect(await trader.info('allMids')).to.not.have.property('ETH');
  });

  it('tells fills of markets that the gateway does not know', async () => {
    venue.script.tradeUnknown(MASTER, '@107', 'buy', '5', '40');
    const [fill] = await trader.info('userFills', { user: MASTER });
    expect(fill).to.include({ coin: '@107', dir: 'Buy', sz: '5.0', feeToken: 'USDC' });
    expect(venue.script.state(MASTER).positions).to.deep.equal([]);
  });

  it('answers the candles of the script', async () => {
    const candle = { T: 119_999, s: 'ETH', i: '1m', o: '1', c: '2', h: '3', l: '0.5', v: '9', n: 2 };
    venue.script.setCandles(
      'ETH',
      '1m',
      [0, 60_000, 120_000].map((t) => ({ ...candle, t })),
    );
    const req = { coin: 'ETH', interval: '1m', startTime: 60_000, endTime: 60_000 };
    expect(await trader.info('candleSnapshot', { req })).to.deep.equal([{ ...candle, t: 60_000 }]);
  });

  it('reads 0 for a unified account, whose money lies in the spot wallet', async () => {
    await buy('1');
    venue.script.setAbstraction(MASTER, 'unifiedAccount');
    const state = await trader.info('clearinghouseState', { user: MASTER });
    expect(state.marginSummary.accountValue).to.equal('0.0');
    expect(state.withdrawable).to.equal('0.0');
    expect(state.assetPositions).to.have.length(1);
    const spot = await trader.info('spotClearinghouseState', { user: MASTER });
    expect(spot.balances[0]).to.deep.include({ coin: 'USDC', token: 0 });
    expect(Number(spot.balances[0].total)).to.be.greaterThan(9_990);
    expect(await trader.info('userAbstraction', { user: MASTER })).to.equal('unifiedAccount');
  });

  it('answers an agent who asks for itself with empty lists, and says whose agent it is', async () => {
    await buy('1');
    const user = trader.address;
    for (const type of ['openOrders', 'userFills']) {
      expect(await trader.info(type, { user }), type).to.deep.equal([]);
    }
    expect((await trader.info('clearinghouseState', { user })).assetPositions).to.deep.equal([]);
    expect(await trader.info('userRole', { user })).to.deep.equal({ role: 'agent', data: { user: MASTER } });
    expect(await trader.info('userRole', { user: MASTER })).to.deep.equal({ role: 'user' });
    const nobody = '0x00000000000000000000000000000000000000ff';
    expect(await trader.info('userRole', { user: nobody })).to.deep.equal({ role: 'missing' });
  });

  it('tells the account its own fees and books them', async () => {
    venue.script.setFees(MASTER, '0.0003', '0.0001');
    await buy('1');
    expect(await trader.info('userFees', { user: MASTER })).to.deep.include({
      ...{ userCrossRate: '0.0003', userAddRate: '0.0001' },
    });
    const [fill] = venue.script.state(MASTER).fills;
    expect(fill?.fee).to.equal(text(dec(fill?.px ?? 0).mul('0.0003')));
  });

  it('schedules the cancelling of all orders', async () => {
    await trader.order([{ asset: ETH, px: '3000', sz: '1', tif: 'Gtc', cloid: cloidOf(1) }]);
    expect((await trader.act({ type: 'scheduleCancel', time: clock.now() + 1_000 })).response).to.match(
      /too early/,
    );
    expect((await trader.act({ type: 'scheduleCancel', time: clock.now() + 6_000 })).status).to.equal('ok');
    venue.script.setClockOffset(7_000);
    expect(await trader.info('openOrders', { user: MASTER })).to.deep.equal([]);
    const order = await trader.info('orderStatus', { user: MASTER, oid: cloidOf(1) });
    expect(order.order.status).to.equal('scheduledCancel');
    venue.script.setScheduleCancelVolume('1000000');
    expect((await trader.act({ type: 'scheduleCancel' })).response).to.match(/until enough volume traded/);
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

  it('loses and makes no money: cash is deposits, results, fees and funding, whatever is traded', async () => {
    const deal = fc.record({
      isBuy: fc.boolean(),
      size: fc.integer({ min: 1, max: 900 }),
      mark: fc.integer({ min: 3_000, max: 5_000 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(deal, { minLength: 1, maxLength: 12 }),
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
      ),
      propertyRuns(15),
    );
  });
});
