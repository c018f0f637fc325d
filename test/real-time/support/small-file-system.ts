/** A file system in memory that is full at once: mounted on a folder, filled, unmounted. */
import { spawnSync } from 'node:child_process';
import { appendFile } from 'node:fs/promises';

/** Enough for the database and the other files, little enough to be filled at once. */
const FILE_SYSTEM_SIZE = '6m';
const LARGEST_STEP_BYTES = 1024 * 1024;

/** False: this machine does not let us. Root can. */
export function mount(folder: string): boolean {
  const options = ['-t', 'tmpfs', '-o', `size=${FILE_SYSTEM_SIZE},mode=0700`, 'tmpfs', folder];
  return spawnSync('mount', options).status === 0;
}

/** @throws Error while a file of it is open */
export function unmount(folder: string): void {
  const { status, stderr } = spawnSync('umount', [folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`umount ${folder}: ${stderr}`);
}

/** Takes every free byte. @param ballast path of a file in the file system, to be removed afterwards */
export async function fill(ballast: string): Promise<void> {
  for (let bytes = LARGEST_STEP_BYTES; bytes >= 1; ) {
    try {
      await appendFile(ballast, Buffer.alloc(bytes));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      bytes = Math.floor(bytes / 2);
    }
  }
}
