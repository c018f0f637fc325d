/** An account at Hyperliquid whose mode changes while it trades: no phantom loss, no phantom withdrawal, one notification. */
import { expect } from 'chai';
import type { Json } from '../support/json.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { type LiveLeg, liveGatewayForEachTest } from '../support/venues/hyperliquid/live-gateway.ts';

const PAIR: readonly LiveLeg[] = [
  ['BTC', 'BUY', '400'],
  ['ETH', 'SELL', '400'],
];
const CHANGED = 'ACCOUNT_MODE_CHANGED';

describe('API: Hyperliquid, an account whose mode changes', () => {
  const live = liveGatewayForEachTest();
  const bot = openForEachTest(() => live.account());
  let positionId = '';

  beforeEach(async () => {
    ({ positionId } = await bot.open(PAIR));
    await live.gateway.clock.advance(20_000);
  });

  const setMode = (mode: 'default' | 'disabled' | 'unifiedAccount') =>
    live.emulator.script.setAbstraction(bot.address, mode);
  const portfolio = async (): Promise<Json> => (await bot.ask('GET', '/portfolio')).json;
  const drawdown = async (): Promise<Json> =>
    (await bot.ask('GET', '/portfolio/analytics')).json.risk?.maxDrawdown?.value;
  const checks = async (): Promise<readonly Json[]> =>
    (await live.ask('GET', `/trade-accounts/${bot.id}`)).json.checks;
  const changes = async () => (await bot.categories()).filter((category) => category === CHANGED);

  /** Checks for a minute that the account's worth stays. An unanswered request has no figures, which is no loss. */
  async function expectStill(before: Json): Promise<void> {
    for (let look = 0; look < 15; look += 1) {
      const now = await portfolio();
      if (now.equity !== null) {
        expect(Number(now.equity)).to.be.closeTo(Number(before.equity), 5);
        expect(Number(now.deposits)).to.be.closeTo(Number(before.deposits), 0.01);
      }
      const { json } = await bot.ask('GET', '/positions/risk');
      if (json.freeMargin !== undefined) expect(Number(json.freeMargin)).to.be.above(9_000);
      await live.gateway.clock.advance(4_000);
    }
    expect((await portfolio()).equity).to.not.equal(null);
  }

  it('keeps equity, deposits and free margin, says so once, and opens and closes on', async function () {
    this.timeout(150_000);
    const before = await portfolio();
    const deepest = await drawdown();
    setMode('unifiedAccount');
    await expectStill(before);
    expect(await drawdown()).to.equal(deepest);
    expect(await changes()).to.have.length(1);
    const { notifications } = (await live.ask('GET', '/notifications')).json;
    const told = notifications.find(({ category }: Json) => category === CHANGED);
    expect(told.parameters).to.include({ type: 'account', connector: 'hyperliquid' });
    expect(told.parameters.reason).to.match(/unified mode.*spot balance.*Nothing was deposited or withdrawn/);
    const check = (await checks()).find(({ name }) => name === 'account_mode');
    expect(check).to.include({ ok: true });
    expect(check.detail).to.match(/^In unified mode since 2026-.*spot balance/);
    expect(await bot.open([['SOL', 'BUY', '100']])).to.include({ status: 'COMPLETED' });
    expect(await bot.close(positionId)).to.include({ status: 'COMPLETED' });
    const flat = await portfolio();
    setMode('disabled');
    await expectStill(flat);
    expect(await changes()).to.have.length(2);
  });

  it('during a restart: nothing is booked, and it is told once however often the gateway starts @long', async function () {
    this.timeout(150_000);
    const before = await portfolio();
    await live.restart(() => setMode('unifiedAccount'));
    await live.until('it is up', async () => (await portfolio()).equity !== null);
    await expectStill(before);
    for (let start = 0; start < 1; start += 1) {
      await live.restart();
      await live.until('it is up', async () => (await portfolio()).equity !== null);
      await live.gateway.clock.advance(20_000);
    }
    expect(await changes()).to.have.length(1);
    await live.restart(() => setMode('default'));
    await live.until('it is up', async () => (await portfolio()).equity !== null);
    await expectStill(before);
    expect(await changes()).to.have.length(2);
  });

  for (const when of ['before', 'after'] as const)
    it(`just ${when} a close is executed: it closes, and nothing is booked @long`, async function () {
      this.timeout(150_000);
      const before = await portfolio();
      const account = bot.address;
      live.emulator.script.fault({ on: 'order', do: 'change_mode', account, mode: 'unifiedAccount', when });
      expect(await bot.close(positionId)).to.include({ status: 'COMPLETED' });
      expect(bot.held()).to.deep.equal({});
      await expectStill(before);
      expect(await changes()).to.have.length(1);
    });

  it('while the venue does not say the mode: no figure is told, and the close goes @long', async function () {
    this.timeout(150_000);
    const before = await portfolio();
    live.emulator.script.fault({ on: 'userAbstraction', do: 'status', code: 502, times: null });
    setMode('unifiedAccount');
    await live.gateway.clock.advance(10_000);
    expect(await bot.close(positionId)).to.include({ status: 'COMPLETED' });
    live.emulator.script.clearFaults();
    await expectStill(before);
  });
});
