// Every test, in processes side by side: pages in a browser, and gateways that are killed and frozen, mostly wait.
// What is said last adds them up, with every failure once more. Further arguments go to mocha.
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(fileURLToPath(import.meta.url), '..', '..');
const MOCHA = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
const { isStale, lacksSqliteBinary } = createRequire(import.meta.url)('../build/fresh.cjs');

/** Every second suite in one process and the rest in another: what is alike, and takes alike, is in both. */
function halves(...folders) {
  const files = folders.flatMap((folder) =>
    readdirSync(resolve(ROOT, 'test', folder), { recursive: true })
      .filter((name) => name.endsWith('.test.ts'))
      .sort()
      .map((name) => `test/${folder}/${name}`),
  );
  const name = folders.join(', ');
  return [
    { name: `${name}, one half`, files: files.filter((_, index) => index % 2 === 0) },
    { name: `${name}, the other`, files: files.filter((_, index) => index % 2 === 1) },
  ];
}

/** What waits most comes first; units, which never wait, fill both cores to the end. */
const GROUPS = [
  ...halves('browser'),
  ...halves('recovery'),
  ...halves('api'),
  ...halves('unit', 'venue-spec'),
];
const AT_ONCE = Math.max(4, availableParallelism());

// Made once, before both need it.
if (lacksSqliteBinary()) {
  const native = resolve(ROOT, 'build', 'native.cjs');
  const { status } = spawnSync(process.execPath, [native], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
if (isStale('gateway')) {
  const { bundle } = await import('../build/bundle.mjs');
  await bundle();
}

/** The first one's words are shown as they come, those of the others when it has ended. */
function run({ name, files }, isShown) {
  const begin = performance.now();
  const child = spawn(process.execPath, [MOCHA, ...files, ...process.argv.slice(2)], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: process.stdout.isTTY ? { FORCE_COLOR: '1', ...process.env } : process.env,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      said += text;
      if (isShown) process.stdout.write(text);
    });
  }
  return new Promise((done) => {
    child.once('close', (code) => {
      const seconds = Math.round((performance.now() - begin) / 1_000);
      done({ name, said, seconds, code: code ?? 1 });
    });
  });
}

const ESCAPE = String.fromCharCode(27);
function count({ said }, word) {
  const plain = said.replaceAll(new RegExp(`${ESCAPE}\\[[0-9;]*m`, 'g'), '');
  return Number(plain.match(new RegExp(`^ *(\\d+) ${word}`, 'm'))?.[1] ?? 0);
}

/** mocha's list of what failed, which is its last word; all of its last words where it came to none. */
function failuresOf({ name, said }) {
  const from = said.search(/^.*\d+ failing/m);
  return `  what failed in ${name}:\n${from < 0 ? said.slice(-4_000) : said.slice(from)}`;
}

const running = new Set();
const begun = [];
for (const group of GROUPS) {
  while (running.size >= AT_ONCE) await Promise.race(running);
  const one = run(group, begun.length === 0);
  const over = one.then(() => running.delete(over));
  running.add(over);
  begun.push(one);
}
const [first, ...others] = begun;
const ended = [await first];
for (const other of others) {
  const group = await other;
  process.stdout.write(group.said);
  ended.push(group);
}
for (const group of ended) {
  console.log(`  ${group.name}: ${group.seconds} s`);
  if (group.code > 0) console.log(failuresOf(group));
}
for (const word of ['passing', 'failing', 'pending']) {
  const sum = ended.reduce((total, group) => total + count(group, word), 0);
  if (sum > 0 || word === 'passing') console.log(`  ${sum} ${word}`);
}
// A group that ended without its counts (a crash, no tests) has its exit code.
process.exitCode = Math.max(...ended.map(({ code }) => code)) > 0 ? 1 : 0;
