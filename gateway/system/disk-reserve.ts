/**
 * Bytes of a disk that are set aside while there is room, and given back when it is full, for the few writes that must
 * not wait: other programs, not the gateway, usually fill a disk.
 */
import { randomFillSync } from 'node:crypto';
import { statSync } from 'node:fs';
import { type FileHandle, open, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';

export const RESERVE_FILE = 'disk-reserve';

const MOST_BYTES = 16 * 1024 * 1024;
/** Share of the free space that is set aside at most. */
const SHARE = 1 / 8;
/** Less would not record the closing of a few baskets. */
const LEAST_BYTES = 256 * 1024;
const STEP_BYTES = 64 * 1024;

export interface DiskReserve {
  /** True from `release` until the bytes are set aside again. */
  readonly isOut: boolean;
  /** Sets the missing bytes aside. False: the disk is full, or refuses. */
  fill(): Promise<boolean>;
  /** Gives the bytes back. False: nothing was set aside. */
  release(): Promise<boolean>;
}

/** Bytes that the gateway may still write in the folder. Rejects if the system does not say. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** @param free bytes that may still be written in the folder */
export function createDiskReserve(folder: string, free = () => freeBytes(folder)): DiskReserve {
  const path = join(folder, RESERVE_FILE);
  let isThere = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= LEAST_BYTES;
  let isOut = false;
  let filling: Promise<boolean> | null = null;
  let releasing: Promise<boolean> | null = null;

  async function fill(): Promise<boolean> {
    const size = Math.min(MOST_BYTES, Math.floor((await free()) * SHARE));
    if (size < LEAST_BYTES) return false;
    const draft = `${path}.tmp`;
    let handle: FileHandle | null = null;
    try {
      handle = await open(draft, 'w', 0o600);
      // Random bytes, because a file system may store equal ones in no space.
      const step = randomFillSync(Buffer.allocUnsafe(STEP_BYTES));
      for (let written = 0; written < size; written += STEP_BYTES) {
        step.writeUInt32LE(written, 0);
        await handle.write(step);
      }
      await handle.sync();
      await handle.close();
      handle = null;
      await rename(draft, path);
    } catch {
      await handle?.close().catch(() => undefined);
      await rm(draft, { force: true }).catch(() => undefined);
      return false;
    }
    isThere = true;
    isOut = false;
    return true;
  }

  async function release(): Promise<boolean> {
    if (!isThere) return false;
    isThere = false;
    isOut = true;
    return rm(path, { force: true }).then(
      () => true,
      () => false,
    );
  }

  return {
    get isOut() {
      return isOut;
    },
    async fill() {
      if (isThere) return true;
      filling ??= fill()
        .catch(() => false)
        .finally(() => {
          filling = null;
        });
      return filling;
    },
    async release() {
      // Several orders find the disk full at once; each tries again.
      releasing ??= release().finally(() => {
        releasing = null;
      });
      return releasing;
    },
  };
}
