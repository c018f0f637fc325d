/** Where the program is installed, and how it is called from a shell. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BUILD = fileURLToPath(
  new URL(import.meta.url.endsWith('.cjs') ? '../build/' : '../../build/', import.meta.url),
);

/** Path of the launcher, or of what makes the database's driver (null in the packaged app, which brings it). */
export function programFile(name: 'tandem.cjs' | 'native.cjs'): string | null {
  const file = join(BUILD, name);
  return existsSync(file) ? file : null;
}

/**
 * `tandem` where a shell finds this very program by that name (npm link, npm install -g), else what works everywhere. Never
 * `npx tandem`: outside of this folder it would fetch a stranger's package of that name.
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
    // The first one counts, whatever it is.
    return leadsTo(file, launcher, isWindows) ? 'tandem' : calledByPath(launcher, isWindows);
  }
  return calledByPath(launcher, isWindows);
}

function calledByPath(launcher: string, isWindows: boolean): string {
  return isWindows ? `node "${launcher}"` : `node '${launcher.replaceAll("'", "'\\''")}'`;
}

/** npm makes a link, on Windows a script that names the package. */
function leadsTo(file: string, launcher: string, isWindows: boolean): boolean {
  try {
    return isWindows
      ? readFileSync(file, 'utf8').includes('tandem-gateway')
      : realpathSync(file) === realpathSync(launcher);
  } catch {
    return false;
  }
}
