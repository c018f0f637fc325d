/** Start to the first answer, and memory at rest, through the built bundle as a user runs it, against bare Node. */
import { type ChildProcess, spawn } from 'node:child_process';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Benchmark } from '../bench-context.ts';
import { residentBytes } from '../cpu-meter.ts';
import { makeFolder } from '../gateway-home.ts';
import { ROOT } from '../program-builder.ts';
import { alternate } from '../rounds.ts';
import { median } from '../statistics.ts';
import { type Measure, ratioMeasure, skippedMeasure } from '../verdict.ts';

const POLL_MS = 2;
const GIVE_UP_MS = 30_000;
const IDLE_MS = 5_000;
/** The launcher keeps V8's code cache three seconds after its first start. */
const CACHE_WRITTEN_MS = 5_000;

interface Started {
  readonly child: ChildProcess;
  readonly firstAnswerMs: number;
}

const BARE = `require('node:http').createServer((q, s) => s.end('{}')).listen(Number(process.argv[1]), '127.0.0.1')`;

function spawnBare(port: number): ChildProcess {
  return spawn(process.execPath, ['-e', BARE, String(port)], { stdio: 'ignore' });
}

function spawnTandem(dataDir: string): (port: number) => ChildProcess {
  return (port) =>
    spawn(
      process.execPath,
      // As `npm start` has it.
      [
        '--min-semi-space-size=4',
        '--max-semi-space-size=4',
        join(ROOT, 'build', 'tandem.cjs'),
        'start',
        '--json-ready',
        '--vault',
        'file',
        '--port',
        String(port),
      ],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, TANDEM_DATA_DIR: dataDir, TANDEM_LOG_LEVEL: 'error', NODE_ENV: '' },
      },
    );
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/health', agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode === 200));
    });
    request.on('error', () => resolve(false));
  });
}

async function startAndAsk(start: (port: number) => ChildProcess): Promise<Started> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = start(port);
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode} before its first answer`);
    if (performance.now() - startedAt > GIVE_UP_MS) throw new Error('no answer in time');
    await sleep(POLL_MS);
  }
  return { child, firstAnswerMs: performance.now() - startedAt };
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) {
      resolve();
      return;
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), GIVE_UP_MS);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });
}

async function timeToAnswer(start: (port: number) => ChildProcess): Promise<number> {
  const { child, firstAnswerMs } = await startAndAsk(start);
  await end(child);
  return firstAnswerMs;
}

async function idleMemory(start: (port: number) => ChildProcess): Promise<number | null> {
  const { child } = await startAndAsk(start);
  await sleep(IDLE_MS);
  const bytes = residentBytes(child.pid ?? 0);
  await end(child);
  return bytes;
}

export const start: Benchmark = async (context) => {
  const dataDir = await makeFolder();
  const tandem = spawnTandem(dataDir);
  context.say('start: first start (bundle, code cache, new data folder)');
  const first = await startAndAsk(tandem);
  await sleep(CACHE_WRITTEN_MS);
  await end(first.child);
  context.say('start: rounds');
  const times = await alternate(context.rounds, {
    bare: () => timeToAnswer(spawnBare),
    gateway: () => timeToAnswer(tandem),
  });
  const measures: Measure[] = [
    ratioMeasure(
      {
        name: 'start/first-answer-vs-bare',
        about:
          'process start → first answer of GET /health, the bundle on an empty database ÷ node -e with node:http; milliseconds',
        goal: { bound: 'at most', value: 2.5 },
        figures: { veryFirstStartMs: first.firstAnswerMs },
      },
      times.bare,
      times.gateway,
    ),
  ];
  context.say('start: memory at rest');
  const memory = await alternate(Math.min(context.rounds, 3), {
    bare: () => idleMemory(spawnBare),
    gateway: () => idleMemory(tandem),
  });
  const name = 'start/idle-memory-vs-bare';
  const known = (values: readonly (number | null)[]): number[] => values.flatMap((value) => value ?? []);
  const [bare, gateway] = [known(memory.bare), known(memory.gateway)];
  if (bare.length === 0 || bare.length !== gateway.length) {
    return [...measures, skippedMeasure(name, 'resident memory is not told by this system')];
  }
  measures.push(
    ratioMeasure(
      {
        name,
        about: `resident bytes ${IDLE_MS / 1_000} s after the first answer, the bundle ÷ bare Node`,
        goal: { bound: 'at most', value: 2 },
        figures: { bareMegabytes: median(bare) / 2 ** 20, gatewayMegabytes: median(gateway) / 2 ** 20 },
      },
      bare,
      gateway,
    ),
  );
  return measures;
};
