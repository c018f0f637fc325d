/** CPU time of another process from `/proc`. Where there is no such file (macOS, Windows) there is no figure. */
import { readdirSync, readFileSync } from 'node:fs';

export interface CpuTime {
  /** CPU time of the main thread, in which the event loop runs, µs. */
  readonly loopUs: number;
  /** CPU time of all live threads, including the driver's thread pool, garbage collection and compilation, µs. */
  readonly allUs: number;
}

/** `schedstat` begins with the nanoseconds that the thread has spent on a CPU. */
function schedstatUs(path: string): number {
  return Number(readFileSync(path, 'utf8').split(' ')[0]) / 1_000;
}

export function cpuTime(pid: number): CpuTime | null {
  try {
    let allUs = 0;
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      allUs += schedstatUs(`/proc/${pid}/task/${thread}/schedstat`);
    }
    return { loopUs: schedstatUs(`/proc/${pid}/schedstat`), allUs };
  } catch {
    return null;
  }
}

export function cpuBetween(before: CpuTime | null, after: CpuTime | null): CpuTime | null {
  if (before === null || after === null) return null;
  return { loopUs: after.loopUs - before.loopUs, allUs: after.allUs - before.allUs };
}

/** Resident memory in bytes; null where `/proc` has no such file. */
export function residentBytes(pid: number): number | null {
  try {
    const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line === null ? null : Number(line[1]) * 1_024;
  } catch {
    return null;
  }
}
