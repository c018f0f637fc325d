// Whether what was built is older than what it is built from. Only where the sources are: an installed program has none.
const { existsSync, readdirSync, statSync } = require('node:fs');
const { join, resolve } = require('node:path');

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
  return stats.isDirectory() && readdirSync(path).some((name) => isNewer(`${path}/${name}`, time));
}
