/** Start-up time added by live venues: where no account uses them, and where their host does not answer. */
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, listenLocally } from '../../support/local-port.ts';
import { launchEmulator } from '../../support/venues/hyperliquid/emulator.ts';
import type { Benchmark } from '../bench-context.ts';
import { makeFolder, settle } from '../gateway-home.ts';
import { newLiveGateway } from '../live-home.ts';
import { alternate } from '../rounds.ts';
import { median, quantile } from '../statistics.ts';
import {
  CACHE_WRITTEN_MS,
  end,
  spawnTandem,
  startAndAsk,
  timeToAnswer,
  workToAnswer,
} from '../timed-start.ts';
import { judge, type Measure, skippedMeasure } from '../verdict.ts';
import { idleMemory } from './start.ts';

const MEMORY_ROUNDS = 5;
/** Differences of milliseconds need more rounds than ratios. */
const ROUNDS_TIMES = 3;
/** A millisecond of work is seen among those of other programs only in many starts. */
const WORK_ROUNDS_TIMES = 12;

export const liveStart: Benchmark = async (context) => {
  const paperFolder = await makeFolder();
  await settle(paperFolder);
  const liveFolder = await makeFolder();
  await connectAccount(liveFolder);
  const silent = await listen();
  const refusing = await freePort();
  try {
    const at = (url: string) => spawnTandem(liveFolder, { TANDEM_LIVE: 'on', TANDEM_HYPERLIQUID_URL: url });
    const off = spawnTandem(paperFolder, { TANDEM_LIVE: 'off' });
    const on = spawnTandem(paperFolder, { TANDEM_LIVE: 'on' });
    const hangs = at(`http://127.0.0.1:${silent.port}`);
    const refuses = at(`http://127.0.0.1:${refusing}`);
    context.say('live: first start (bundle, code cache)');
    // As a user's first start makes it: with live venues.
    const first = await startAndAsk(on);
    await sleep(CACHE_WRITTEN_MS);
    await end(first.child);
    context.say('live: starts with and without live venues, and with one whose host does not answer');
    const times = await alternate(context.rounds * ROUNDS_TIMES, {
      off: () => timeToAnswer(off, '/connectors'),
      on: () => timeToAnswer(on, '/connectors'),
      hangs: () => timeToAnswer(hangs, '/connectors'),
      refuses: () => timeToAnswer(refuses, '/connectors'),
    });
    context.say('live: work of starts with and without live venues');
    const work = await alternate(context.rounds * WORK_ROUNDS_TIMES, {
      off: () => workToAnswer(off, '/connectors'),
      on: () => workToAnswer(on, '/connectors'),
    });
    const measures = [
      addedWhereTold(
        'live/start-unused-work',
        'CPU of all threads from process start → first answer of a route, live venues switched on and used by no account, less that with them switched off: what a start grows by, without the waits that other programs cause',
        ['ms', 2],
        [work.off, work.on],
      ),
      added(
        'live/start-unused',
        'process start → first answer of a route, live venues switched on and used by no account, less that with them switched off',
        ['ms', 2],
        [times.off, times.on],
      ),
      added(
        'live/start-host-hangs',
        'process start → first answer of a route with a live account whose host takes connections and never answers, less that of a paper gateway',
        ['ms', 20],
        [times.on, times.hangs],
      ),
      added(
        'live/start-host-refuses',
        'the same with a host that refuses connections',
        ['ms', 20],
        [times.on, times.refuses],
      ),
    ];
    context.say('live: memory at rest with and without live venues');
    const memory = await alternate(Math.min(context.rounds, MEMORY_ROUNDS), {
      off: () => idleMemory(off),
      on: () => idleMemory(on),
    });
    const megabytes = (values: readonly (number | null)[]) =>
      values.map((bytes) => (bytes === null ? null : bytes / 2 ** 20));
    return [
      ...measures,
      addedWhereTold(
        'live/memory-unused',
        'resident memory at rest, live venues switched on and used by no account, less that with them switched off',
        ['MB', 0.5],
        [megabytes(memory.off), megabytes(memory.on)],
      ),
    ];
  } finally {
    silent.server.close();
  }
};

/** As `added`, of figures that not every system tells. */
function addedWhereTold(
  name: string,
  about: string,
  unit: readonly [string, number],
  [base, variant]: readonly [readonly (number | null)[], readonly (number | null)[]],
): Measure {
  const told = base.flatMap((one, round) => {
    const other = variant[round] ?? null;
    return one === null || other === null ? [] : [[one, other] as const];
  });
  if (told.length === 0) return skippedMeasure(name, 'the system does not tell it');
  return added(name, about, unit, [told.map(([one]) => one), told.map(([, other]) => other)]);
}

/** Median of the differences of rounds that lie next to each other, and how far it may be off. */
function added(
  name: string,
  about: string,
  [unit, most]: readonly [string, number],
  [base, variant]: readonly [readonly number[], readonly number[]],
): Measure {
  const goal = { bound: 'at most', value: most } as const;
  const differences = variant.map((one, round) => one - (base[round] ?? Number.NaN));
  const value = median(differences);
  const blur = (quantile(differences, 0.75) - quantile(differences, 0.25)) / Math.sqrt(differences.length);
  return {
    ...{ name, about, unit, value, goal, ratio: null, baseSpread: null },
    verdict: blur > most ? 'NOISY' : judge(goal, value, null),
    figures: {
      ...{ base: median(base), variant: median(variant), blur },
      ...{ baseRounds: base, variantRounds: variant },
    },
  };
}

/** Leaves an account at a live venue in the folder, and the venue's instruments. */
async function connectAccount(dataDir: string): Promise<void> {
  const emulator = await launchEmulator();
  try {
    const gateway = await newLiveGateway({ emulator, dataDir });
    await gateway.stop();
  } finally {
    await emulator.close();
  }
}

async function listen(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((socket) => {
    socket.resume();
    socket.on('error', () => {});
  });
  return { server, port: await listenLocally(server) };
}
