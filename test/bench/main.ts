/**
 * npm run bench -- [names] [--rounds 7] [--round-ms 1000] [--json file]
 * Without names everything is measured. What is compared runs side by side in one go; ratios travel between machines,
 * absolute figures do not. Exit code 1 when a goal was missed on a quiet machine.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Benchmark } from './bench-context.ts';
import { startLoad } from './child-programs.ts';
import { commitCost } from './measures/ack.ts';
import { analytics } from './measures/analytics.ts';
import { fill } from './measures/fill.ts';
import { firing } from './measures/firing.ts';
import { live } from './measures/live.ts';
import { start } from './measures/start.ts';
import { stream } from './measures/stream.ts';
import { BENCH_FOLDER, buildPrograms } from './program-builder.ts';
import { runAll } from './report.ts';

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  commit: commitCost,
  stream,
  fill,
  start,
  firing,
  analytics,
  live,
};

function wholeNumber(text: string, name: string, least: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least)
    throw new Error(`--${name} must be a whole number from ${least}`);
  return value;
}

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '7' },
    'round-ms': { type: 'string', default: '1000' },
    json: { type: 'string', default: join(BENCH_FOLDER, 'results.json') },
  },
});
const rounds = wholeNumber(flags.rounds, 'rounds', 1);
const roundMs = wholeNumber(flags['round-ms'], 'round-ms', 100);
const unknown = positionals.find((name) => !Object.hasOwn(BENCHMARKS, name));
if (unknown !== undefined) {
  throw new Error(`no benchmark '${unknown}': ${Object.keys(BENCHMARKS).join(', ')}`);
}
const names = positionals.length === 0 ? Object.keys(BENCHMARKS) : positionals;
const chosen = names.flatMap((name) => BENCHMARKS[name] ?? []);

await buildPrograms();
const load = startLoad();
const say = (line: string): void => console.error(`… ${line}`);
await runAll(
  chosen.map((benchmark) => () => benchmark({ rounds, roundMs, load, say })),
  { rounds, roundMs },
  flags.json,
  load.stop,
);
