/** What live venues add to a start: where no account uses them, and where their host does not answer. */
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { launchEmulator } from '../../support/venues/hyperliquid/remote.ts';
import type { Benchmark } from '../bench-context.ts';
import { makeFolder, settle } from '../gateway-home.ts';
import { newLiveGateway } from '../live-home.ts';
import { alternate } from '../rounds.ts';
import { median, quantile } from '../statistics.ts';
import { CACHE_WRITTEN_MS, end, spawnTandem, startAndAsk, timeToAnswer } from '../timed-start.ts';
import { judge, type Measure, skippedMeasure } from '../verdict.ts';
import { idleMemory } from './start.ts';

const MEMORY_ROUNDS = 5;
/** Differences of milliseconds need more rounds than ratios. */
const ROUNDS_TIMES = 3;

export const liveStart: Benchmark = async (context) => {
  const paperFolder = await makeFolder();
  await settle(paperFolder);
  const liveFolder = await makeFolder();
  await connectAccount(liveFolder);
  const silent = await listen();
  const refusing = await listen();
  const { port } = refusing;
  refusing.server.close();
  try {
    const at = (url: string) => spawnTandem(liveFolder, { TANDEM_LIVE: 'on', TANDEM_HYPERLIQUID_URL: url });
    const off = spawnTandem(paperFolder, { TANDEM_LIVE: 'off' });
    const on = spawnTandem(paperFolder, { TANDEM_LIVE: 'on' });
    const hangs = at(`http://127.0.0.1:${silent.port}`);
    const refuses = at(`http://127.0.0.1:${port}`);
    context.say('live: first start (bundle, code cache)');
    const first = await startAndAsk(off);
    await sleep(CACHE_WRITTEN_MS);
    await end(first.child);
    context.say('live: starts with and without live venues, and with one whose host does not answer');
    const times = await alternate(context.rounds * ROUNDS_TIMES, {
      off: () => timeToAnswer(off, '/connectors'),
      on: () => timeToAnswer(on, '/connectors'),
      hangs: () => timeToAnswer(hangs, '/connectors'),
      refuses: () => timeToAnswer(refuses, '/connectors'),
    });
    const measures = [
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
      values.flatMap((bytes) => (bytes === null ? [] : [bytes / 2 ** 20]));
    const [without, having] = [megabytes(memory.off), megabytes(memory.on)];
    const name = 'live/memory-unused';
    if (without.length === 0 || without.length !== having.length)
      return [...measures, skippedMeasure(name, 'resident memory is not told by this system')];
    return [
      ...measures,
      added(
        name,
        'resident memory at rest, live venues switched on and used by no account, less that with them switched off',
        ['MB', 0.5],
        [without, having],
      ),
    ];
  } finally {
    silent.server.close();
  }
};

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

function listen(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((socket) => {
    socket.resume();
    socket.on('error', () => {});
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve({ server, port: typeof address === 'object' && address !== null ? address.port : 0 });
    });
  });
}
