// Tells what must be made before the program runs: whether a build is older than its sources (only where the sources
// are: an installed program has none), and whether the driver of the database has its binary.
const { existsSync, readdirSync, readFileSync, statSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join, resolve } = require('node:path');

const ROOT = resolve(__dirname, '..');

/**
 * `made`: files that a build leaves, the last of which has its time; `sources`: files that it is built from.
 */
const PARTS = {
  gateway: {
    made: [
      'dist/gateway.cjs',
      'dist/renderer/index.html',
      'dist/consent/consent.html',
      'gateway/client/python/tandem_client/_sync.py',
      'dist/build.json',
    ],
    sources: [
      'gateway',
      'gateway/client/python/tandem_client/_async.py',
      'gateway/client/python/tandem_client/_async_lists.py',
      'renderer',
      'package.json',
      'package-lock.json',
      'build/bundle.mjs',
      'build/python-client.ts',
      'build/python-routes.ts',
      'build/python-schemas.ts',
      'build/python-sync.ts',
      'build/vite.config.mjs',
      'build/consent.config.mjs',
    ],
  },
  shell: {
    made: ['dist/main/main.cjs', 'dist/main/preload.cjs', 'dist/main/icon.icns'],
    sources: [
      'main',
      'gateway/contract',
      'gateway/system',
      'renderer/icon.svg',
      'renderer/styles',
      'package-lock.json',
      'build/bundle-shell.mjs',
      'build/icons.mjs',
    ],
  },
};

/**
 * True: the sources of the program are here. The entry of its bundle tells: an archive has a folder `gateway` too, with
 * the Python library.
 */
exports.hasSources = () => existsSync(join(ROOT, 'gateway', 'cli.ts'));

/** @param {'gateway' | 'shell'} part */
exports.isStale = (part) => {
  const { made, sources } = PARTS[part];
  if (!made.every((name) => existsSync(join(ROOT, name)))) return true;
  const built = statSync(join(ROOT, made.at(-1))).mtimeMs;
  return sources.some((name) => isNewer(join(ROOT, name), built));
};

/** The time of a folder counts too: a removed or renamed file changes only that. */
function isNewer(path, time) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (stats.mtimeMs > time) return true;
  return stats.isDirectory() && namesIn(path).some((name) => isNewer(`${path}/${name}`, time));
}

/**
 * Names in a folder, but for `node_modules` (the packages of the desktop app lie in main/, one of its sources) and the
 * Python library, whose sources `PARTS` names, because Python leaves files of its own there whenever it runs.
 */
function namesIn(folder) {
  return readdirSync(folder).filter((name) => name !== 'node_modules' && name !== 'python');
}

/**
 * Hash of the sources themselves. A copy of the folder has new times, so where nothing can be built the hash tells
 * whether the built program belongs to these sources.
 * @param {'gateway' | 'shell'} part
 */
exports.fingerprint = (part) => {
  // Loaded here: a start with a fresh build, nearly every one, needs no hash.
  const { createHash } = require('node:crypto');
  const hash = createHash('sha256');
  for (const name of PARTS[part].sources) addTo(hash, name);
  return hash.digest('hex');
};

function addTo(hash, name) {
  const path = join(ROOT, name);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (stats.isDirectory()) for (const child of namesIn(path).sort()) addTo(hash, `${name}/${child}`);
  else hash.update(`${name}\0${stats.size}\0`).update(readFileSync(path));
}

/**
 * Folder of the database driver, installed here or (as a package of another folder) further up; null: not installed.
 */
exports.sqliteFolder = () => {
  try {
    return dirname(createRequire(join(ROOT, 'package.json')).resolve('sqlite3/package.json'));
  } catch {
    return null;
  }
};

/** File beside the driver while its binary is being made: a binary beside such a file may be incomplete. */
exports.MAKING = '.tandem-making';
exports.SQLITE_BINARY = join('build', 'Release', 'node_sqlite3.node');

/**
 * True: the driver lacks its binary. build/native.cjs makes it: after an installation, or (where npm was to run no
 * scripts) before the first start.
 */
exports.lacksSqliteBinary = () => {
  const folder = exports.sqliteFolder();
  if (folder === null) return false;
  return !existsSync(join(folder, exports.SQLITE_BINARY)) || existsSync(join(folder, exports.MAKING));
};
