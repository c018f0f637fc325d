/**
 * npm run bench:dashboard -- [sizes] [first-row] [busy] [dock] [drag] [--heap] [--minutes 30] [--rounds 5] [--json file]
 * The dashboard against its gates, in the system's Chromium, headless, on the gateway as it is built. `--heap` watches the
 * heap for so many minutes and is not part of a run without it. Medians of the rounds; exit code 1 when a goal was missed.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchChromium } from '../support/browser.ts';
import { busyDock } from './dashboard/busy-dock.ts';
import { busyScreen } from './dashboard/busy-screen.ts';
import { type DashboardBenchmark, NO_BROWSER } from './dashboard/dashboard-bench.ts';
import { dragToReview } from './dashboard/drag-to-review.ts';
import { firstRow } from './dashboard/first-row.ts';
import { heapGrowth } from './dashboard/heap-growth.ts';
import { scriptSizes } from './dashboard/script-sizes.ts';
import { BENCH_FOLDER, ROOT } from './program-builder.ts';
import { runAll } from './report.ts';

const BENCHMARKS: Readonly<Record<string, DashboardBenchmark>> = {
  sizes: scriptSizes,
  'first-row': firstRow,
  busy: busyScreen,
  dock: busyDock,
  drag: dragToReview,
};

function positive(text: string, name: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0`);
  return value;
}

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    heap: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '30' },
    json: { type: 'string', default: join(BENCH_FOLDER, 'dashboard.json') },
  },
});
const rounds = Math.ceil(positive(flags.rounds, 'rounds'));
const minutes = positive(flags.minutes, 'minutes');
const unknown = positionals.find((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown !== undefined)
  throw new Error(`no benchmark '${unknown}': ${Object.keys(BENCHMARKS).join(', ')}`);
const usual = flags.heap ? [] : Object.keys(BENCHMARKS);
const chosen = (positionals.length === 0 ? usual : positionals).flatMap((name) => BENCHMARKS[name] ?? []);
const benchmarks = flags.heap ? [...chosen, heapGrowth] : chosen;

console.error('… building');
execFileSync(process.execPath, [join(ROOT, 'build', 'bundle.mjs')], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
const browser = await launchChromium(NO_BROWSER);
const say = (line: string): void => console.error(`… ${line}`);
await runAll(
  benchmarks.map((benchmark) => () => benchmark({ browser, rounds, minutes, say })),
  { rounds, roundMs: 10_000 },
  flags.json,
  () => browser.close(),
);
