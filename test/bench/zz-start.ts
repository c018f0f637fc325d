import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder, removeFolders, settle } from './gateway-home.ts';
import { buildPrograms } from './program-builder.ts';
import { alternate } from './rounds.ts';
import { median } from './statistics.ts';
import { CACHE_WRITTEN_MS, end, spawnTandem, startAndAsk, timeToAnswer, workToAnswer } from './timed-start.ts';
await buildPrograms();
const folder = await makeFolder();
await settle(folder);
const off = spawnTandem(folder, { TANDEM_LIVE: 'off' });
const on = spawnTandem(folder, { TANDEM_LIVE: 'on' });
const first = await startAndAsk(on);
await sleep(CACHE_WRITTEN_MS);
await end(first.child);
const diffs = (r: any) => r.off.map((v: number, i: number) => r.on[i] - v);
for (let run = 0; run < Number(process.env["RUNS"] ?? 5); run += 1) {
  const times = await alternate(Number(process.env["PAIRS"] ?? 20), { off: () => timeToAnswer(off, '/connectors'), on: () => timeToAnswer(on, '/connectors') });
  const work = await alternate(Number(process.env["PAIRS"] ?? 20), { off: () => workToAnswer(off, '/connectors'), on: () => workToAnswer(on, '/connectors') });
  console.log(`run ${run}: time ${median(diffs(times)).toFixed(2)} ms (off ${median(times.off).toFixed(1)}), work ${median(diffs(work)).toFixed(2)} ms (off ${median(work.off as number[]).toFixed(1)})`);
}
await removeFolders();
