/** Tells a process from a later one that was given the same pid. */
import { readFileSync } from 'node:fs';
import { withoutSettings } from './child-environment.ts';

/** Zombie, dead: it has ended, and only its parent has not taken note of it (proc(5)). */
const ENDED_STATES = new Set(['Z', 'X', 'x']);

/**
 * False only when there surely is no such process, or it has ended and waits for its parent to take note; one we may not
 * signal is alive.
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

/** From the third field on: the command name is in parentheses and may hold spaces and parentheses (proc(5)). */
function statFields(pid: number): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** A text that names this run of `pid` (boot and start time), or null where the system does not tell. */
export function processIdentity(pid: number): string | null {
  try {
    if (process.platform === 'linux') {
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      // starttime is field 22.
      const startTicks = statFields(pid)[19];
      return startTicks === undefined ? null : `${boot}:${startTicks}`;
    }
    if (process.platform === 'darwin') {
      // Loading it takes several milliseconds of every start, and only this system needs it.
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
