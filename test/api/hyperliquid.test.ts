/** A live account at the emulated Hyperliquid, through the composed gateway: connected, armed, traded, closed, found again. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { hyperliquid } from '../../gateway/venues/live/hyperliquid/connector.ts';
import { addressOf, toHex } from '../../gateway/venues/live/hyperliquid/signing/keys.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import type { TestGateway } from '../support/gateway.ts';
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { type Emulator, startEmulator } from '../support/venues/hyperliquid/emulator.ts';
import { startGatewayWithVenue } from '../support/venues/shared/gateway-with-venue.ts';

describe('API: Hyperliquid, emulated', () => {
  const clock = createFakeClock();
  let emulator: Emulator;
  let gateway: TestGateway;
  let dataDir: string;
  let headers: Record<string, string>;
  let accountId = '';
  const main = randomBytes(32);
  const agent = randomBytes(32);
  const address = addressOf(main);

  async function start(): Promise<void> {
    gateway = await startGatewayWithVenue(clock, hyperliquid, { hyperliquidUrl: emulator.url }, { dataDir });
  }
  const ask = (method: string, path: string, body?: object) =>
    gateway.request(method, path, {
      headers: { ...headers, ...(accountId === '' ? {} : { 'x-trade-account-id': accountId }) },
      ...(body === undefined ? {} : { body }),
    });
  const connect = (agentPrivateKey: string, accountAddress: string = address) =>
    ask('POST', '/trade-accounts', {
      ...{ alias: 'Main', connector: 'hyperliquid', credentials: { accountAddress, agentPrivateKey } },
    });
  const ended = (id: string) =>
    until(gateway.clock, 'the execution ends', async () => {
      const { json } = await ask('GET', `/executions/${id}`);
      const { execution } = json;
      return execution.status === 'IDLE' || execution.status === 'ACTIVE' ? null : execution;
    });

  before(async function () {
    this.timeout(20_000);
    dataDir = await temporaryFolder();
    emulator = await startEmulator({ clock, pulseMs: 200 });
    emulator.script.addAccount({ address, deposit: '10000' });
    await start();
    headers = { authorization: `Bearer ${(await gateway.register()).accessToken}` };
  });
  after(async () => {
    await gateway.close();
    await emulator.close();
    await removeTemporaryFolders();
  });

  it('is not in use, and disturbs nobody, until an account is connected', async () => {
    const { json } = await ask('GET', '/connectors');
    const { connectors } = json as { connectors: Record<string, unknown>[] };
    const live = connectors.find(({ id }) => id === 'hyperliquid');
    expect(live).to.include({ mode: 'LIVE', network: 'mainnet', inUse: false, override: emulator.url });
    await gateway.expect('GET', '/ready');
    expect(emulator.script.traffic().counts).to.deep.equal({});
  });

  it('refuses the key of the account itself, and a key that is no agent of it', async () => {
    const own = await connect(toHex(main));
    expect([own.status, JSON.stringify(own.json)]).to.satisfy(
      ([status, text]: [number, string]) => status === 400 && /withdraw everything/.test(text),
    );
    const stranger = await connect(toHex(agent));
    expect([stranger.status, JSON.stringify(stranger.json)]).to.satisfy(
      ([status, text]: [number, string]) => status === 400 && /not know this key as an agent/.test(text),
    );
  });

  it('connects with an agent key, takes what the account holds as its baseline, and opens nothing before it is armed', async () => {
    emulator.script.addAgent(address, addressOf(agent));
    emulator.script.tradeElsewhere(address, 'SOL', 'buy', '1.5', '200');
    const made = await connect(toHex(agent));
    expect(made.status, JSON.stringify(made.json)).to.equal(201);
    accountId = (made.json as { id: string }).id;
    await until(gateway.clock, 'the venue is up', async () => {
      const { json } = await ask('GET', '/connectors');
      const { connectors } = json as { connectors: { id: string; status: string }[] };
      return connectors.find(({ id }) => id === 'hyperliquid')?.status === 'UP' ? true : null;
    });
    const unassigned = await until(gateway.clock, 'the baseline is recorded', async () => {
      const { json } = await ask('GET', '/positions/unassigned');
      return JSON.stringify(json).includes('SOL-PERP') ? json : null;
    });
    expect(JSON.stringify(unassigned)).to.include('1.5');
    const { fills } = (await ask('GET', '/fills')).json;
    expect(fills).to.have.length(1);
    expect(fills[0]).to.include({ cause: 'BASELINE', symbol: 'SOL-PERP', quantity: '1.5', fee: '0' });
    const refused = await ask('POST', '/trade/open', BASKET);
    expect(refused.status, JSON.stringify(refused.json)).to.equal(409);
  });

  const BASKET = {
    type: 'MARKET',
    legs: [
      { symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '50' },
      { symbol: 'ETH-PERP', side: 'SELL', mode: 'USD', amount: '50' },
    ],
  };

  it('armed, opens a basket with one signed action and closes it again', async () => {
    const armed = await ask('PUT', `/trade-accounts/${accountId}/arming`, {
      ...{ alias: 'Main', perOrderUsd: '100', totalUsd: '500' },
    });
    expect(armed.status, JSON.stringify(armed.json)).to.equal(200);
    // Connecting has used most of what the venue lets an address ask in a minute.
    await clock.advance(20_000);
    emulator.script.clearTraffic();
    const opened = await ask('POST', '/trade/open', BASKET);
    expect(opened.status, JSON.stringify(opened.json)).to.equal(202);
    const end = await ended(opened.json.execution.id);
    expect(end, JSON.stringify(end)).to.include({ status: 'COMPLETED' });
    expect(emulator.script.traffic().counts['order']).to.equal(1);
    const held = emulator.script.state(address);
    expect(held.positions).to.have.length(3);
    const closed = await ask('POST', `/positions/${end['positionId']}/close`, { type: 'MARKET' });
    expect(closed.status, JSON.stringify(closed.json)).to.be.oneOf([200, 201, 202]);
    await ended(closed.json.execution.id);
    expect(emulator.script.state(address).positions).to.have.length(1);
    const differs = await ask('POST', '/sync', {});
    expect(differs.status, JSON.stringify(differs.json)).to.equal(200);
    expect(emulator.script.sentContaining('builder')).to.deep.equal([]);
  });
});
