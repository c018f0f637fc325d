/** Separate statuses: accepting orders and delivering prices; one account and its venue. */
import { expect } from 'chai';
import { tandem } from '../support/command-line.ts';
import type { Json } from '../support/json.ts';
import { type LiveLeg, liveGatewayForSuite } from '../support/venues/hyperliquid/live-gateway.ts';

const LONG: readonly LiveLeg[] = [['BTC', 'BUY', '200']];

describe('API: Hyperliquid, what takes orders and what does not', () => {
  const live = liveGatewayForSuite();

  const ready = async (): Promise<Json> => {
    const { json } = await live.ask('GET', '/ready');
    return json.checks.find(({ name }: Json) => name === 'connector:hyperliquid');
  };
  const read = async (id: string): Promise<Json> => (await live.ask('GET', `/trade-accounts/${id}`)).json;

  it('a venue that has had too many requests is up, opens nothing until a time that is told, and then does', async function () {
    this.timeout(60_000);
    const bot = await live.account();
    expect(await live.status()).to.include({ status: 'UP', trading: 'UP', until: null });
    const opened = () => live.emulator.script.sentContaining('userFundings').length;
    const openedBefore = opened();
    live.emulator.script.fault({ on: 'updateLeverage', do: 'status', code: 429 });
    const before = live.gateway.clock.now();
    const setting = { symbol: 'BTC-PERP', leverage: 3, marginMode: 'cross' };
    expect((await bot.ask('PUT', '/leverage', setting)).status).to.equal(409);
    const told = await live.status();
    expect(told).to.include({ status: 'UP', trading: 'CLOSE_ONLY' });
    expect(told.reason).to.match(/too many requests/);
    expect(Date.parse(told.until)).to.be.within(before + 17_000, live.gateway.clock.now() + 18_000);
    const refused = await bot.tryOpen(LONG);
    expect(refused.status, refused.text).to.equal(409);
    expect(refused.json).to.deep.include({
      errorCode: 'RESOURCE_BUSY',
      details: { reason: 'CLOSE_ONLY', retryAt: Date.parse(told.until) },
    });
    expect(await ready()).to.include({ ok: false, detail: `${told.reason}, until ${told.until}` });
    const shown = await tandem(['status', '--url', `http://127.0.0.1:${live.gateway.port}`]);
    expect(shown.out).to.match(/^hyperliquid +LIVE +UP, .* until 20\S+Z +the venue has had too many/m);
    const account = await read(bot.id);
    expect(account.status).to.equal('DEGRADED');
    expect(account.checks.find(({ name }: Json) => name === 'connector')).to.deep.equal({
      name: 'connector',
      ok: false,
      detail: `Only closing orders: ${told.reason}, until ${told.until}`,
    });
    await live.until('it takes orders', async () => (await live.status()).trading === 'UP', 30_000);
    expect(await ready()).to.include({ ok: true });
    expect(await bot.open(LONG)).to.include({ status: 'COMPLETED' });
    // It was up all the time: no account was opened again.
    expect(opened()).to.equal(openedBefore);
    // Less than a minute of it is no news.
    expect(await bot.categories()).to.deep.equal([]);
  });

  it('an account whose requests are used up closes and opens nothing; its venue and the others go on @long', async function () {
    this.timeout(60_000);
    const other = await live.account();
    const bot = await live.account(({ script }, address) => script.setRequests(address, 9_896));
    expect(await read(bot.id)).to.include({ status: 'READY' });
    // Each leg is one of its requests, and four of 104 are not for closing.
    const { positionId } = await bot.open([
      ['BTC', 'BUY', '50'],
      ['SOL', 'BUY', '50'],
      ['ETH', 'SELL', '50'],
      ['DOGE', 'SELL', '50'],
    ]);
    const refused = await bot.tryOpen(LONG);
    expect(refused.status, refused.text).to.equal(409);
    expect(refused.json.details.reason).to.equal('CLOSE_ONLY');
    expect(refused.json.details.retryAt).to.be.within(
      live.gateway.clock.now(),
      live.gateway.clock.now() + 11_000,
    );
    expect(refused.text).to.match(/100 of its requests are left/);
    const account = await read(bot.id);
    expect(account.status).to.equal('DEGRADED');
    const check = account.checks.find(({ name }: Json) => name === 'account');
    expect(check.ok).to.equal(false);
    expect(check.detail).to.match(/^Only closing orders: 100 of its requests are left .*, until \d{4}-/);
    expect(await live.status()).to.include({ status: 'UP', trading: 'UP' });
    expect(await ready()).to.include({ ok: true });
    expect(await read(other.id)).to.include({ status: 'READY' });
    expect(await other.open(LONG)).to.include({ status: 'COMPLETED' });
    // It closes, for which the last hundred are; fifty seconds bring them back.
    expect(await bot.close(positionId)).to.include({ status: 'COMPLETED' });
    await live.until('its owner is told', async () => (await bot.categories()).length > 0, 30_000);
    expect(await bot.categories()).to.deep.equal(['CONNECTOR_DEGRADED']);
    expect(await other.categories()).to.deep.equal([]);
  });
});
