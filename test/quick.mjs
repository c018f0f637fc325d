// For every edit, within a minute: types, lint, and the unit tests that neither start processes nor walk far. Types are kept
// between two runs, so that the first takes longer. What is left out here, and everything else, is in `npm test`.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { descendants, killAll } from './runner/processes.mjs';

const ROOT = resolve(fileURLToPath(import.meta.url), '..', '..');
const BIN = join(ROOT, 'node_modules', '.bin');

/** In `test/unit`: folders and files, by how their path begins, that start processes or take seconds. */
const LEFT_OUT = [
  ...[
    'auth/sign-in',
    'auth/trade-accounts',
    'build/bill-of-materials',
    'build/checks',
    'domain/legs-in-step',
  ],
  ...['cli/account-marks', 'cli/doctor', 'cli/lean-install', 'cli/native-driver', 'cli/npm-start'],
  ...['cli/paper-replay', 'cli/restore', 'cli/shipped-program', 'cli/start', 'cli/trading-commands'],
  ...['engine/account-feed', 'engine/caps-properties', 'engine/closing-properties', 'engine/equity-drawdown'],
  ...['engine/outside-while-busy', 'engine/reverse-position', 'engine/schedules/leg-imbalance-properties'],
  ...['engine/schedules/outside-trades', 'engine/schedules/plan-scheduler'],
  ...['engine/schedules/position-reduced', 'engine/schedules/protection-properties'],
  ...['engine/triggers/bracket-fate', 'engine/triggers/bracket-rounds', 'engine/triggers/unwound-addition'],
  ...['main/gateway-host', 'main/packaging', 'main/shell-'],
  ...['market/candle-sums', 'market/screener', 'system/data-folder-lock'],
  ...['vault/file-vault', 'vault/keychain-vault'],
  ...['venues/live/', 'venues/paper-exchange/', 'venues/paper-market/'],
].map((name) => `test/unit/${name}`);

const PROJECTS = ['.', 'renderer', 'test/unit/renderer', 'main/pages/starting', 'gateway/client'];

const NODE_TESTS = ['test/run.mjs', '--no-build', '--short', ...unitFiles()];

function unitFiles() {
  return readdirSync(join(ROOT, 'test', 'unit'), { recursive: true })
    .map((name) => `test/unit/${name}`)
    .filter((name) => name.endsWith('.test.ts') && !LEFT_OUT.some((left) => name.startsWith(left)))
    .sort();
}

const typesOf = (project) => {
  const kept = join('node_modules', '.cache', 'types', `${project.replaceAll('/', '-')}.tsbuildinfo`);
  // One checker: several each work out the types of the contract, which costs more than they share.
  const frugal = ['--checkers', '1', '--noEmit', '--incremental'];
  return [join(BIN, 'tsc'), '-p', project, ...frugal, '--tsBuildInfoFile', kept];
};

/** Side by side; each a list of commands, one after the other. */
const LANES = [
  [[join(BIN, 'biome'), 'check', '.'], ...PROJECTS.map(typesOf)],
  [[process.execPath, ...NODE_TESTS]],
];

/** Resolves with whether it was green; what it said is shown when it has ended. */
function run([command, ...args]) {
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  return new Promise((done) => {
    child.once('close', (code) => {
      process.stdout.write(said);
      done(code === 0);
    });
  });
}

process.once('exit', () => killAll(descendants(process.pid)));
for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }))
  process.once(signal, () => process.exit(code));

const lanes = LANES.map(async (commands) => {
  const green = [];
  for (const command of commands) green.push(await run(command));
  return green;
});
const isGreen = (await Promise.all(lanes)).flat().every(Boolean);
console.log(`  ${isGreen ? 'green' : 'NOT GREEN'} after ${Math.round(process.uptime())} s`);
process.exitCode = isGreen ? 0 : 1;
