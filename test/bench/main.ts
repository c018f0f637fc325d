/**
 * npm run bench -- [names] [--rounds 7] [--round-ms 1000] [--json file]
 * Without names everything is measured. What is compared runs side by side in one go; ratios travel between machines,
 * absolute figures do not. Exit code 1 when a goal was missed on a quiet machine.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Benchmark } from './bench-context.ts';
import { startLoad } from './child-programs.ts';
import { removeFolders } from './gateway-home.ts';
import { commitCost, historyCost, ormCost, slowDiskCost } from './measures/ack.ts';
import { arming } from './measures/arming.ts';
import { auth } from './measures/auth.ts';
import { baskets } from './measures/baskets.ts';
import { fill } from './measures/fill.ts';
import { firing } from './measures/firing.ts';
import { floods } from './measures/floods.ts';
import { analytics, historyPages, historyStart } from './measures/history.ts';
import { http } from './measures/http.ts';
import { lighter } from './measures/lighter.ts';
import { live } from './measures/live.ts';
import { mandates } from './measures/mandates.ts';
import { mcp } from './measures/mcp.ts';
import { paperStart } from './measures/paper-start.ts';
import { screener } from './measures/screener.ts';
import { start } from './measures/start.ts';
import { stream } from './measures/stream.ts';
import { triggers } from './measures/triggers.ts';
import { webhooks } from './measures/webhooks.ts';
import { BENCH_FOLDER, buildPrograms } from './program-builder.ts';
import { measureText, report } from './report.ts';
import type { Measure } from './verdict.ts';

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  commit: commitCost,
  orm: ormCost,
  'slow-disk': slowDiskCost,
  history: historyCost,
  http,
  auth,
  stream,
  fill,
  start,
  triggers,
  arming,
  firing,
  floods,
  baskets,
  'history-pages': historyPages,
  analytics,
  'history-start': historyStart,
  'paper-start': paperStart,
  live,
  lighter,
  mandates,
  mcp,
  screener,
  webhooks,
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

await buildPrograms();
const load = startLoad();
const measures: Measure[] = [];
const at = new Date().toISOString();
try {
  for (const name of names) {
    const benchmark = BENCHMARKS[name];
    if (benchmark === undefined) continue;
    const say = (line: string): void => console.error(`… ${line}`);
    const found = await benchmark({ rounds, roundMs, load, say });
    for (const measure of found) console.log(measureText(measure));
    measures.push(...found);
  }
} finally {
  await load.stop();
  await removeFolders();
  await mkdir(dirname(flags.json), { recursive: true });
  await writeFile(flags.json, `${JSON.stringify(report(measures, { at, rounds, roundMs }), null, 2)}\n`);
}
const missed = measures.filter(({ verdict }) => verdict === 'FAIL').length;
console.log(`${measures.length} measures, ${missed} missed; JSON in ${flags.json}`);
process.exitCode = missed === 0 ? 0 : 1;
