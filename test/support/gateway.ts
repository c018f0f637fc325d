/** A whole gateway in this process on a temporary data folder: real HTTP, real SQLite, the embedded paper venues. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings, type Settings } from '../../gateway/config.ts';
import { createGateway, type Gateway, type GatewayHost, type GatewayOverrides } from '../../gateway/index.ts';
import { systemClock } from '../../gateway/system/clock.ts';
import { paper } from '../../gateway/venues/paper/connector.ts';
import './cheap-passwords.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { type GatewayClient, gatewayClient } from './gateway-client.ts';
import { freePort } from './local-port.ts';
import { newDataFile } from './new-data-file.ts';
import { openForEachTest, openForSuite } from './open-for-tests.ts';
import { paperAlone } from './paper-alone.ts';
import { whileTimePasses } from './until.ts';

export type { TestAnswer } from './gateway-client.ts';
export { whileTimePasses };

export interface TestGateway extends GatewayClient {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly gateway: Gateway;
  /** Stands still, and the market with it, until a test moves it. */
  readonly clock: FakeClock;
  /** Stops it and starts it again on its folder, at the time it is then. Whoever traded on it goes on trading. */
  restart(over?: Omit<TestGatewayOptions, 'clock' | 'dataDir'>, whileDown?: () => unknown): Promise<void>;
  close(): Promise<void>;
}

export interface TestGatewayOptions {
  readonly settings?: Partial<Settings>;
  readonly overrides?: GatewayOverrides;
  /** The connector `paper-cross` too. */
  readonly hasCross?: boolean;
  /** A clock of the test's own; `null`: the machine's, which nobody moves. */
  readonly clock?: FakeClock | null;
  /** The program around it: a desktop app. */
  readonly host?: GatewayHost;
  /** An existing folder is kept on close: restarts. */
  readonly dataDir?: string;
}

const STEP_MS = 50;
/** Of each data folder: a gateway that is started again is where it was. */
const ports = new Map<string, number>();

export function testSettings(dataDir: string, over: Partial<Settings> = {}): Settings {
  const loaded = loadSettings({
    argv: [
      '--port',
      '0',
      '--data-dir',
      dataDir,
      '--vault',
      'file',
      '--log-level',
      'silent',
      '--paper-seed',
      '7',
      '--paper-profile',
      'frictionless',
      '--registration',
      'open',
    ],
    env: { NODE_ENV: 'test' },
    homedir: dataDir,
    platform: process.platform,
  });
  if (!loaded.ok) throw new Error(loaded.error.join('; '));
  return { ...loaded.value, ...over };
}

export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'tandem-test-')));
  if (options.dataDir === undefined) await newDataFile(join(dataDir, 'tandem.db'));
  const clock = options.clock === null ? null : (options.clock ?? createFakeClock());
  const port = ports.get(dataDir) ?? (await freePort());
  ports.set(dataDir, port);
  async function start({ settings, overrides, hasCross = false, host }: TestGatewayOptions) {
    const gateway = await createGateway(
      testSettings(dataDir, { port, ...settings }),
      // Whatever other venues there are: no test of something else reaches for one.
      { venues: [hasCross ? paper : paperAlone], ...(clock === null ? {} : { clock }), ...overrides },
      host,
    );
    const pass = clock === null ? () => systemClock.sleep(STEP_MS) : () => clock.advance(STEP_MS);
    return { gateway, client: gatewayClient(gateway.url, pass) };
  }
  let running = await start(options);
  async function stop() {
    const { gateway, client } = running;
    client.disconnect();
    await (clock === null ? gateway.close() : whileTimePasses(clock, gateway.close()));
  }
  async function close() {
    await stop();
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  }
  return {
    get url() {
      return running.gateway.url;
    },
    get port() {
      return running.gateway.port;
    },
    get gateway() {
      return running.gateway;
    },
    dataDir,
    clock: clock ?? nobodysClock,
    pass: () => running.client.pass(),
    request: (...given) => running.client.request(...given),
    expect: (...given) => running.client.expect(...given),
    register: (email) => running.client.register(email),
    async restart(over = {}, whileDown = () => undefined) {
      await stop();
      await whileDown();
      running = await start({ ...options, ...over });
    },
    close,
  };
}

/** One gateway for all tests of a suite. Call it in `describe`. */
export const gatewayForSuite = (options?: TestGatewayOptions): TestGateway =>
  openForSuite(() => startTestGateway(options));

/** A new gateway for each test of a suite. Call it in `describe`. */
export const gatewayForEachTest = (options?: TestGatewayOptions): TestGateway =>
  openForEachTest(() => startTestGateway(options));

const refuse = (): never => {
  throw new Error("this gateway runs on the machine's clock");
};
const nobodysClock: FakeClock = {
  ...systemClock,
  ...{ advance: refuse, jump: refuse, leap: refuse, pending: refuse, untilNext: refuse },
};
