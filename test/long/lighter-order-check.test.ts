/** `POST /connectors/{id}/check` at the emulated Lighter: all steps, and with orders the smallest there are. */
import { expect } from 'chai';
import { lighter } from '../../gateway/venues/live/lighter/connector.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import type { TestGateway } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { until } from '../support/until.ts';
import { accountAt, type TestAccount } from '../support/venues/lighter/adapter.ts';
import { type Emulator, startEmulator } from '../support/venues/lighter/emulator.ts';
import { startGatewayWithVenue } from '../support/venues/shared/gateway-with-venue.ts';

describe('API: check of an emulated Lighter', () => {
  const clock = createFakeClock();
  let emulator: Emulator;
  let gateway: TestGateway;
  let own: TestAccount;
  let headers: Record<string, string>;
  let tradeAccountId: string;

  before(async () => {
    emulator = await startEmulator({ clock, network: 'testnet', pulseMs: 100 });
    emulator.script.setReduceOnly('is cancelled');
    own = accountAt(emulator, { collateral: '10000' });
    const settings = { lighterTestnetUrl: emulator.url, lighterPerMinute: 10_000 };
    gateway = await startGatewayWithVenue(clock, lighter, settings);
    headers = { authorization: `Bearer ${(await gateway.register()).accessToken}` };
    const made = await gateway.expect(
      'POST',
      '/trade-accounts',
      {
        headers,
        body: { alias: 'Main', connector: 'lighter-testnet', credentials: own.access.credentials },
      },
      201,
    );
    tradeAccountId = made.id;
    headers = { ...headers, 'x-trade-account-id': tradeAccountId };
    await until(
      gateway.clock,
      'its history is known',
      async () => (await gateway.request('POST', '/sync', { headers, body: {} })).status === 200,
    );
  });
  after(async () => {
    await gateway.close();
    await emulator.close();
  });

  const check = async (more: object): Promise<Json> => {
    const body = { tradeAccountId, ...more };
    return gateway.expect('POST', '/connectors/lighter-testnet/check', { headers, body });
  };
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
