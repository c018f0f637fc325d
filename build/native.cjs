#!/usr/bin/env node
// Makes the binary of the database's driver (sqlite3), where it is missing or does not load: the prebuilt one of this
// system from GitHub, if it is the one that build/sqlite-digests.json records, else compiled here. npm runs it after an installation (`postinstall`); where npm was to run no
// scripts, the first start and the first test do. It replaces the driver's own install script, which reports only
// symptoms of a missing compiler. All other packages with native code bring their binaries in their npm package.
const { spawn, spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join, resolve } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { MAKING, SQLITE_BINARY, sqliteFolder } = require('./fresh.cjs');

/** Limit of the download: a network that does not answer must not delay the compilation. */
const FETCH_LIMIT_MS = 60_000;
/** A process that holds the marker for longer has died, and another process has its number. */
const MAKING_LIMIT_MS = 20 * 60_000;
const POLL_MS = 500;

if (require.main === module) {
  makeSqlite({ evenIfThere: true }).catch((error) => {
    console.error(error instanceof CannotMake ? error.message : error);
    process.exitCode = 1;
  });
}

/** The driver cannot be made; the message explains why, over several lines. */
class CannotMake extends Error {}

/**
 * Resolves once the driver loads.
 * @param {{ evenIfThere?: boolean }} options `evenIfThere`: a binary that is there is loaded to see whether it works
 * @throws CannotMake
 */
async function makeSqlite({ evenIfThere = false } = {}) {
  const folder = sqliteFolder();
  if (folder === null) throw new CannotMake('tandem: the packages are not installed; run: npm ci');
  const marker = join(folder, MAKING);
  const isTrusted = await takeTurn(marker);
  try {
    const isThere = isTrusted && existsSync(join(folder, SQLITE_BINARY));
    if (isThere && (!evenIfThere || loads(folder))) return;
    const digest = recordedDigest(folder);
    if (digest !== null) say('looking for a prebuilt SQLite for this system …');
    const fetched = digest === null ? NOT_RECORDED : await fetchPrebuilt(folder, digest);
    if (fetched.ok && loads(folder)) return;
    say(`${fetched.reason ?? 'there is none that works here'}; compiling it (once, about a minute) …`);
    const compiled = await compile(folder);
    if (!compiled.ok || !loads(folder)) throw new CannotMake(explain(fetched, compiled));
    removeScraps(folder);
  } finally {
    rmSync(marker, { force: true });
  }
}

function say(text) {
  console.error(`tandem: ${text}`);
}

/** Waits for the marker. False: its last holder was killed, and may have left an incomplete binary. */
async function takeTurn(marker) {
  let isTrusted = true;
  for (let count = 0; ; count += 1) {
    try {
      const file = openSync(marker, 'wx');
      writeSync(file, String(process.pid));
      closeSync(file);
      return isTrusted;
    } catch (error) {
      if (error.code !== 'EEXIST') {
        throw new CannotMake(
          `tandem: SQLite has to be made for this system once, and ${dirname(marker)} cannot be written (${error.code}).\n` +
            `  Run this as a user who may write there: node '${__filename}'`,
        );
      }
    }
    isTrusted = !isAbandoned(marker);
    if (isTrusted) {
      if (count === 0) say('another process is making SQLite for this system; waiting for it …');
      await sleep(POLL_MS);
    } else rmSync(marker, { force: true });
  }
}

function isAbandoned(marker) {
  const stats = statSync(marker, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  const age = Date.now() - stats.mtimeMs;
  if (age > MAKING_LIMIT_MS) return true;
  const pid = Number(readFileSync(marker, 'utf8'));
  // The marker has no process number yet.
  if (!(pid > 0)) return age > POLL_MS * 4;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/**
 * Loads the binary in a process of its own, since it stays loaded. A prebuilt one may want a newer C library.
 */
function loads(folder) {
  const program =
    "new (require(process.argv[1]).Database)(':memory:', (error) => process.exit(error ? 1 : 0))";
  return spawnSync(process.execPath, ['-e', program, folder], { stdio: 'ignore' }).status === 0;
}

const refused = (reason) => ({ ok: false, said: reason, reason });
const NOT_RECORDED = refused('no prebuilt SQLite is recorded for this system');

/** SHA-256 of the prebuilt binary for this system, as it was when the driver's version was chosen; null: not recorded. */
function recordedDigest(folder) {
  const list = join(__dirname, 'sqlite-digests.json');
  if (!existsSync(list)) return null;
  const { version, sha256 } = JSON.parse(readFileSync(list, 'utf8'));
  if (version !== JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version) return null;
  // Only a report of the process tells which C library it has: without a version of glibc, another one.
  const isMusl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
  return sha256[`${process.platform}${isMusl ? 'musl' : ''}-${process.arch}`] ?? null;
}

/**
 * Fetches into a folder of its own, from where the binary alone is taken, and only if it is the recorded one: what an
 * archive holds besides could change the driver. The fetching program does not load what it fetches.
 */
async function fetchPrebuilt(folder, digest) {
  const program = packageFile(folder, 'prebuild-install/bin.js');
  if (program === null) return { ok: false, said: '' };
  const scratch = mkdtempSync(join(folder, '.tandem-fetched-'));
  try {
    copyFileSync(join(folder, 'package.json'), join(scratch, 'package.json'));
    const fetched = await run(scratch, [program, '-r', 'napi'], process.env, FETCH_LIMIT_MS);
    const binary = join(scratch, SQLITE_BINARY);
    if (!fetched.ok || !existsSync(binary)) return { ...fetched, ok: false };
    const found = createHash('sha256').update(readFileSync(binary)).digest('hex');
    if (found !== digest)
      return refused(`the prebuilt SQLite (sha256 ${found}) is not the one that was recorded`);
    mkdirSync(dirname(join(folder, SQLITE_BINARY)), { recursive: true });
    copyFileSync(binary, join(folder, SQLITE_BINARY));
    return fetched;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function compile(folder) {
  const program = packageFile(folder, 'node-gyp/bin/node-gyp.js');
  if (program === null) return { ok: false, said: 'node-gyp is not installed' };
  return run(folder, [program, 'rebuild'], { ...headersHere(), ...process.env });
}

/** Most installations of Node bring its headers along; without them node-gyp fetches them from nodejs.org. */
function headersHere() {
  const prefix = resolve(dirname(process.execPath), '..');
  const file = join(prefix, 'include', 'node', 'node_version.h');
  if (process.platform === 'win32' || !existsSync(file)) return {};
  const text = readFileSync(file, 'utf8');
  const numbers = ['MAJOR', 'MINOR', 'PATCH'].map(
    (part) => new RegExp(`^#define NODE_${part}_VERSION (\\d+)`, 'm').exec(text)?.[1],
  );
  return numbers.join('.') === process.versions.node ? { npm_config_nodedir: prefix } : {};
}

function packageFile(folder, name) {
  try {
    return createRequire(join(folder, 'package.json')).resolve(name);
  } catch {
    return null;
  }
}

/** @returns {Promise<{ ok: boolean, said: string }>} `said`: output of both streams */
function run(cwd, argv, surroundings, timeout) {
  // A compiler gets none of the settings of the gateway, a passphrase among them.
  const env = Object.fromEntries(Object.entries(surroundings).filter(([name]) => !/^TANDEM_/i.test(name)));
  const child = spawn(process.execPath, argv, { cwd, env, timeout, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  return new Promise((done) => {
    child.once('error', (error) => done({ ok: false, said: error.message }));
    child.once('close', (code, signal) =>
      done({ ok: code === 0, said: signal === null ? said : `no answer within ${FETCH_LIMIT_MS / 1000} s` }),
    );
  });
}

/** Removes the compiler's object files, many times the size of the binary. */
function removeScraps(folder) {
  const build = join(folder, 'build');
  for (const name of readdirSync(build)) {
    if (name !== 'Release') rmSync(join(build, name), { recursive: true, force: true });
  }
  const release = join(build, 'Release');
  for (const name of readdirSync(release)) {
    if (!name.endsWith('.node')) rmSync(join(release, name), { recursive: true, force: true });
  }
}

function explain(fetched, compiled) {
  const why = compiled.said
    .split('\n')
    .filter((line) => /You need to install|stack Error|: not found|No such file|error:/i.test(line));
  return [
    'tandem: the SQLite driver cannot be made on this machine.',
    `  prebuilt: ${fetched.ok ? 'the one for this system does not load here' : lastLine(fetched.said)}`,
    `  compiled: ${(why.length === 0 ? [lastLine(compiled.said)] : why.slice(0, 3)).join('\n            ')}`,
    '  Compiling needs a C++ compiler, make and Python 3. Install them, then run the same command again:',
    ...HOW_TO_INSTALL[
      process.platform === 'win32' || process.platform === 'darwin' ? process.platform : 'linux'
    ],
  ].join('\n');
}

const HOW_TO_INSTALL = {
  linux: [
    '    Debian, Ubuntu   build/setup-system.sh   or: sudo apt-get install g++ make python3',
    '    Fedora           sudo dnf install gcc-c++ make python3',
    '    Alpine           sudo apk add g++ make python3',
  ],
  darwin: ['    xcode-select --install'],
  win32: ['    Visual Studio Build Tools with "Desktop development with C++", and Python 3'],
};

function lastLine(text) {
  return text.trim().split('\n').at(-1) || 'no answer';
}

module.exports = { makeSqlite, CannotMake };
