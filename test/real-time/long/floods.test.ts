/**
 * Floods of requests without a credential. Meanwhile a stop-loss fires, and the owner signs in and pauses.
 * Times are printed; asserted is only that these happen during the flood.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { PASSWORD, requestAlone } from '../../support/gateway-client.ts';
import { buildGateway, type GatewayProcess, launchGateway } from '../../support/gateway-process.ts';
import { connectRealtime } from '../../support/realtime-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { PAIR, type Trader, trader, traderOn } from '../../support/trader.ts';
import { type Flood, type FloodKind, type FloodReport, startFlood } from '../support/flood.ts';
import { processClient } from '../support/process-client.ts';

const EMAIL = 'ada@example.test';

/** Resolution of the event loop's measurement, ms. The gateway runs in this process, beside a few requests only. */
const LOOK_MS = 1;

interface Figures {
  readonly stopLossMs: number;
  readonly signInMs: number;
  readonly pauseMs: number;
  readonly longestHoldMs: number;
  readonly report: FloodReport;
}

describe('floods without a credential', () => {
  let gateway: TestGateway;
  let bot: Trader;
  let cookie: string;
  let flood: Flood | null = null;
  let quietMs = 0;
  let quietHoldMs = 0;

  beforeEach(async () => {
    gateway = await startTestGateway({ clock: null });
    bot = await trader(processClient(gateway.url), { email: EMAIL });
    const first = await signIn({});
    expect(first.status, first.text).to.equal(200);
    cookie = String(first.headers.get('set-cookie')).split(';')[0] ?? '';
    // Once without a flood: what is loaded on first use is loaded, and the figure is there to compare with.
    const loop = monitorEventLoopDelay({ resolution: LOOK_MS });
    loop.enable();
    quietMs = await stopLossFires();
    await signIn({ cookie });
    loop.disable();
    quietHoldMs = loop.max / 1e6;
  });
  afterEach(async () => {
    flood?.kill();
    flood = null;
    await gateway.close();
  });

  const signIn = (headers: Record<string, string>) =>
    gateway.request('POST', '/auth/login', {
      headers,
      body: { method: 'email', email: EMAIL, password: PASSWORD },
    });

  /** Milliseconds from the price that breaks the stop to the event that it has fired. */
  async function stopLossFires(): Promise<number> {
    const { positionId } = await bot.open(PAIR);
    await bot.expect('PUT', `/positions/${positionId}/brackets`, {
      stopLoss: { type: 'PERCENTAGE', value: '2' },
    });
    const client = await connectRealtime(`ws://127.0.0.1:${gateway.port}/ws`, {
      headers: { 'x-api-key': bot.key },
    });
    await client.ask({ op: 'subscribe', channels: [`user:${bot.accountId}`] });
    const closed = client.next(({ event }) => event === 'position.closed');
    const from = performance.now();
    await gateway.gateway.paperVenue('paper').shock('BTC-PERP', 0.9);
    await closed;
    const took = performance.now() - from;
    client.end();
    expect((await bot.call('GET', `/positions/${positionId}`)).json.status).to.equal('CLOSED');
    await gateway.gateway.paperVenue('paper').shock('BTC-PERP', 1 / 0.9);
    return took;
  }

  async function timed(run: () => Promise<unknown>): Promise<number> {
    const from = performance.now();
    await run();
    return performance.now() - from;
  }

  async function under(kind: FloodKind, connections: number): Promise<Figures> {
    flood = await startFlood(kind, gateway.port, connections);
    const loop = monitorEventLoopDelay({ resolution: LOOK_MS });
    loop.enable();
    const stopLossMs = await stopLossFires();
    const signInMs = await timed(async () => expect((await signIn({ cookie })).status).to.equal(200));
    const pauseMs = await timed(async () =>
      expect((await bot.call('POST', '/safety/pause', {})).status).to.equal(200),
    );
    loop.disable();
    await sleep(200);
    const report = await flood.report();
    const figures = { stopLossMs, signInMs, pauseMs, longestHoldMs: loop.max / 1e6, report };
    const round = (ms: number) => `${Math.round(ms)} ms`;
    console.log(
      `        stop-loss ${round(stopLossMs)}, sign-in ${round(signInMs)}, pause ${round(pauseMs)}, longest hold ` +
        `${round(figures.longestHoldMs)} (99 %: ${round(loop.percentile(99) / 1e6)}); quiet: stop-loss ${round(quietMs)}, longest hold ${round(quietHoldMs)}; ${JSON.stringify(report.answers)}`,
    );
    return figures;
  }

  it('852 kB of unknown keys are refused before they are parsed', async () => {
    const { report } = await under('giantKeys', 20);
    expect(Object.keys(report.answers)).to.deep.equal(['413']);
    expect(report.bytes / (report.answers['413'] ?? 0)).to.be.lessThan(1_000);
  });

  for (const kind of ['keys', 'manyKeys'] as const)
    it(`bodies full of unknown keys (${kind})`, async () => {
      const { report } = await under(kind, 100);
      expect(Object.keys(report.answers)).to.deep.equal(['400']);
      expect(report.bytes / (report.answers['400'] ?? 0)).to.be.lessThan(4_000);
    });

  for (const kind of ['messages', 'pings'] as const)
    it(`WebSockets that talk without an end (${kind})`, async () => {
      const { report } = await under(kind, 50);
      if (kind === 'messages') expect(report.answers).to.include.keys('TOO_MANY_MESSAGES', '1008');
    });

  it('passwords are guessed on 300 connections', async () => {
    const { report } = await under('passwords', 300);
    // Ten are free; then one in five seconds.
    expect(report.answers['401'] ?? 0).to.be.lessThan(20);
  });

  it('requests that do not read share what they are sent', async () => {
    const before = process.memoryUsage();
    await under('deaf', 250);
    const after = process.memoryUsage();
    const grown = (after.rss - before.rss) / 2 ** 20;
    console.log(`        memory grew by ${Math.round(grown)} MB`);
    expect(after.arrayBuffers - before.arrayBuffers).to.be.lessThan(40 * 2 ** 20);
  });
});

describe('a gateway that may open 256 files', () => {
  let child: GatewayProcess | null = null;
  let flood: Flood | null = null;
  before(() => buildGateway());
  afterEach(async () => {
    flood?.kill();
    await child?.stop('SIGKILL');
    child = null;
  });

  it('the owner signs in, trades and panics while 400 connections are held open', async () => {
    child = launchGateway({ dataDir: await temporaryFolder(), descriptors: 256 });
    const { url, port } = await child.ready;
    const client = processClient(url);
    const bot = await trader(client, { email: EMAIL });
    flood = await startFlood('silent', port, 400);
    for (let round = 0; round < 2; round += 1) {
      // Each on a connection of its own.
      const alone = traderOn({ ...client, request: (...call) => requestAlone(port, ...call) }, bot);
      expect((await alone.open(PAIR)).status).to.equal('COMPLETED');
      const panic = await alone.expect('POST', '/safety/panic', { confirm: 'CLOSE ALL' }, 202);
      for (const { id } of panic.executions) expect((await alone.ended(id)).status).to.equal('COMPLETED');
      await alone.expect('POST', '/safety/resume', {});
    }
    const signedIn = await requestAlone(port, 'POST', '/auth/login', {
      body: { method: 'email', email: EMAIL, password: PASSWORD },
    });
    expect(signedIn.status).to.equal(200);
    const { answers } = await flood.report();
    expect(answers['closed'] ?? 0).to.be.greaterThan(100);
    expect(child.errorLines.filter((line) => line.includes('EMFILE'))).to.deep.equal([]);
  });
});
