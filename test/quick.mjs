// For every edit, within a minute: types, lint, and the unit tests that neither start processes nor walk far. Types are kept
// between two runs, so that the first takes longer. What is left out here, and everything else, is in `npm test`.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(fileURLToPath(import.meta.url), '..', '..');
const BIN = join(ROOT, 'node_modules', '.bin');

/** Files of `test/unit` that start processes or take seconds. */
const LEFT_OUT = [
  'cli/{doctor,lean-install,native-driver,npm-start,shipped-program,start,trading-commands}',
  'engine/schedules/plan-scheduler',
  'engine/triggers/{bracket-fate,bracket-rounds}',
  'main/{gateway-host,packaging,shell-desktop,shell-gateway,shell-life}',
  'market/{candle-sums,screener}',
  'system/data-folder-lock',
  'vault/{file-vault,keychain-vault}',
  'venues/live/{http-channel,hyperliquid/emulator-faults,hyperliquid/outgoing}',
  'venues/live/lighter/{emulator-{accounts,faults,orders,setup,signatures,streams},faults,faults-streams,nonces,witness}',
  'venues/paper-exchange/{sim-kill,stood-still}',
  'venues/paper-market/{book,determinism,price-process}',
];

const PROJECTS = [
  '.',
  'renderer',
  'test/unit/renderer',
  'gateway/http/consent',
  'main/pages/starting',
  'gateway/client',
];

const NODE_TESTS = ['test/run.mjs', '--no-build', ...unitFiles()];

function unitFiles() {
  const leftOut = new Set(LEFT_OUT.flatMap(expanded).map((name) => `test/unit/${name}.test.ts`));
  return readdirSync(join(ROOT, 'test', 'unit'), { recursive: true })
    .map((name) => `test/unit/${name}`)
    .filter((name) => name.endsWith('.test.ts') && !leftOut.has(name))
    .sort();
}

/** `a{b,c}` → `ab`, `ac`. */
function expanded(pattern) {
  const [, before, choices, after] = /^(.*?)\{((?:[^{}]|\{[^}]*\})*)\}(.*)$/.exec(pattern) ?? [];
  if (choices === undefined) return [pattern];
  return choices.split(/,(?![^{]*\})/).flatMap((choice) => expanded(before + choice + after));
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

const lanes = LANES.map(async (commands) => {
  const green = [];
  for (const command of commands) green.push(await run(command));
  return green;
});
const isGreen = (await Promise.all(lanes)).flat().every(Boolean);
console.log(`  ${isGreen ? 'green' : 'NOT GREEN'} after ${Math.round(process.uptime())} s`);
process.exitCode = isGreen ? 0 : 1;
