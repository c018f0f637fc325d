/** A live account whose venue cannot be reached when the gateway starts: everything else is as always. */
import { randomBytes } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import sqlite3 from 'sqlite3';
import { databaseFile } from '../../gateway/config.ts';
import { hyperliquid } from '../../gateway/venues/live/hyperliquid/connector.ts';
import { addressOf, toHex } from '../../gateway/venues/live/hyperliquid/signing/keys.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import type { TestGateway } from '../support/gateway.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { startEmulator } from '../support/venues/hyperliquid/emulator.ts';
import { startGatewayWithVenue } from '../support/venues/shared/gateway-with-venue.ts';
import { LiveUser } from '../support/venues/shared/live-account.ts';

describe('API: Hyperliquid, away at the start', () => {
  const clock = createFakeClock();
  let dataDir: string;
  let gateway: TestGateway;
  let headers: Record<string, string>;
  let liveId = '';
  let paperId = '';
  const agent = randomBytes(32);
  const address = addressOf(randomBytes(32));
  const sockets = new Set<Socket>();
  /** Takes connections and never answers. */
  let silent: Server;
  let silentPort = 0;

  const start = async (hyperliquidUrl: string) => {
    gateway = await startGatewayWithVenue(clock, hyperliquid, { hyperliquidUrl }, { dataDir });
  };
  const connector = async (): Promise<Record<string, unknown>> => {
    const { json } = await gateway.request('GET', '/connectors');
    return json.connectors.find(({ id }: { id: string }) => id === 'hyperliquid');
  };
  const instruments = async (): Promise<string[]> => {
    const { json } = await gateway.request('GET', '/instruments/lite?connector=hyperliquid&scope=all');
    return json.instruments.map(({ id }: { id: string }) => id);
  };

  before(async () => {
    dataDir = await temporaryFolder();
    const emulator = await startEmulator({ clock });
    emulator.script.addAccount({ address, deposit: '10000' });
    emulator.script.addAgent(address, addressOf(agent));
    await start(emulator.url);
    const user = await gateway.register();
    headers = { authorization: `Bearer ${user.accessToken}` };
    paperId = user.tradeAccount.id;
    const credentials = { accountAddress: address, agentPrivateKey: toHex(agent) };
    liveId = await new LiveUser(gateway, user.accessToken, 'hyperliquid').connect('Main', credentials);
    await gateway.close();
    await emulator.close();
    silent = createServer((socket) => {
      sockets.add(socket.on('error', () => {}).resume());
    });
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    silentPort = (silent.address() as { port: number }).port;
  });
  after(() => silent.close());
  afterEach(async () => {
    await gateway.close();
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  });

  const hosts: Record<string, () => string> = {
    'takes connections and never answers': () => `http://127.0.0.1:${silentPort}`,
    // Nobody listens on the port of echo, and users may not.
    'refuses connections': () => 'http://127.0.0.1:7',
  };
  for (const [what, url] of Object.entries(hosts)) {
    it(`its host ${what}: DOWN with the last instruments, the account DEGRADED, paper trades${what === 'refuses connections' ? '' : ' @long'}`, async () => {
      await start(url());
      // Its program waits until the gateway serves.
      expect(sockets.size).to.equal(0);
      expect(await connector()).to.include({ status: 'DOWN', inUse: true });
      const account = await gateway.request('GET', `/trade-accounts/${liveId}`, { headers });
      expect(account.json).to.include({ id: liveId, status: 'DEGRADED' });
      const onPaper = { ...headers, 'x-trade-account-id': paperId };
      const opened = await gateway.expect(
        'POST',
        '/trade/open',
        {
          headers: onPaper,
          body: { type: 'MARKET', legs: [{ symbol: 'SOL-PERP', side: 'BUY', mode: 'USD', amount: '100' }] },
        },
        202,
      );
      await until(gateway.clock, 'the paper order is filled', async () => {
        const { json } = await gateway.request('GET', `/executions/${opened.execution.id}`, {
          headers: onPaper,
        });
        return json.execution.status === 'COMPLETED';
      });
      await until(gateway.clock, 'the stored instruments are there', async () =>
        (await instruments()).includes('BTC-PERP'),
      );
      expect(await connector()).to.include({ status: 'DOWN', trading: 'DOWN', inUse: true });
      const order = await gateway.expect(
        'POST',
        '/trade/open',
        {
          headers: { ...headers, 'x-trade-account-id': liveId },
          body: { type: 'MARKET', legs: [{ symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '100' }] },
        },
        409,
      );
      expect(order.details).to.include({ reason: 'VENUE_DOWN' });
    });
  }

  it('an account that a venue which is up did not open is opened later, without a restart', async function () {
    this.timeout(60_000);
    const emulator = await startEmulator({ clock });
    try {
      emulator.script.addAccount({ address, deposit: '10000' });
      emulator.script.addAgent(address, addressOf(agent));
      emulator.script.fault({ on: 'userRole', do: 'status', code: 502, times: null });
      // Deletes the facts stored when the account was connected, so that the gateway asks the venue again.
      await forgetFacts(dataDir);
      await start(emulator.url);
      const status = async () => {
        const { json } = await gateway.request('GET', `/trade-accounts/${liveId}`, { headers });
        return json.status;
      };
      await until(gateway.clock, 'the venue is up', async () => (await connector())['status'] === 'UP');
      await until(gateway.clock, 'the account is not open', async () => (await status()) === 'DEGRADED');
      emulator.script.clearFaults();
      await until(gateway.clock, 'the account is open', async () => (await status()) === 'READY', 40_000);
    } finally {
      await emulator.close();
    }
  });
});

function forgetFacts(dataDir: string): Promise<void> {
  const database = new sqlite3.Database(databaseFile(dataDir));
  return new Promise((resolve, reject) => {
    database.run("DELETE FROM settings WHERE key LIKE 'venue:hyperliquid:facts:%'", (failed) =>
      database.close((error) => {
        const problem = failed ?? error;
        if (problem === null) resolve();
        else reject(problem);
      }),
    );
  });
}
