/** What a million paper orders add to a start: the same folder before and after they are written behind its archive. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Benchmark } from '../bench-context.ts';
import { makeFolder, settle } from '../gateway-home.ts';
import { seedPaperOrders } from '../seed-paper.ts';
import { median } from '../statistics.ts';
import { CACHE_WRITTEN_MS, end, spawnTandem, startAndAsk, timeToAnswer } from '../timed-start.ts';
import { valueMeasure } from '../verdict.ts';

const ORDERS = 1_000_000;

export const paperStart: Benchmark = async (context) => {
  const dataDir = await makeFolder();
  await settle(dataDir);
  const tandem = spawnTandem(dataDir);
  const first = await startAndAsk(tandem);
  await sleep(CACHE_WRITTEN_MS);
  await end(first.child);
  const times = async () => {
    const found: number[] = [];
    for (let round = 0; round < context.rounds; round += 1) found.push(await timeToAnswer(tandem));
    return found;
  };
  context.say('paper start: an empty archive');
  const empty = await times();
  context.say(`paper start: writing ${ORDERS} orders`);
  const indexingMs = await seedPaperOrders(dataDir, ORDERS);
  context.say('paper start: with them');
  const full = await times();
  return [
    valueMeasure(
      {
        name: 'paper-start/million-orders',
        about: `process start → first answer with ${ORDERS} orders in the paper venue's archive, less that with none`,
        unit: 'ms',
        goal: { bound: 'at most', value: 300 },
        figures: { full, empty, indexingMs },
      },
      median(full) - median(empty),
    ),
  ];
};
