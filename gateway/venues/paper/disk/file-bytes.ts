/** Complete reads and writes at a file position, because one system call may transfer only part of the bytes. */
import { readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

const MODE = 0o600;

/** @throws when the disk accepts no more; the bytes written so far stay */
export async function writeAt(file: FileHandle, data: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < data.length; ) {
    const { bytesWritten } = await file.write(data, done, data.length - done, position + done);
    done += bytesWritten;
  }
}

/** Returns fewer bytes than `length` only at the end of the file. */
export async function readAt(file: FileHandle, length: number, position: number): Promise<Buffer> {
  const data = Buffer.allocUnsafeSlow(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(data, done, length - done, position + done);
    if (bytesRead === 0) return data.subarray(0, done);
    done += bytesRead;
  }
  return data;
}

/** Like `readAt`, but synchronous: for a few kilobytes that are needed to answer a request. */
export function readNow(file: FileHandle, length: number, position: number): Buffer {
  const data = Buffer.allocUnsafeSlow(length);
  for (let done = 0; done < length; ) {
    const read = readSync(file.fd, data, done, length - done, position + done);
    if (read === 0) return data.subarray(0, done);
    done += read;
  }
  return data;
}

/** Opens a file, made if missing, for writes at positions: a file opened for appending ignores positions. */
export async function openForWriting(path: string): Promise<FileHandle> {
  const made = await open(path, 'a', MODE);
  await made.close();
  return open(path, 'r+');
}
