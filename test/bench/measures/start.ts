/** Start to the first answer, and memory at rest, through the built bundle as a user runs it, against bare Node. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Benchmark } from '../bench-context.ts';
import { residentBytes } from '../cpu-meter.ts';
import { makeFolder } from '../gateway-home.ts';
import { BENCH_FOLDER, ROOT } from '../program-builder.ts';
import { alternate } from '../rounds.ts';
import { median } from '../statistics.ts';
import { CACHE_WRITTEN_MS, end, spawnTandem, startAndAsk, timeToAnswer } from '../timed-start.ts';
import { type Measure, ratioMeasure, skippedMeasure } from '../verdict.ts';

const IDLE_MS = 5_000;

const BARE = `require('node:http').createServer((q, s) => s.end('{}')).listen(Number(process.argv[1]), '127.0.0.1')`;

/** Node with nothing in it. */
export function spawnBare(port: number): ChildProcess {
  return spawn(process.execPath, ['-e', BARE, String(port)], { stdio: 'ignore' });
}

/** Resident bytes some seconds after the first answer; null: the system does not tell. */
export async function idleMemory(start: (port: number) => ChildProcess): Promise<number | null> {
  const { child } = await startAndAsk(start);
  await sleep(IDLE_MS);
  const bytes = residentBytes(child.pid ?? 0);
  await end(child);
  return bytes;
}

const LATE_MCP = /late-mcp\.cjs$/;

/**
 * The built program in a folder of its own, but for some of its files. Without `fresh.cjs` it takes itself for an installed
 * one: it looks at no sources and is not built anew.
 */
async function installed(name: string, without?: RegExp): Promise<string> {
  const root = join(BENCH_FOLDER, name);
  await rm(root, { recursive: true, force: true });
  for (const folder of ['build', 'dist'])
    await cp(join(ROOT, folder), join(root, folder), {
      recursive: true,
      filter: (file) => !/(fresh\.cjs|\.map|\.cache)$/.test(file) && without?.test(file) !== true,
    });
  await cp(join(ROOT, 'package.json'), join(root, 'package.json'));
  return root;
}

export const start: Benchmark = async (context) => {
  const dataDir = await makeFolder();
  const tandem = spawnTandem(dataDir);
  context.say('start: first start (bundle, code cache, new data folder)');
  const first = await startAndAsk(tandem);
  await sleep(CACHE_WRITTEN_MS);
  await end(first.child);
  // Builds with and without the modules that load at an agent's first request.
  const whole = spawnTandem(dataDir, {}, await installed('with-agents'));
  const tandemAlone = spawnTandem(dataDir, {}, await installed('without-agents', LATE_MCP));
  for (const program of [whole, tandemAlone]) {
    const { child } = await startAndAsk(program);
    await sleep(CACHE_WRITTEN_MS);
    await end(child);
  }
  context.say('start: rounds');
  const times = await alternate(context.rounds, {
    bare: () => timeToAnswer(spawnBare),
    alive: () => timeToAnswer(tandem, '/health'),
    ready: () => timeToAnswer(tandem, '/ready'),
    whole: () => timeToAnswer(whole, '/ready'),
    alone: () => timeToAnswer(tandemAlone, '/ready'),
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
      times.alive,
    ),
    ratioMeasure(
      {
        name: 'start/ready-vs-bare',
        about:
          'process start → first answer of GET /ready, which waits until data, venues and recovery are done, as every route but /health does ÷ the same bare server; milliseconds',
        goal: null,
        figures: {},
      },
      times.bare,
      times.ready,
    ),
    ratioMeasure(
      {
        name: 'start/agents-vs-none',
        about:
          'process start → GET /ready, which no agent has asked for ÷ the same program without its MCP part; milliseconds',
        goal: { bound: 'at most', value: 1.05 },
        figures: {},
      },
      times.alone,
      times.whole,
    ),
  ];
  context.say('start: memory at rest');
  const memory = await alternate(Math.min(context.rounds, 3), {
    bare: () => idleMemory(spawnBare),
    gateway: () => idleMemory(tandem),
    whole: () => idleMemory(whole),
    alone: () => idleMemory(tandemAlone),
  });
  const name = 'start/idle-memory-vs-bare';
  const known = (values: readonly (number | null)[]): number[] => values.flatMap((value) => value ?? []);
  const [bare, gateway] = [known(memory.bare), known(memory.gateway)];
  const [agents, none] = [known(memory.whole), known(memory.alone)];
  if ([gateway, agents, none].some(({ length }) => length === 0 || length !== bare.length)) {
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
    ratioMeasure(
      {
        name: 'start/idle-memory-agents-vs-none',
        about: 'the same while no agent asks ÷ the program without its MCP part',
        goal: { bound: 'at most', value: 1.02 },
        figures: { noneMegabytes: median(none) / 2 ** 20, agentsMegabytes: median(agents) / 2 ** 20 },
      },
      none,
      agents,
    ),
  );
  return measures;
};
