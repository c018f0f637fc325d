/** Tells a process from a later one that was given the same pid. */
import { readFileSync } from 'node:fs';

/** False only when there surely is no such process; one we may not signal is alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** A text that names this run of `pid` (boot and start time), or null where the system does not tell. */
export function processIdentity(pid: number): string | null {
  try {
    if (process.platform === 'linux') {
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The command name is in parentheses and may hold spaces; starttime is field 22, the 20th after it (proc(5)).
      const startTicks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
      return startTicks === undefined ? null : `${boot}:${startTicks}`;
    }
    if (process.platform === 'darwin') {
      // Loading it takes several milliseconds of every start, and only this system needs it.
      const { execFileSync } = process.getBuiltinModule('node:child_process');
      return (
        execFileSync('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null
      );
    }
  } catch {
    return null;
  }
  return null;
}
