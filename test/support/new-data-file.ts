/** Data files as the program makes them, made once a process and copied: that takes a fifth of making one. */
import { constants, copyFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../gateway/store/open-store.ts';
import { silentLogger } from './silent-logger.ts';

let made: Promise<string> | undefined;

async function make(): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'tandem-new-')), 'tandem.db');
  const clock = { now: () => 0 };
  const store = await openStore({ file, clock, logger: silentLogger, synchronous: 'OFF' });
  await store.close();
  return file;
}

/** Leaves a file that is there already. */
export async function newDataFile(file: string): Promise<void> {
  made ??= make();
  await copyFile(await made, file, constants.COPYFILE_EXCL).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}
