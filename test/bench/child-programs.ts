/** Starts the benchmark's processes and ends every one of them, whatever happens. */
import { type ChildProcess, fork } from 'node:child_process';
import type { FiringFigures, FiringTask } from './firing-protocol.ts';
import type { HistogramCounts } from './latency-histogram.ts';
import type { LoadTask, ResultOf } from './load/load-protocol.ts';
import { type Program, programFile } from './program-builder.ts';

const READY_WITHIN_MS = 60_000;
const ENDS_WITHIN_MS = 10_000;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export interface RunningServer {
  readonly port: number;
  readonly pid: number;
  /** Watches the gateway's event loop until the returned function is called, which tells the longest delay in ms. */
  watchLoop(): Promise<() => Promise<number>>;
  stop(): Promise<void>;
}

export interface LoadProcess {
  run<T extends LoadTask>(task: T): Promise<ResultOf[T['kind']]>;
  stop(): Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

function start(program: Program, env: Environment = {}): ChildProcess {
  const child = fork(programFile(program), [], {
    env: { ...process.env, NODE_ENV: 'bench', ...env },
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Closing the pipe asks the process to end; one that does not is killed. */
function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    if (child.connected) child.disconnect();
  });
}

/** Asks over the pipe; the caller knows the form of the answer. A process that fails prints its error and ends. */
function ask<Answer = number>(child: ChildProcess, question: string | number | object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`the process ended (${code})`));
    child.once('exit', ended);
    child.once('message', (answer: Answer) => {
      child.off('exit', ended);
      resolve(answer);
    });
    child.send(question);
  });
}

/** Resolves when a server has said `{ port }` over the pipe, which it does when it listens. */
function whenReady(child: ChildProcess, program: Program): Promise<number> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`${program} was not ready after ${READY_WITHIN_MS} ms`));
    }, READY_WITHIN_MS);
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`${program} ended (${code ?? signal})`));
    });
    child.once('message', (message: { readonly port: number }) => {
      clearTimeout(timer);
      resolve(message.port);
    });
  });
}

export async function startServer(env: Environment): Promise<RunningServer> {
  const child = start('gateway', env);
  return {
    port: await whenReady(child, 'gateway'),
    pid: child.pid ?? 0,
    watchLoop: async () => {
      await ask(child, 'watch-loop');
      return () => ask(child, 'longest-delay');
    },
    stop: () => stop(child),
  };
}

export interface LiveServer {
  readonly port: number;
  readonly pid: number;
  /** Batches of orders since it was asked last: the engine's call → the first byte on the wire. */
  sentLatency(): Promise<HistogramCounts>;
  stop(): Promise<void>;
}

/** A gateway with a live connector at an emulated venue. */
export async function startLive(env: Environment): Promise<LiveServer> {
  const child = start('live', env);
  return {
    port: await whenReady(child, 'live'),
    pid: child.pid ?? 0,
    sentLatency: () => ask(child, 'sent-latency'),
    stop: () => stop(child),
  };
}

export interface LiveFeed {
  readonly port: number;
  /** Sends so many prices a second from now on; tells how many were sent since it was told last. */
  send(perSecond: number): Promise<number>;
  stop(): Promise<void>;
}

export async function startLiveFeed(): Promise<LiveFeed> {
  const child = start('live-feed');
  return {
    port: await whenReady(child, 'live-feed'),
    send: (perSecond) => ask(child, perSecond),
    stop: () => stop(child),
  };
}

export function startLoad(): LoadProcess {
  const child = start('load');
  return {
    // The load process answers each task with the result of its kind.
    run: <T extends LoadTask>(task: T) => ask<ResultOf[T['kind']]>(child, task),
    stop: () => stop(child),
  };
}

/** Measures the way from a tick to an order in a process of its own, which ends afterwards. */
export async function measureFiring(task: FiringTask): Promise<FiringFigures> {
  const child = start('firing');
  try {
    return await ask<FiringFigures>(child, task);
  } finally {
    await stop(child);
  }
}
