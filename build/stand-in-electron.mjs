// Makes a folder that electron-builder takes for Electron for Linux, where the real one cannot be had: everything about
// a package but Electron itself can then be made and checked. Its program cannot run, and says so when started.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Mark before the fuses in Electron's binary (@electron/fuses); after it version 1, the number of fuses, their states.
 */
const FUSE_MARK = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const FUSES = 8;

/** @param {string} folder made when it is missing */
export function makeStandInElectron(folder) {
  mkdirSync(join(folder, 'locales'), { recursive: true });
  mkdirSync(join(folder, 'resources'), { recursive: true });
  writeFileSync(join(folder, 'locales', 'en-US.pak'), '');
  writeFileSync(join(folder, 'version'), '');
  const says = 'echo "this package was made without Electron, to be looked at only" >&2; exit 1';
  const wire = Buffer.from([1, FUSES, ...Buffer.from('0'.repeat(FUSES))]);
  const program = join(folder, 'electron');
  writeFileSync(program, Buffer.concat([Buffer.from(`#!/bin/sh\n${says}\n# ${FUSE_MARK}`), wire]));
  chmodSync(program, 0o755);
}
