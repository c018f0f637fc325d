// Every test, file by file, in processes side by side: pages in a browser, and gateways that are killed and frozen, mostly
// wait. Further arguments go to mocha.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(fileURLToPath(import.meta.url), '..', '..');
const MOCHA = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
const { isStale, lacksSqliteBinary } = createRequire(import.meta.url)('../build/fresh.cjs');
const AT_ONCE = Math.max(5, availableParallelism());

const filesIn = (folder) =>
  readdirSync(resolve(ROOT, 'test', folder), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .map((name) => `test/${folder}/${name}`);

/** One of each list in turn. */
function inTurn(lists) {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat();
}

/**
 * What takes longest comes first, so that no process is left alone with it at the end; of the rest, pages take turns with
 * what needs no browser.
 */
const FIRST = [
  'test/recovery/crash.test.ts',
  'test/recovery/resting-crash.test.ts',
  'test/recovery/frozen-process.test.ts',
  'test/recovery/simulated-day.test.ts',
];
const others = ['recovery', 'api', 'unit', 'venue-spec'].flatMap(filesIn);
const files = inTurn([filesIn('browser'), others.filter((name) => !FIRST.includes(name))]);

// Made once, before several processes need it.
if (lacksSqliteBinary()) {
  const native = resolve(ROOT, 'build', 'native.cjs');
  const { status } = spawnSync(process.execPath, [native], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
if (isStale('gateway')) {
  const { bundle } = await import('../build/bundle.mjs');
  await bundle();
}

const { status } = spawnSync(
  process.execPath,
  [MOCHA, '--parallel', '--jobs', String(AT_ONCE), ...process.argv.slice(2), ...FIRST, ...files],
  { cwd: ROOT, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
