/** The shim that makes each fsync take longer, compiled on the spot where a C compiler and LD_PRELOAD are at hand. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BENCH_FOLDER } from './program-builder.ts';

const run = promisify(execFile);
const SOURCE = fileURLToPath(new URL('./native/slow-fsync.c', import.meta.url));

export type SlowDisk =
  | { readonly available: true; readonly env: Readonly<Record<string, string>> }
  | { readonly available: false; readonly reason: string };

/** Environment of a process whose fsync and fdatasync take `addedUs` microseconds longer. */
export async function slowDisk(addedUs: number): Promise<SlowDisk> {
  if (process.platform !== 'linux') return { available: false, reason: 'LD_PRELOAD needs Linux' };
  const library = join(BENCH_FOLDER, 'slow-fsync.so');
  try {
    await run('cc', ['-shared', '-fPIC', '-O2', '-o', library, SOURCE, '-ldl']);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { available: false, reason: `the shim could not be compiled: ${reason}` };
  }
  return { available: true, env: { LD_PRELOAD: library, SLOW_FSYNC_US: String(addedUs) } };
}
