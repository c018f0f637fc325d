// What npm itself does not keep in package-lock.json, written after every change of the packages: `npm run lock`.
// - No install script of a package runs. Every npm since 7 runs those that the lock file marks (`hasInstallScript`), and
//   node-gyp for packages with a binding.gyp unless they say `gypfile: false`; only the newest ones know a list of the
//   allowed (`allowScripts`). Nothing here needs one: esbuild, swc and keytar bring their binaries in their npm packages,
//   and the driver of the database is made by our own script (build/native.cjs), which says what is missing.
// - No address: the packages come from the registry that whoever installs has set.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const LOCK = 'package-lock.json';

/** The text of a lock file as it has to be; `hasGyp` tells whether a package has a binding.gyp. */
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
  // Electron's own installer is asked for by `npm run desktop`, and main/.npmrc keeps the others from running.
  const file = join(ROOT, LOCK);
  writeFileSync(
    file,
    leanLock(readFileSync(file, 'utf8'), (path) => existsSync(join(ROOT, path, 'binding.gyp'))),
  );
}
