/** Workers that run test files side by side, each one file at a time. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { processorSeconds } from './processes.mjs';

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url));

/**
 * @param {{ files: string[], workers: number, env: NodeJS.ProcessEnv, grep?: string, bail: boolean, timeout: number }} options
 * @param {(file: string) => void} onStart
 * @param {(result: { file: string, ended: object[], cpuSeconds: number, wallMs: number }) => void} onEnd
 * @returns resolves when every file has ended; `pids` are the workers that live
 */
export function startPool({ files, workers, env, grep, bail, timeout }, onStart, onEnd) {
  const queue = [...files];
  const living = new Map();
  let isStopped = false;
  const work = async () => {
    let worker = null;
    while (queue.length > 0 && !isStopped) {
      const file = queue.shift();
      worker ??= startWorker(env, living);
      onStart(file);
      const begin = performance.now();
      const ended = await worker.run({ file, grep, bail, timeout });
      const cpuSeconds = worker.cpuSeconds();
      if (!worker.isAlive()) worker = null;
      if (!isStopped) onEnd({ file, ended, cpuSeconds, wallMs: performance.now() - begin });
      if (bail && ended.some(({ state }) => state === 'failed')) queue.length = 0;
    }
    await worker?.end();
  };
  return {
    pids: () => [...living.keys()],
    stop() {
      isStopped = true;
    },
    done: Promise.all(Array.from({ length: workers }, work)),
  };
}

function startWorker(env, living) {
  const child = fork(WORKER, {
    env,
    execArgv: process.execArgv,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  living.set(child.pid, child);
  let usedSeconds = 0;
  let isAlive = true;
  const gone = new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      isAlive = false;
      living.delete(child.pid);
      resolve(signal ?? `code ${code}`);
    });
  });
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
    async run(task) {
      const answer = new Promise((resolve) => {
        const take = (message) => {
          if (message.file !== task.file) return;
          child.off('message', take);
          resolve(message.ended);
        };
        child.on('message', take);
      });
      child.send(task);
      const died = gone.then((how) => [
        { state: 'failed', title: `${task.file}: its process ended (${how})`, durationMs: 0, error: '' },
      ]);
      return Promise.race([answer, died]);
    },
    end() {
      if (child.connected) child.disconnect();
      return gone;
    },
  };
}
