// The packages of the desktop app, Electron and its builder. They have a lock file of their own (main/package.json), so
// that neither they nor their installers delay the installation of the gateway.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const requireIn = [join(ROOT, 'main', 'package.json'), join(ROOT, 'package.json')].map(createRequire);
export const HOW_TO_INSTALL = 'npm ci --prefix main';

/** @returns {string | null} path of a file of the desktop app's packages; null: they are not installed */
export function findDesktopFile(name) {
  for (const require of requireIn) {
    try {
      return require.resolve(name);
    } catch {
      // Not found here: the next folder is tried.
    }
  }
  return null;
}

/** @throws when the packages are not installed */
export function desktopFile(name) {
  const file = findDesktopFile(name);
  if (file === null)
    throw new Error(`the packages of the desktop app are not installed; run: ${HOW_TO_INSTALL}`);
  return file;
}

export function electronVersion() {
  return JSON.parse(readFileSync(desktopFile('electron/package.json'), 'utf8')).version;
}
