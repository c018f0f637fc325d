/** A live account at the emulated Lighter, through the composed gateway: connected, armed, traded, closed, found again. */
import { expect } from 'chai';
import { lighter } from '../../gateway/venues/live/lighter/connector.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import type { TestGateway } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { removeTemporaryFolders, temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { accountAt, KEY_INDEX, type TestAccount } from '../support/venues/lighter/adapter.ts';
import { type Emulator, startEmulator } from '../support/venues/lighter/emulator.ts';
import { makeKey } from '../support/venues/lighter/trader.ts';
import { startGatewayWithVenue } from '../support/venues/shared/gateway-with-venue.ts';

describe('API: Lighter, emulated', () => {
  const clock = createFakeClock();
  let emulator: Emulator;
  let gateway: TestGateway;
  let dataDir: string;
  let headers: Record<string, string>;
  let accountId = '';
  let own: TestAccount;

  async function start(): Promise<void> {
    gateway = await startGatewayWithVenue(clock, lighter, { lighterUrl: emulator.url }, { dataDir });
  }
  const ask = (method: string, path: string, body?: object) =>
    gateway.request(method, path, {
      headers: { ...headers, ...(accountId === '' ? {} : { 'x-trade-account-id': accountId }) },
      ...(body === undefined ? {} : { body }),
    });
  const connect = (change: object = {}) =>
    ask('POST', '/trade-accounts', {
      ...{ alias: 'Main', connector: 'lighter', credentials: { ...own.access.credentials, ...change } },
    });
  const ended = (id: string) =>
    until(gateway.clock, 'the execution ends', async () => {
      const { execution } = (await ask('GET', `/executions/${id}`)).json;
      return execution.status === 'IDLE' || execution.status === 'ACTIVE' ? null : execution;
    });

  before(async function () {
    this.timeout(20_000);
    dataDir = await temporaryFolder();
    emulator = await startEmulator({ clock, pulseMs: 200 });
    own = accountAt(emulator, { collateral: '10000' });
    await start();
    headers = { authorization: `Bearer ${(await gateway.register()).accessToken}` };
  });
  after(async () => {
    await gateway.close();
    await emulator.close();
    await removeTemporaryFolders();
  });

  it('is not in use, and disturbs nobody, until an account is connected', async () => {
    const { connectors } = (await ask('GET', '/connectors')).json;
    const live = connectors.find(({ id }: Json) => id === 'lighter');
    expect(live).to.include({ mode: 'LIVE', network: 'mainnet', inUse: false, override: emulator.url });
    expect((await gateway.request('GET', '/ready')).status).to.equal(200);
    expect(emulator.script.traffic().counts).to.deep.equal({});
  });

  it('refuses a reserved key index before the venue is asked, another key, and an account that there is not', async () => {
    const reserved = await connect({ apiKeyIndex: 2 });
    expect([reserved.status, reserved.text]).to.satisfy(
      ([status, text]: [number, string]) => status === 400 && /belong to the venue's own programs/.test(text),
    );
    expect(emulator.script.traffic().counts['apikeys']).to.equal(undefined);
    const stranger = await connect({ apiPrivateKey: makeKey('somebody else').privateKey });
    expect([stranger.status, stranger.text]).to.satisfy(
      ([status, text]: [number, string]) => status === 400 && /another key under index 5/.test(text),
    );
    const slip = await connect({ apiKeyIndex: 6 });
    expect([slip.status, slip.text]).to.satisfy(
      ([status, text]: [number, string]) => status === 400 && /no API key 6/.test(text),
    );
    const nobody = await connect({ accountIndex: 999_999 });
    expect([nobody.status, nobody.text]).to.satisfy(
      ([status, text]: [number, string]) => status === 400 && /no account of this number/.test(text),
    );
  });

  it('connects with its key, takes what the account holds as its baseline, and opens nothing before it is armed', async () => {
    emulator.script.tradeElsewhere(own.index, 'SOL', 'buy', '1.5', '200');
    const made = await connect();
    expect(made.status, made.text).to.equal(201);
    accountId = made.json.id;
    await until(gateway.clock, 'the venue is up', async () => {
      const { connectors } = (await ask('GET', '/connectors')).json;
      return connectors.find(({ id }: Json) => id === 'lighter')?.status === 'UP';
    });
    await until(gateway.clock, 'the baseline is recorded', async () =>
      (await ask('GET', '/positions/unassigned')).text.includes('SOL-PERP'),
    );
    const { fills } = (await ask('GET', '/fills')).json;
    expect(fills).to.have.length(1);
    expect(fills[0]).to.include({ cause: 'BASELINE', symbol: 'SOL-PERP', quantity: '1.5', fee: '0' });
    const refused = await ask('POST', '/trade/open', BASKET);
    expect(refused.status, refused.text).to.equal(409);
  });

  const BASKET = {
    type: 'MARKET',
    legs: [
      { symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '50' },
      { symbol: 'ETH-PERP', side: 'SELL', mode: 'USD', amount: '50' },
    ],
  };

  it('armed, opens a basket with one batch, settles it from the stream alone, and closes it again', async () => {
    const armed = await ask('PUT', `/trade-accounts/${accountId}/arming`, {
      ...{ alias: 'Main', perOrderUsd: '100', totalUsd: '500' },
    });
    expect(armed.status, armed.text).to.equal(200);
    emulator.script.clearTraffic();
    const opened = await ask('POST', '/trade/open', BASKET);
    expect(opened.status, opened.text).to.equal(202);
    const end = await ended(opened.json.execution.id);
    expect(end, JSON.stringify(end)).to.include({ status: 'COMPLETED' });
    const { counts } = emulator.script.traffic();
    expect([counts['sendTxBatch createOrder'], counts['accountOrders'] ?? 0]).to.deep.equal([1, 0]);
    expect(emulator.script.state(own.index).positions).to.have.length(3);
    const closed = await ask('POST', `/positions/${end['positionId']}/close`, { type: 'MARKET' });
    expect(closed.status, closed.text).to.be.oneOf([200, 201, 202]);
    await ended(closed.json.execution.id);
    expect(emulator.script.state(own.index).positions).to.have.length(1);
    const sync = await ask('POST', '/sync', {});
    expect(sync.status, sync.text).to.equal(200);
  });

  it('finds everything again after a restart, and orders of the run before keep their names', async () => {
    await gateway.close();
    await start();
    await until(gateway.clock, 'the venue is up', async () => {
      const { connectors } = (await ask('GET', '/connectors')).json;
      return connectors.find(({ id }: Json) => id === 'lighter')?.status === 'UP';
    });
    const opened = await until(gateway.clock, 'it opens', async () => {
      const answer = await ask('POST', '/trade/open', BASKET);
      return answer.status === 202 ? answer : null;
    });
    expect(await ended(opened.json.execution.id)).to.include({ status: 'COMPLETED' });
    const report = await ask('POST', '/sync', {});
    expect(report.status, report.text).to.equal(200);
    const wrong = report.json.differences.filter(
      ({ baskets, unassigned, venue }: Json) => Number(baskets) + Number(unassigned) !== Number(venue),
    );
    expect(wrong, report.text).to.deep.equal([]);
  });

  it('sends nobody else’s number or fee, and no key', () => {
    const sent = emulator.script.sent().map(decodeURIComponent).join('\n');
    expect(sent).to.include('ClientOrderIndex');
    expect(sent).to.match(new RegExp(`ApiKeyIndex\\\\?":${KEY_INDEX},`));
    expect(sent.toLowerCase()).to.not.include('integrator');
    expect(sent).to.not.match(/L2TxAttributes[^,]{0,12}\{/);
    expect(sent).to.not.include(own.key.privateKey);
  });
});
