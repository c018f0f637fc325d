/** A paper venue in its own process for tests: start it, kill it, start it again on the same files, look inside. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Result } from '../../gateway/domain/result.ts';
import type {
  OrderOutcome,
  VenueAccount,
  VenueBalances,
  VenueError,
  VenueFill,
  VenueFunding,
  VenueHistory,
  VenuePosition,
} from '../../gateway/engine/ports/venue.ts';
import { systemClock } from '../../gateway/system/clock.ts';
import type { PaperProfileName } from '../../gateway/venues/paper/market/market-types.ts';
import { connectSim, type SimConnection } from '../../gateway/venues/paper/process/sim-connection.ts';
import type { FaultScript } from '../../gateway/venues/paper/venue/faults.ts';
import { freePort } from './local-port.ts';
import { unwrap } from './unwrap.ts';

const ENTRY = fileURLToPath(new URL('./paper-process/sim-main.ts', import.meta.url));
const PACKAGES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const REQUEST_TIMEOUT_MS = 10_000;

export interface SimProcessOptions {
  readonly dataDir: string;
  readonly connector?: 'paper' | 'paper-cross';
  readonly profile?: PaperProfileName;
  readonly seed?: number;
  /** Default: a free one. Give the first one's port to a second process so that clients find it again. */
  readonly port?: number;
  /** Simulated seconds per second. */
  readonly speed?: number;
}

export interface SimProcess {
  readonly port: number;
  readonly pid: number;
  /** Sends the signal and waits for the end: SIGKILL for a crash. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  inspect(): Promise<SimInspector>;
}

export interface SimInspector {
  setFaults(script: FaultScript): Promise<void>;
  shock(symbol: string, factor: number): Promise<void>;
  journalHash(): Promise<string>;
  /** All orders that ever arrived, in that order. */
  orders(account: VenueAccount): Promise<readonly OrderOutcome[]>;
  fills(account: VenueAccount): Promise<readonly VenueFill[]>;
  positions(account: VenueAccount): Promise<readonly VenuePosition[]>;
  balances(account: VenueAccount): Promise<VenueBalances>;
  funding(account: VenueAccount): Promise<readonly VenueFunding[]>;
  close(): void;
}

let bundled: Promise<string> | undefined;

/** One file, made once a process: reading sources one by one is most of what a start would cost. */
async function bundle(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-venue-sim-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, 'venue-sim.mjs');
  // The driver of SQLite is a native package, which no bundle can hold.
  symlinkSync(PACKAGES, join(folder, 'node_modules'), 'dir');
  const require =
    "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
  await build({
    entryPoints: [ENTRY],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['sqlite3'],
    banner: { js: require },
    logLevel: 'warning',
  });
  return outfile;
}

export async function startSim(options: SimProcessOptions): Promise<SimProcess> {
  bundled ??= bundle();
  const child = spawn(
    process.execPath,
    [
      await bundled,
      ...['--data-dir', options.dataDir],
      ...['--connector', options.connector ?? 'paper'],
      ...['--profile', options.profile ?? 'frictionless'],
      ...['--seed', String(options.seed ?? 1)],
      ...['--port', String(options.port ?? (await freePort()))],
      ...['--speed', String(options.speed ?? 1)],
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const ended = once(child, 'exit');
  const { port, pid } = await readyLine(child, ended);
  return {
    port,
    pid,
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await ended;
    },
    inspect: () => inspectSim(port),
  };
}

async function readyLine(
  child: ChildProcess,
  ended: Promise<unknown>,
): Promise<{ readonly port: number; readonly pid: number }> {
  const { stdout } = child;
  if (stdout === null) throw new Error('the simulated venue has no standard output');
  const lines = createInterface({ input: stdout });
  const first = await Promise.race([
    once(lines, 'line'),
    ended.then(() => {
      throw new Error('the simulated venue ended before it was ready');
    }),
  ]);
  const ready: { port: number; pid: number } = JSON.parse(String(first[0]));
  return ready;
}

export async function inspectSim(port: number): Promise<SimInspector> {
  const connection = await connectSim({
    host: '127.0.0.1',
    port,
    clock: systemClock,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    onPush: () => undefined,
    onClose: () => undefined,
  });
  return {
    async setFaults(script) {
      await connection.call('setFaults', [script]);
    },
    async shock(symbol, factor) {
      await connection.call('shock', [symbol, factor]);
    },
    journalHash: async () => answered(await connection.call('journalHash', [])),
    async orders(account) {
      return unwrap(answered(await connection.call('orders', [account])));
    },
    async positions(account) {
      return unwrap(answered(await connection.call('positions', [account])));
    },
    async balances(account) {
      return unwrap(answered(await connection.call('balances', [account])));
    },
    fills: async (account) => (await wholeHistory(connection, account)).fills,
    funding: async (account) => (await wholeHistory(connection, account)).funding,
    close: () => connection.close(),
  };
}

async function wholeHistory(connection: SimConnection, account: VenueAccount) {
  const fills: VenueFill[] = [];
  const funding: VenueFunding[] = [];
  let cursor: string | null = null;
  for (;;) {
    const page: Result<VenueHistory, VenueError> = answered(
      await connection.call('history', [account, cursor]),
    );
    if (!page.ok) throw new Error(page.error.message);
    fills.push(...page.value.fills);
    funding.push(...page.value.funding);
    if (!page.value.more) return { fills, funding };
    cursor = page.value.nextCursor;
  }
}

function answered<T>(answer: T | null): T {
  if (answer === null) throw new Error('the simulated venue did not answer');
  return answer;
}
