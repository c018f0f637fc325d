/** The gateway under the app, with a real process: it starts, proves itself, dies, comes back with everything, stops. */
import { createServer } from 'node:http';
import { expect } from 'chai';
import { createGatewayHost, type GatewayHost } from '../../../main/gateway-host/gateway-host.ts';
import { GATEWAY_LIFE, type GatewayLife, nextLife } from '../../../main/gateway-host/gateway-life.ts';
import { provesItself } from '../../../main/gateway-host/prove-gateway.ts';
import { talkingChild } from '../../support/desktop-shell.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { type ForkedGateways, forkedGateways } from '../../support/forked-gateway.ts';
import { gatewayClient } from '../../support/gateway-client.ts';
import { buildGateway } from '../../support/gateway-process.ts';
import { listenLocally } from '../../support/local-port.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { PAIR, trader } from '../../support/trader.ts';

/** The first pause before a gateway is started again is not longer. */
const RETRY_MS = 500;

function until(host: GatewayHost, life: GatewayLife): Promise<void> {
  if (host.life === life) return Promise.resolve();
  return new Promise((resolve) => host.onChange(() => host.life === life && resolve()));
}

describe('the gateway under the app', () => {
  let clock: FakeClock;
  let gateways: ForkedGateways;
  let host: GatewayHost;
  let dataDir: string;
  const log: string[] = [];
  before(buildGateway);
  beforeEach(async () => {
    clock = createFakeClock();
    dataDir = await temporaryFolder();
    gateways = forkedGateways(dataDir);
    host = hostOf(gateways);
  });
  afterEach(() => gateways.killAll());

  function hostOf({ start }: Pick<ForkedGateways, 'start'>, proves = provesItself): GatewayHost {
    return createGatewayHost({
      startChild: start,
      proves,
      after: clock.after,
      random: () => 0,
      log: (text) => log.push(text),
    });
  }

  it('comes back after a kill with everything that was acknowledged, and only then is ready', async () => {
    host.start();
    await until(host, 'READY');
    const client = gatewayClient(host.gateway?.url ?? '');
    const ada = await trader(client);
    const placed = await ada.call('POST', '/trade/open', { type: 'MARKET', legs: PAIR });
    expect(placed.status).to.equal(202);
    expect(await host.work()).to.have.keys('executions', 'orders', 'waiting');

    gateways.children[0]?.kill('SIGKILL');
    await until(host, 'RESTARTING');
    expect(host.gateway).to.equal(null);
    expect(await host.work()).to.equal(null);
    await clock.advance(RETRY_MS);
    await until(host, 'READY');

    const again = gatewayClient(host.gateway?.url ?? '');
    const read = await again.request('GET', `/executions/${placed.json.execution.id}`, {
      headers: { 'x-api-key': ada.key, 'x-trade-account-id': ada.accountId },
    });
    expect(read.status).to.equal(200);
    expect(read.json.execution.status).to.be.oneOf(['ACTIVE', 'COMPLETED', 'FAILED']);
    await host.stop();
  });

  it('is started again ever more slowly, and at once again when it has held for a minute', async () => {
    const timers: { readonly delayMs: number; readonly run: () => void }[] = [];
    const { start, say, exit } = talkingChild();
    let starts = 0;
    const failing = createGatewayHost({
      startChild() {
        starts += 1;
        return start();
      },
      proves: async () => true,
      after(delayMs, run) {
        const timer = { delayMs, run };
        timers.push(timer);
        return () => {
          const at = timers.indexOf(timer);
          if (at >= 0) timers.splice(at, 1);
        };
      },
      random: () => 1,
      log: () => undefined,
    });
    const pauses: number[] = [];
    const retry = () => {
      const [timer] = timers.splice(0);
      pauses.push(timer?.delayMs ?? -1);
      timer?.run();
    };
    const ready = async () => {
      say({
        kind: 'ready',
        url: 'http://127.0.0.1:1',
        pageOrigin: 'http://tandem.localhost:1',
        nonce: 'a nonce of enough length',
        pid: 1,
        version: '0.1.0',
      });
      await until(failing, 'READY');
    };
    failing.start();
    for (let count = 0; count < 8; count += 1) {
      exit(1);
      expect([failing.life, failing.gateway]).to.deep.equal(['RESTARTING', null]);
      retry();
    }
    expect(pauses).to.deep.equal([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    expect(starts).to.equal(9);
    // A start that dies at once is no steady one.
    await ready();
    exit(null);
    retry();
    expect(pauses.at(-1)).to.equal(30_000);
    await ready();
    timers.find(({ delayMs }) => delayMs === 60_000)?.run();
    exit(null);
    retry();
    expect(pauses.at(-1)).to.equal(500);
  });

  it('is not started again with settings that are wrong, and says so', async () => {
    host = hostOf(forkedGateways(dataDir, ['--log-level', 'loud']));
    host.start();
    await until(host, 'FAILED');
    expect(host.problem).to.be.a('string');
    expect(host.gateway).to.equal(null);
  });

  it('tells why it cannot start, and goes on trying @long', async () => {
    host.start();
    await until(host, 'READY');
    const second = forkedGateways(dataDir);
    const other = hostOf(second);
    other.start();
    await until(other, 'RESTARTING');
    expect(other.problem).to.contain('already runs');
    expect(other.elsewhere).to.equal(`${host.gateway?.pageOrigin}/`);
    await other.stop();
    second.killAll();
    await host.stop();
  });

  it('restarts when it is asked to, and not twice at once @long', async () => {
    host.start();
    expect(host.restart()).to.equal(false);
    await until(host, 'READY');
    expect(host.restart()).to.equal(true);
    expect(host.restart()).to.equal(false);
    await until(host, 'STARTING');
    await until(host, 'READY');
    expect(gateways.children[0]?.exitCode).to.equal(0);
    await host.stop();
  });

  it('is told when a browser comes to a consent page, and hands on nothing malformed', async () => {
    const { start, say } = talkingChild();
    const quiet = hostOf({ start });
    const asked: string[] = [];
    quiet.onConsent((uid) => asked.push(uid));
    quiet.start();
    for (const message of [null, 'consent', { kind: 'consent' }, { kind: 'consent', uid: 7 }, { kind: 'x' }])
      say(message);
    say({ kind: 'consent', uid: 'abc' });
    expect(asked).to.deep.equal(['abc']);
  });

  it('ends a gateway at whose address somebody else answers', async () => {
    const impostor = createServer((_req, res) => res.end('{"status":"ok"}'));
    const port = await listenLocally(impostor);
    expect(await provesItself(`http://127.0.0.1:${port}`, 'a nonce of enough length')).to.equal(false);
    impostor.close();
    host = hostOf(gateways, async () => false);
    host.start();
    await until(host, 'RESTARTING');
    expect(host.gateway).to.equal(null);
    expect(host.problem).to.contain('Something else answers');
    await host.stop();
  });

  it('lives by its table', () => {
    for (const [from, row] of Object.entries(GATEWAY_LIFE))
      for (const event of ['ready', 'exit', 'refused', 'retry', 'stop'] as const)
        expect(nextLife(from as GatewayLife, event)).to.equal(row[event] ?? null);
    expect(nextLife('STOPPED', 'ready')).to.equal(null);
  });
});
