// Runs tests in processes side by side, one for each core and one for files that mostly wait:
//   npm test                                      all but the long ones
//   npm test -- test/api/fee.test.ts test/unit/domain     files and folders
//   npm test -- --grep "a stop"                   tests whose title matches
//   npm test -- --workers 1                       in one process
//   npm test -- --bail                            until a test fails
//   npm run test:long                             the long ones in full, and every property with all its runs
//   npm test -- --short test/unit                 without the tests whose title has the tag @long, like `npm test`
//   node test/run.mjs --sample                    some of the long ones, other ones for each commit, shortened
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compileTests, ROOT } from './runner/compile.mjs';
import { startPool } from './runner/pool.mjs';
import { carriers, isRunning, killAll, MARK } from './runner/processes.mjs';
import { createReport } from './runner/report.mjs';

const { isStale, lacksSqliteBinary } = createRequire(import.meta.url)('../build/fresh.cjs');

/** Ends a test that hangs; on the slowest machine, on one core, none of the others takes half as long. */
const TEST_TIMEOUT_MS = 300_000;
/** Ends a process whose loop is blocked: nothing in `npm test` goes on for as long, nor in a long run. */
const SILENCE_MS = { short: 900_000, long: 3_600_000 };

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    bail: { type: 'boolean', default: false },
    grep: { type: 'string' },
    long: { type: 'boolean', default: false },
    'no-build': { type: 'boolean', default: false },
    sample: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
    workers: { type: 'string', default: String(availableParallelism()) },
  },
});

/** Its plans take half a minute in `npm test`, and a third of a long run. */
const LONGEST = 'test/unit/engine/schedules/leg-imbalance-properties.test.ts';
/**
 * Slow files come first, so that no process is left alone with it at the end; of the rest, pages take turns with
 * what needs no browser.
 */
const FIRST = [
  LONGEST,
  'test/recovery/crash.test.ts',
  'test/recovery/resting-crash.test.ts',
  'test/recovery/frozen-process.test.ts',
];

function testFilesIn(path) {
  const whole = resolve(ROOT, path);
  if (!statSync(whole).isDirectory()) return [relative(ROOT, whole)];
  return readdirSync(whole, { recursive: true })
    .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
    .sort()
    .map((name) => relative(ROOT, join(whole, name)));
}

/** One of each list in turn. */
function inTurn(lists) {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat();
}

/** In the title of a test that `npm test` leaves out, because others of its file run the same code. */
const LONG_TAG = '@long';
const isShort = flags.short || (positionals.length === 0 && !flags.long && !flags.sample);

/** Long files of which a sample of a commit takes some that follow each other. */
const SAMPLED = 5;
/** Folders of files that `npm test` leaves out. */
const LONG_FOLDERS = ['test/real-time/long', 'test/recovery/long', 'test/long'];

/** Files in `folders` of which the text has `part`. */
function filesWith(part, folders) {
  const files = folders.map((name) => `test/${name}`).flatMap(testFilesIn);
  return files.filter((file) => readFileSync(resolve(ROOT, file), 'utf8').includes(part));
}

/** Files of the long runs alone, and those of which `npm test` leaves tests out. */
const longFiles = () => [
  ...LONG_FOLDERS.flatMap(testFilesIn),
  ...filesWith(LONG_TAG, ['recovery', 'real-time', 'api', 'unit', 'browser']).filter(
    (file) => !isLongFile(file),
  ),
];
const isLongFile = (file) => LONG_FOLDERS.some((folder) => file.startsWith(`${folder}/`));

/** Files whose properties `npm test` runs with a tenth of their runs. */
const propertyFiles = () => filesWith('property-runs.ts', ['unit', 'api']);

/** Storms take twenty minutes each and a third of a core. */
const LONG_WAITERS = 3;

/** Settings of a long run for files that are short in `npm test`. */
const LONG = {
  TANDEM_LONG: '1',
  APPROVAL_KILLS: '60',
  CRASH_KILLS: '100',
  MANDATE_KILLS: '30',
  RESTING_ROUNDS: '60',
};
const CRASHES = ['approvals', 'consent', 'live', 'mandate', 'resting', 'store'].map(
  (name) => `test/recovery/${name}-crash.test.ts`,
);

/** Minutes even when shortened: a start of another browser on a busy machine, rests of the emulated live venues. */
const NOT_SAMPLED = [
  'test/long/browser/firefox.test.ts',
  'test/real-time/long/storm-hyperliquid.test.ts',
  'test/real-time/long/storm-lighter.test.ts',
];

/** Another part of the long files for each commit, so that all of them run in as many commits as there are parts. */
function sampleOfCommit() {
  // Files of one folder take equally long: a commit gets some of many.
  const digest = (file) => createHash('sha256').update(file).digest('hex');
  const files = longFiles()
    .filter((file) => !NOT_SAMPLED.includes(file))
    .sort((one, other) => digest(one).localeCompare(digest(other)));
  const count = Number(execFileSync('git', ['rev-list', '--count', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }));
  const begin = (count * SAMPLED) % files.length;
  return [...files, ...files].slice(begin, begin + SAMPLED);
}

function chosenFiles() {
  if (positionals.length > 0) return [...new Set(positionals.flatMap(testFilesIn))];
  if (flags.sample) return sampleOfCommit();
  if (flags.long)
    return [
      ...new Set([LONGEST, ...longFiles(), 'test/recovery/crash.test.ts', ...CRASHES, ...propertyFiles()]),
    ];
  const others = ['recovery', 'real-time', 'api', 'unit', 'venue-spec']
    .flatMap((name) => testFilesIn(`test/${name}`))
    .filter((file) => !isLongFile(file) && !FIRST.includes(file));
  return [...FIRST, ...inTurn([testFilesIn('test/browser'), others])];
}

// Made once, before several processes need it.
if (lacksSqliteBinary()) {
  const native = resolve(ROOT, 'build', 'native.cjs');
  const { status } = spawnSync(process.execPath, [native], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
if (!flags['no-build'] && isStale('gateway')) {
  console.log('Building the gateway and the dashboard');
  const { bundle } = await import('../build/bundle.mjs');
  await bundle();
}
console.log('Compiling the tests');
await compileTests();

const files = chosenFiles();
/** Also of one file that is run with a setting of the long runs. */
const isLong = flags.long || Object.keys(LONG).some((name) => process.env[name] !== undefined);
const run = randomBytes(6).toString('hex');
// Short: a Unix socket in a folder of a folder has a path of 107 characters at most.
const folder = mkdtempSync(join(tmpdir(), `tt-${process.pid}-`));
// Programs of other users reach what a test lets them read.
chmodSync(folder, 0o755);
removeFoldersOfDeadRuns();
const report = createReport(files.length);
const pool = startPool(
  {
    files,
    workers: Math.min(Number(flags.workers), files.length),
    waiters: flags.long ? LONG_WAITERS : 1,
    grep: flags.grep,
    without: isShort ? LONG_TAG : undefined,
    bail: flags.bail,
    timeout: TEST_TIMEOUT_MS,
    silenceMs: isLong ? SILENCE_MS.long : SILENCE_MS.short,
    env: {
      ...process.env,
      ...(flags.long ? LONG : {}),
      [MARK]: run,
      MOCHA_WORKER_ID: run,
      TMPDIR: folder,
    },
  },
  report.fileEnded,
  report.failedLate,
);

/** A run that was killed could not remove its own. */
function removeFoldersOfDeadRuns() {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = /^tt-(\d+)-\w{6}$/.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function endEverything() {
  pool.stop();
  killAll([...pool.pids(), ...carriers(run)]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
// Also after an error of the runner itself.
process.once('exit', endEverything);
for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }))
  process.once(signal, () => process.exit(code));

await pool.done;
process.exit(report.end() ? 0 : 1);
