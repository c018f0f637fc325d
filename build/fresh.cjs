// What has to be made before the program runs: whether what was built is older than what it is built from (only where the
// sources are: an installed program has none), and whether the driver of the database has its binary.
const { createHash } = require('node:crypto');
const { existsSync, readdirSync, readFileSync, statSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join, resolve } = require('node:path');

const ROOT = resolve(__dirname, '..');

/** What each needs: files that are there once it is built, the last of which says when, and what it is built from. */
const PARTS = {
  gateway: {
    made: ['dist/gateway.cjs', 'dist/renderer/index.html', 'dist/build.json'],
    sources: [
      'gateway',
      'renderer',
      'package.json',
      'package-lock.json',
      'build/bundle.mjs',
      'build/vite.config.mjs',
    ],
  },
  shell: {
    made: ['dist/main/main.cjs', 'dist/main/preload.cjs', 'dist/main/icon.icns'],
    sources: [
      'main',
      'gateway/contract',
      'gateway/system',
      'gateway/http/consent',
      'renderer/styles/tokens.css',
      'package-lock.json',
      'build/bundle-shell.mjs',
      'build/icons.mjs',
    ],
  },
};

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

/** The packages of the desktop app lie in main/, one of its sources. */
function namesIn(folder) {
  return readdirSync(folder).filter((name) => name !== 'node_modules');
}

/**
 * Hash of the sources themselves. A copy of the folder has new times, so where nothing can be built this says whether the
 * program that is there is the one of these sources.
 * @param {'gateway' | 'shell'} part
 */
exports.fingerprint = (part) => {
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

/** Where the driver of the database is installed, here or (as a package of another folder) further up; null: nowhere. */
exports.sqliteFolder = () => {
  try {
    return dirname(createRequire(join(ROOT, 'package.json')).resolve('sqlite3/package.json'));
  } catch {
    return null;
  }
};

/** Beside the driver while its binary is being made: one that is there all the same may be half of one. */
exports.MAKING = '.tandem-making';
exports.SQLITE_BINARY = join('build', 'Release', 'node_sqlite3.node');

/** Made by build/native.cjs: after an installation, or (where npm was to run no scripts) before the first start. */
exports.lacksSqliteBinary = () => {
  const folder = exports.sqliteFolder();
  if (folder === null) return false;
  return !existsSync(join(folder, exports.SQLITE_BINARY)) || existsSync(join(folder, exports.MAKING));
};
