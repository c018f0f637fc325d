/** Checks of Node, the native modules and the clock, which the program itself needs. */
import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { databaseFile } from '../../config.ts';
import { withoutSettings } from '../../system/child-environment.ts';
import { programFile } from '../program-files.ts';
import { newestSchemaTime } from './check-database.ts';
import { type Finding, findingsOf, messageOf } from './finding.ts';

const NODE_LEAST = [20, 19] as const;

const node = findingsOf('node');
const native = findingsOf('native modules');
const clock = findingsOf('clock');

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const enough = major > NODE_LEAST[0] || (major === NODE_LEAST[0] && minor >= NODE_LEAST[1]);
  if (enough) return node.fine(`version ${version}`);
  const least = NODE_LEAST.join('.');
  return node.bad(
    `version ${version} is too old, ${least} or later is needed`,
    `install Node ${least} or later from https://nodejs.org`,
  );
}

/** Each native part is loaded for real: a copied node_modules of another machine shows here. */
export async function checkNativeModules(
  parts: readonly (readonly [name: string, load: () => Promise<unknown>])[] = NATIVE_PARTS,
): Promise<Finding> {
  const broken: string[] = [];
  const names: string[] = [];
  for (const [name, load] of parts) {
    try {
      await load();
    } catch (error) {
      names.push(name);
      broken.push(`${name}: ${messageOf(error).split('\n')[0] ?? ''}`);
    }
  }
  if (broken.length === 0) return native.fine(parts.map(([name]) => name).join(', '));
  const maker = names.join() === 'sqlite3' && isInstalled('sqlite3') ? programFile('native.cjs') : null;
  return native.bad(`do not load: ${broken.join('; ')}`, maker === null ? 'npm ci' : `node '${maker}'`);
}

/** Check: npm installed the package. Its binary is made for this system at the first start. */
function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(`${name}/package.json`);
    return true;
  } catch {
    return false;
  }
}

const NATIVE_PARTS = [
  ['sqlite3', () => import('sqlite3')],
  ['@node-rs/argon2', () => import('@node-rs/argon2')],
] as const;

const SKEW_MS = 120_000;

/**
 * Signed requests, token expiry and schedules trust the clock: a clock that is years or minutes off breaks them
 * silently.
 */
export async function checkClock(now: number, dataDir: string): Promise<Finding> {
  const mend = 'sudo timedatectl set-ntp true (or switch on automatic time in the system settings)';
  const shown = Number.isFinite(now) ? new Date(now).toISOString() : String(now);
  if (now < newestSchemaTime()) return clock.bad(`${shown} is before this program was made`, mend);
  const file = databaseFile(dataDir);
  if (existsSync(file) && statSync(file).mtimeMs > now + SKEW_MS) {
    return clock.warn(`${shown} is before the database was last written: the clock went backwards`, mend);
  }
  if ((await ntpSynchronised()) === false) {
    return clock.warn(`${shown}; the system does not keep it in step with a time server`, mend);
  }
  return clock.fine(shown);
}

/** null: the system does not tell whether its clock is synchronised. */
async function ntpSynchronised(): Promise<boolean | null> {
  if (process.platform !== 'linux' || !existsSync('/run/systemd/system')) return null;
  try {
    const { stdout } = await promisify(execFile)(
      'timedatectl',
      ['show', '-p', 'NTPSynchronized', '--value'],
      { timeout: 3_000, env: withoutSettings(process.env) },
    );
    return stdout.trim() === '' ? null : stdout.trim() === 'yes';
  } catch {
    return null;
  }
}
