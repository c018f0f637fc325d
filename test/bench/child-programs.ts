/** Starts the benchmark's processes and ends every one of them, whatever happens. */
import { type ChildProcess, fork } from 'node:child_process';
import type { FiringAnswer, FiringFigures, FiringTask } from './firing-protocol.ts';
import type { HistogramCounts } from './latency-histogram.ts';
import type { LighterFigures, TableFigures } from './lighter-protocol.ts';
import type { LoadAnswer, LoadTask, ResultOf } from './load/load-protocol.ts';
import { type Program, programFile } from './program-builder.ts';
import type { TriggerAnswer, TriggerFigures, TriggerTask } from './trigger-protocol.ts';

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
  /** Multiplies the paper venue's price of an instrument. */
  shock(symbol: string, factor: number): Promise<void>;
  /** Screens the pairs of 100 made instruments; how long that took, ms. */
  wholeScreen(): Promise<number>;
  /** The same, from its first pairs on, until the returned function is called. */
  beginScreen(): Promise<() => Promise<void>>;
  /** Resident memory in bytes once the gateway has let go of what it does not need. */
  keptBytes(): Promise<number>;
  stop(): Promise<void>;
}

export interface LoadProcess {
  run<T extends LoadTask>(task: T): Promise<ResultOf[T['kind']]>;
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Flags of node itself, `--cpu-prof` for instance. */
  readonly nodeFlags?: readonly string[];
}

function start(program: Program, options: StartOptions): ChildProcess {
  const child = fork(programFile(program), [], {
    env: { ...process.env, NODE_ENV: 'bench', ...options.env },
    execArgv: [...(options.nodeFlags ?? [])],
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

/** A question over the pipe; who asks knows the form of the answer. */
function ask<Answer = number>(
  child: ChildProcess,
  question: string | number | Readonly<{ shock: string; factor: number }>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('the server ended'));
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

export async function startServer(
  program: 'gateway' | 'discovery' | 'bare',
  options: StartOptions = {},
): Promise<RunningServer> {
  const child = start(program, options);
  return {
    port: await whenReady(child, program),
    pid: child.pid ?? 0,
    watchLoop: async () => {
      await ask(child, 'watch-loop');
      return () => ask(child, 'longest-delay');
    },
    shock: async (symbol, factor) => {
      await ask(child, { shock: symbol, factor });
    },
    wholeScreen: () => ask(child, 'screen-whole'),
    beginScreen: async () => {
      await ask(child, 'screen-begin');
      return async () => {
        await ask(child, 'screen-end');
      };
    },
    keptBytes: () => ask(child, 'kept-bytes'),
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
export async function startLive(options: StartOptions): Promise<LiveServer> {
  const child = start('live', options);
  return {
    port: await whenReady(child, 'live'),
    pid: child.pid ?? 0,
    sentLatency: () => ask(child, 'sent-latency'),
    stop: () => stop(child),
  };
}

export interface LighterServer {
  readonly port: number;
  /** Builds the signer's table, which no account has asked for yet. */
  buildTable(): Promise<TableFigures>;
  figures(): Promise<LighterFigures>;
  stop(): Promise<void>;
}

/** A gateway with Lighter's connector at an emulated venue. */
export async function startLighter(options: StartOptions): Promise<LighterServer> {
  const child = start('lighter', options);
  return {
    port: await whenReady(child, 'lighter'),
    buildTable: () => ask(child, 'table'),
    figures: () => ask(child, 'figures'),
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
  const child = start('live-feed', {});
  return {
    port: await whenReady(child, 'live-feed'),
    send: (perSecond) => ask(child, perSecond),
    stop: () => stop(child),
  };
}

export function startLoad(): LoadProcess {
  const child = start('load', {});

  function run<T extends LoadTask>(task: T): Promise<ResultOf[T['kind']]> {
    return new Promise((resolve, reject) => {
      const ended = (code: number | null): void => reject(new Error(`the load process ended (${code})`));
      child.once('exit', ended);
      child.once('message', (answer: LoadAnswer) => {
        child.off('exit', ended);
        // The load process answers each task with the result of its kind.
        if (answer.ok) resolve(answer.result as ResultOf[T['kind']]);
        else reject(new Error(answer.message));
      });
      child.send(task);
    });
  }

  return { run, stop: () => stop(child) };
}

/** Measures the trigger index in a process of its own, so that its heap holds nothing else. */
export async function measureTriggers(task: TriggerTask): Promise<TriggerFigures> {
  const answer = await runOnce<TriggerAnswer>('triggers', task, ['--expose-gc', '--max-old-space-size=4096']);
  if (!answer.ok) throw new Error(answer.message);
  return answer.figures;
}

/** Measures the way from a tick to an order in a process of its own. */
export async function measureFiring(task: FiringTask): Promise<FiringFigures> {
  const answer = await runOnce<FiringAnswer>('firing', task, []);
  if (!answer.ok) throw new Error(answer.message);
  return answer.figures;
}

/** A process that does one task, answers it, and ends. */
async function runOnce<Answer>(
  program: Program,
  task: object,
  nodeFlags: readonly string[],
): Promise<Answer> {
  const child = start(program, { nodeFlags });
  try {
    return await new Promise<Answer>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`the process ${program} ended (${code})`)));
      child.once('message', resolve);
      child.send(task);
    });
  } finally {
    await stop(child);
  }
}
