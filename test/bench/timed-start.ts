/** Starts of the built bundle as a user runs it, timed to the first answer of a route. */
import { type ChildProcess, spawn } from 'node:child_process';
import { get } from 'node:http';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/local-port.ts';
import { cpuTime } from './cpu-meter.ts';
import { ROOT } from './program-builder.ts';

const POLL_MS = 2;
const GIVE_UP_MS = 30_000;
/** The launcher keeps V8's code cache three seconds after its first start. */
export const CACHE_WRITTEN_MS = 5_000;

interface Started {
  readonly child: ChildProcess;
  readonly firstAnswerMs: number;
}

export function spawnTandem(
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
  root = ROOT,
): (port: number) => ChildProcess {
  return (port) =>
    spawn(
      process.execPath,
      [join(root, 'build', 'tandem.cjs'), 'start', '--json-ready', '--vault', 'file', '--port', String(port)],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: {
          ...process.env,
          ...{ TANDEM_DATA_DIR: dataDir, TANDEM_LOG_LEVEL: 'error', NODE_ENV: '' },
          ...settings,
        },
      },
    );
}

/**
 * `/health` is answered while the gateway still opens its data and venues, everything else once it has. `/ready` is a
 * success only when every venue in use is up.
 */
export type Asked = '/health' | '/ready' | '/connectors';

function answers(port: number, path: Asked): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode === 200));
    });
    request.on('error', () => resolve(false));
  });
}

/** @param at port; left out: a free one */
export async function startAndAsk(
  start: (port: number) => ChildProcess,
  asked: Asked = '/ready',
  at?: number,
): Promise<Started> {
  const port = at ?? (await freePort());
  const startedAt = performance.now();
  const child = start(port);
  while (!(await answers(port, asked))) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode} before its first answer`);
    if (performance.now() - startedAt > GIVE_UP_MS) throw new Error('no answer in time');
    await sleep(POLL_MS);
  }
  return { child, firstAnswerMs: performance.now() - startedAt };
}

export function end(child: ChildProcess): Promise<void> {
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

export async function timeToAnswer(
  start: (port: number) => ChildProcess,
  asked: Asked = '/ready',
): Promise<number> {
  const { child, firstAnswerMs } = await startAndAsk(start, asked);
  await end(child);
  return firstAnswerMs;
}

/** Milliseconds that all threads together have worked until the first answer; null where the system does not tell. */
export async function workToAnswer(
  start: (port: number) => ChildProcess,
  asked: Asked = '/ready',
): Promise<number | null> {
  const { child } = await startAndAsk(start, asked);
  const worked = cpuTime(child.pid ?? 0);
  await end(child);
  return worked === null ? null : worked.allUs / 1_000;
}
