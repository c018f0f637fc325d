#!/usr/bin/env node
// Starts Tandem: bundles the sources when they are newer than the bundle, makes the database's driver before the first
// start, then runs the bundle with V8's code cache (Node 20 has no module.enableCompileCache), so that the second start
// compiles nothing. CommonJS, because the loader of ES modules alone takes a tenth of a start.
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join, resolve } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');

const ROOT = resolve(__dirname, '..');
const BUNDLE = join(ROOT, 'dist', 'gateway.cjs');
const STAMP = join(ROOT, 'dist', 'build.json');
/** Delay before the code cache is written: it holds the functions that are compiled by then. */
const CACHE_AFTER_MS = 3_000;

/** An error that is printed in one line, without a stack. */
class CannotPrepare extends Error {}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`tandem: Node ${process.versions.node} is too old; install Node 20.19 or later`);
  process.exit(1);
}

// Electron's process cannot build: the process that started it has built already. The packaged app brings all it needs.
const isPackaged = process.versions.electron !== undefined || !existsSync(join(__dirname, 'fresh.cjs'));
const steps = isPackaged ? [] : missingSteps();
if (steps.length === 0) run();
else
  Promise.all(steps.map((step) => step())).then(run, (error) => {
    console.error(error instanceof CannotPrepare ? `tandem: ${error.message}` : (error.message ?? error));
    process.exit(1);
  });

/** Steps before the run; only `start` opens the database. */
function missingSteps() {
  const fresh = require('./fresh.cjs');
  const steps = [];
  // An installed program has no sources to be built from.
  if (fresh.hasSources() ? fresh.isStale('gateway') : !existsSync(STAMP)) steps.push(rebuild);
  if (process.argv[2] === 'start') {
    if (fresh.sqliteFolder() === null) steps.push(() => Promise.reject(notInstalled()));
    else if (fresh.lacksSqliteBinary()) steps.push(() => require('./native.cjs').makeSqlite());
  }
  return steps;
}

function notInstalled() {
  const lean = require('./fresh.cjs').hasSources() ? 'npm ci' : 'npm ci --omit=dev';
  return new CannotPrepare(`the packages are not installed; run: ${lean}`);
}

/** Bundles in a process of its own: the bundler's memory and its helper process end with it. */
async function rebuild() {
  const { fingerprint, sqliteFolder } = require('./fresh.cjs');
  if (sqliteFolder() === null) throw notInstalled();
  if (!hasBuilder()) {
    if (isBuiltOf(fingerprint('gateway'))) return;
    throw new CannotPrepare(
      `${existsSync(STAMP) ? 'the built program (dist) is not of these sources' : 'there is no built program here (dist)'}` +
        ', and what builds it is left out by npm ci --omit=dev; run npm ci instead, or install the archive that npm run release makes',
    );
  }
  const patience = setTimeout(() => {
    if (process.stderr.isTTY) console.error('tandem: building the program (once after an update) …');
  }, 1_000);
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, [join(ROOT, 'build', 'bundle.mjs')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^TANDEM_/i.test(name))),
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const code = await new Promise((done) => child.once('close', done));
  clearTimeout(patience);
  if (code === 0) return;
  const missing = said.includes('ERR_MODULE_NOT_FOUND');
  throw new CannotPrepare(
    `cannot build the program: ${missing ? 'the packages are not installed; run: npm ci' : said.trim()}`,
  );
}

function hasBuilder() {
  try {
    // An archive brings no sources.
    if (!require('./fresh.cjs').hasSources()) return false;
    require.resolve('esbuild');
    require.resolve('vite/package.json');
    return true;
  } catch {
    return false;
  }
}

/** Compares the sources themselves, where nothing can be built: a copied folder has new times. */
function isBuiltOf(sources) {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8')).sources === sources;
  } catch {
    return false;
  }
}

function run() {
  // Before anything is compiled: V8 takes no code cache that was made under other flags. Why: gateway/system/heap.ts.
  setFlagsFromString('--no-allocation-site-pretenuring');
  // V8 recognises the source of a cache by its length alone, so the cache carries the bundle's own id.
  const { id } = JSON.parse(readFileSync(STAMP, 'utf8'));
  const cache = join(ROOT, 'dist', `${id}.${process.version}-${process.arch}.cache`);
  // latin1 keeps V8 on one-byte strings, half the memory; the bundle is pure ASCII (esbuild's default charset).
  const source = readFileSync(BUNDLE, 'latin1');
  const cachedData = existsSync(cache) ? readFileSync(cache) : undefined;
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename: BUNDLE,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(BUNDLE), module, BUNDLE, dirname(BUNDLE));
  const useful = cachedData !== undefined && !script.cachedDataRejected;
  // The cache is written by `start` only: a cache made by another command would slow every start down.
  if (!useful && process.argv[2] === 'start') {
    setTimeout(() => keepCache(script, cache), CACHE_AFTER_MS).unref();
  }
}

/** A cache that cannot be written costs only time. */
function keepCache(script, cache) {
  const draft = `${cache}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, script.createCachedData());
    renameSync(draft, cache);
  } catch {
    // The installation is read-only, or another start was faster.
  }
}
