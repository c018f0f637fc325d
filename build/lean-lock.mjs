// Changes of package-lock.json that npm itself does not keep, made after every change of the packages: `npm run lock`.
// - No install script of a package runs. Every npm since 7 runs the scripts that the lock file marks
//   (`hasInstallScript`), and node-gyp for packages with a binding.gyp unless they say `gypfile: false`; only the
//   newest ones know a list of allowed scripts (`allowScripts`). No package needs one: esbuild, swc and keytar bring
//   their binaries in their npm packages, and our own script (build/native.cjs) makes the driver of the database and
//   says what is missing.
// - No address: packages come from the registry that the installing user has set.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const LOCK = 'package-lock.json';

/**
 * Text of a lock file without install scripts and addresses; `hasGyp` tells whether a package has a binding.gyp.
 */
export function leanLock(text, hasGyp) {
  const lock = JSON.parse(text);
  for (const [path, entry] of Object.entries(lock.packages)) {
    delete entry.resolved;
    delete entry.hasInstallScript;
    if (path !== '' && hasGyp(path)) entry.gypfile = false;
  }
  return `${JSON.stringify(lock, null, 2)}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  // The lock file of main/ stays as it is: `npm run desktop` runs Electron's installer, main/.npmrc stops all others.
  const file = join(ROOT, LOCK);
  writeFileSync(
    file,
    leanLock(readFileSync(file, 'utf8'), (path) => existsSync(join(ROOT, path, 'binding.gyp'))),
  );
}
