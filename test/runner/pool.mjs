/**
 * Workers that run test files side by side, each one file at a time. Files that mostly wait for processes and real time have
 * workers of their own beside, which leave their cores to the others.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { killAll, processorSeconds } from './processes.mjs';

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url));

/** Long runs measure how soon something happens; but a storm rests and sleeps for most of its twenty minutes. */
const PROCESSES = /^test\/(?:recovery|real-time)\/(?!long\/(?!storm-))/;
/** A thread that rests after each piece of its work, requests of which no answer comes, and programs that start. */
const OTHER_WAITERS = [
  'test/api/client-alone.test.ts',
  'test/api/client-orders.test.ts',
  'test/api/screener.test.ts',
  'test/browser/gateway-trouble.test.ts',
  'test/unit/main/shell-gateway.test.ts',
  'test/unit/market/screener.test.ts',
];
const mostlyWaits = (file) => PROCESSES.test(file) || OTHER_WAITERS.includes(file);

/**
 * @param {{ files: string[], workers: number, waiters: number, env: NodeJS.ProcessEnv, grep?: string, without?: string, bail: boolean, timeout: number, silenceMs: number }} options
 *   `without`: a tag; tests with it in their title are left out;
 *   `timeout` of a test, `silenceMs` of a worker in which no test begins or ends; both in ms;
 *   `waiters`: workers for files that mostly wait, beside the others
 * @param {(result: { file: string, ended: object[], cpuSeconds: number, wallMs: number }) => void} onEnd
 * @param {(file: string, failure: object) => void} onLate a worker that fails after `file` has ended
 * @returns resolves when every file has ended; `pids` are the workers that live
 */
export function startPool({ files, workers, waiters, env, silenceMs, ...options }, onEnd, onLate) {
  const waiting = workers > 1 ? files.filter(mostlyWaits) : [];
  const working = files.filter((file) => !waiting.includes(file));
  const isWaitingOnly = working.length === 0;
  const living = new Map();
  let isStopped = false;
  const work = async (queues) => {
    const next = () => queues.find((queue) => queue.length > 0)?.shift();
    let worker = null;
    let last = '';
    const leave = async () => {
      const how = await worker?.end();
      worker = null;
      if (!isStopped && how !== undefined && how !== 'code 0') onLate(last, endOf(last, how));
    };
    for (let file = next(); file !== undefined && !isStopped; file = next()) {
      if (worker?.isAlive() === false) await leave();
      worker ??= startWorker(env, living);
      const begin = performance.now();
      const ended = await worker.run({ file, ...options }, silenceMs);
      const cpuSeconds = worker.cpuSeconds();
      if (!worker.isAlive()) worker = null;
      if (!isStopped) onEnd({ file, ended, cpuSeconds, wallMs: performance.now() - begin });
      last = file;
      if (options.bail && ended.some(({ state }) => state === 'failed'))
        for (const queue of [working, waiting]) queue.length = 0;
    }
    await leave();
  };
  return {
    pids: () => [...living.keys()],
    stop() {
      isStopped = true;
    },
    done: Promise.all([
      ...Array.from({ length: workers }, () => work([working, waiting])),
      ...(isWaitingOnly ? [] : Array.from({ length: waiters }, () => work([waiting]))),
    ]),
  };
}

const endOf = (file, how, doing = '') => ({
  state: 'failed',
  title: `${file}: its process ended (${how})`,
  durationMs: 0,
  error: doing,
});

function startWorker(env, living) {
  const child = fork(WORKER, {
    env,
    execArgv: process.execArgv,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  living.set(child.pid, child);
  let usedSeconds = 0;
  let isAlive = true;
  let doing = '';
  const gone = new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      isAlive = false;
      living.delete(child.pid);
      resolve(signal ?? `code ${code}`);
    });
  });
  // Messages to a process that has just gone are dropped; `exit` tells of it.
  child.on('error', () => undefined);

  /** A test may block its process, where no limit of its own is heard. */
  function endWhenSilent(silenceMs) {
    let timer;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        doing = `nothing began or ended for ${silenceMs / 60_000} minutes after: ${doing || 'the file was read'}`;
        killAll([child.pid]);
      }, silenceMs);
    };
    const hear = (message) => {
      if (message.doing === undefined) return;
      doing = message.doing;
      wait();
    };
    child.on('message', hear);
    wait();
    return () => {
      clearTimeout(timer);
      child.off('message', hear);
    };
  }

  return {
    isAlive: () => isAlive,
    /** Since it was asked last. */
    cpuSeconds() {
      const now = isAlive ? processorSeconds(child.pid) : usedSeconds;
      const used = Math.max(0, now - usedSeconds);
      usedSeconds = now;
      return used;
    },
    /** Resolves with how each test ended; a worker that dies is one failed test. */
    async run(task, silenceMs) {
      doing = '';
      const answer = new Promise((resolve) => {
        const take = (message) => {
          if (message.ended === undefined) return;
          child.off('message', take);
          resolve(message.ended);
        };
        child.on('message', take);
      });
      const hearNoMore = endWhenSilent(silenceMs);
      child.send(task);
      const died = gone.then((how) => [endOf(task.file, how, doing)]);
      return Promise.race([answer, died]).finally(hearNoMore);
    },
    end() {
      if (child.connected) child.disconnect();
      return gone;
    },
  };
}
