/** Identity of a process, which tells it from a later process with the same pid. */
import { readFileSync } from 'node:fs';
import { withoutSettings } from './child-environment.ts';

/** States zombie and dead: the process has ended, but its parent has not reaped it (proc(5)). */
const ENDED_STATES = new Set(['Z', 'X', 'x']);

/**
 * False only when there surely is no such process, or it has ended and waits for its parent to reap it. A process that
 * may not be signalled is alive.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
  return !hasEnded(pid);
}

function hasEnded(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return ENDED_STATES.has(statFields(pid)[0] ?? '');
  } catch {
    return false;
  }
}

/** Fields of `stat` from the third on: the second, the command name, may hold spaces and parentheses (proc(5)). */
function statFields(pid: number): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** A text that names this run of `pid` (boot and start time), or null where the system does not tell them. */
export function processIdentity(pid: number): string | null {
  try {
    if (process.platform === 'linux') {
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      // `starttime` is field 22 of `/proc/<pid>/stat`; the list here begins with field 3.
      const startTicks = statFields(pid)[19];
      return startTicks === undefined ? null : `${boot}:${startTicks}`;
    }
    if (process.platform === 'darwin') {
      // `child_process` is loaded only on macOS: loading it takes several milliseconds of every start.
      const { execFileSync } = process.getBuiltinModule('node:child_process');
      return (
        execFileSync('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], {
          encoding: 'utf8',
          env: withoutSettings(process.env),
        }).trim() || null
      );
    }
  } catch {
    return null;
  }
  return null;
}
