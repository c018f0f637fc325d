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
import { Trader } from '../../../../support/venues/hyperliquid/trader.ts';

const KEY = `0x${'11'.repeat(32)}` as const;
const WALLET = privateKeyToAccount(`0x${'33'.repeat(32)}`);
const MASTER = WALLET.address.toLowerCase() as Hex;
const ETH = 1;

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
