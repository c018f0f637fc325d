/** Where the program is installed, and how it is called from a shell. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BUILD = fileURLToPath(
  new URL(import.meta.url.endsWith('.cjs') ? '../build/' : '../../build/', import.meta.url),
);

/**
 * Path of the launcher, or of the script that makes the database driver (null in the packaged app, which brings the
 * driver).
 */
export function programFile(name: 'tandem.cjs' | 'native.cjs'): string | null {
  const file = join(BUILD, name);
  return existsSync(file) ? file : null;
}

/**
 * `tandem` where a shell finds this very program by that name (npm link, npm install -g), else `node` with its path.
 * Never `npx tandem`: outside of this folder that would fetch a stranger's package of the same name.
 */
export function shellName(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string {
  const launcher = programFile('tandem.cjs');
  if (launcher === null) return 'tandem';
  const isWindows = platform === 'win32';
  for (const folder of (env['PATH'] ?? env['Path'] ?? '').split(delimiter)) {
    const file = join(folder, isWindows ? 'tandem.cmd' : 'tandem');
    if (folder === '' || !existsSync(file)) continue;
    // A shell runs the first `tandem` on its path, also a foreign one.
    return leadsTo(file, launcher, isWindows) ? 'tandem' : calledByPath(launcher, isWindows);
  }
  return calledByPath(launcher, isWindows);
}

function calledByPath(launcher: string, isWindows: boolean): string {
  return isWindows ? `node "${launcher}"` : `node '${launcher.replaceAll("'", "'\\''")}'`;
}

/**
 * True: the command found on the path runs this program's launcher: npm installs a link, on Windows a script that
 * names the package.
 */
function leadsTo(file: string, launcher: string, isWindows: boolean): boolean {
  try {
    return isWindows
      ? readFileSync(file, 'utf8').includes('tandem-gateway')
      : realpathSync(file) === realpathSync(launcher);
  } catch {
    return false;
  }
}
