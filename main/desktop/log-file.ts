/** The log of the gateway that the app runs: a file that is put aside when it is full. */
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MAX_BYTES = 5_000_000;
const KEPT = 3;

/** @returns appends text to the log; a log that cannot be written is no reason to stop */
export function openLogFile(folder: string, maxBytes = MAX_BYTES): (text: string) => void {
  const file = join(folder, 'gateway.log');
  let size: number | null = null;
  return (text) => {
    try {
      if (size === null) {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      }
      if (size > maxBytes) {
        for (let age = KEPT - 1; age >= 1; age -= 1) moveIfThere(`${file}.${age}`, `${file}.${age + 1}`);
        moveIfThere(file, `${file}.1`);
        size = 0;
      }
      appendFileSync(file, text, { mode: 0o600 });
      size += Buffer.byteLength(text);
    } catch {
      size = null;
    }
  };
}

function moveIfThere(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, to);
}
