/** `POST /connectors/{id}/check` at the emulated Lighter: all steps, and with orders the smallest there are. */
import { expect } from 'chai';
import { lighter } from '../../gateway/venues/live/lighter/connector.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import type { TestGateway } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { accountAt, type TestAccount } from '../support/venues/lighter/adapter.ts';
import { type Emulator, startEmulator } from '../support/venues/lighter/emulator.ts';
import { startGatewayWithVenue } from '../support/venues/shared/gateway-with-venue.ts';
import { LiveAccountBase, LiveUser } from '../support/venues/shared/live-account.ts';

describe('API: check of an emulated Lighter', () => {
  const clock = createFakeClock();
  let emulator: Emulator;
  let gateway: TestGateway;
  let own: TestAccount;
  let bot: LiveAccountBase;

  before(async () => {
    emulator = await startEmulator({ clock, network: 'testnet', pulseMs: 100 });
    emulator.script.setReduceOnly('is cancelled');
    own = accountAt(emulator, { collateral: '10000' });
    const settings = { lighterTestnetUrl: emulator.url, lighterPerMinute: 10_000 };
    gateway = await startGatewayWithVenue(clock, lighter, settings);
    const live = new LiveUser(gateway, (await gateway.register()).accessToken, 'lighter-testnet');
    bot = new LiveAccountBase(live, await live.add('Main', own.access.credentials));
    await live.untilSynced(bot.id);
  });
  after(async () => {
    await gateway.close();
    await emulator.close();
  });

  const check = (more: object): Promise<Json> =>
    bot.expect('POST', '/connectors/lighter-testnet/check', { tradeAccountId: bot.id, ...more });
  const failing = ({ steps }: Json): string[] => steps.filter(({ ok }: Json) => !ok);

  it('proves what Tandem relies on, holds nothing afterwards, and tells no secret', async function () {
    this.timeout(60_000);
    const before = await check({ orders: false });
    expect(failing(before), JSON.stringify(before.steps)).to.deep.equal([]);
    expect(emulator.script.state(own.index).orders).to.deep.equal([]);
    const report = await check({ orders: true, transcript: true });
    expect(failing(report), JSON.stringify(report.steps)).to.deep.equal([]);
    expect(report.steps.map(({ name }: Json) => name)).to.include.members([
      ...['order_far', 'order_expired', 'order_batch', 'order_unknown', 'order_open', 'order_repeated'],
      ...['order_lookup', 'leverage', 'order_close', 'order_fills', 'order_fees'],
    ]);
    expect(emulator.script.state(own.index).positions).to.deep.equal([]);
    expect(report.proven).to.include({ at: report.at, version: report.version, network: 'testnet' });
    const text = JSON.stringify(report.transcript);
    expect(text).to.include('ClientOrderIndex').and.to.include('InitialMarginFraction');
    for (const secret of [own.key.privateKey, 'authorization', `${own.index}:5:`])
      expect(text.toLowerCase().includes(secret.toLowerCase()), secret).to.equal(false);
    expect(text).to.not.match(/Sig[^,]{0,8}:[^,]{0,4}[A-Za-z0-9+/]{20}/);
  });
});
