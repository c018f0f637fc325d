/**
 * Code that makes a person the first user of a gateway, and so its owner: only readers of the gateway's terminal or
 * data folder have the code. Every start makes a new one; programs of the gateway's own user need none.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { sha256Hex } from './secret-text.ts';

const CODE_BYTES = 16;
const OWNER_ONLY = 0o600;

/** Evidence from a caller who wants to become the first user. */
export interface Newcomer {
  readonly setupCode?: string | undefined;
  /** True: the caller is a program of the user who runs the gateway. */
  readonly isOwnPeer?: boolean;
}

export type NewcomerError = { readonly kind: 'code_missing' } | { readonly kind: 'code_wrong' };

export interface SetupCode {
  /** null: no code is needed, because there is a user or no file for the code. */
  readonly code: string | null;
  /** null: the caller may become the first user. */
  refusal(newcomer: Newcomer): NewcomerError | null;
  /** Voids the code and removes its file, once there is a user. */
  end(): void;
  /** Removes the code's file when the gateway stops. */
  close(): void;
}

/**
 * Writes the code into `file` (mode 0600); a code that an earlier start left there is removed. `file` null: no code.
 * @throws the system's error when the file cannot be written
 */
export function createSetupCode(isNeeded: boolean, file: string | null): SetupCode {
  let code: string | null = null;
  if (file !== null) {
    if (isNeeded) {
      code = randomBytes(CODE_BYTES).toString('hex');
      keep(file, code);
    } else removeFile();
  }
  function removeFile(): void {
    if (file !== null) rmSync(file, { force: true });
  }
  return {
    get code() {
      return code;
    },
    refusal({ setupCode, isOwnPeer = false }) {
      if (code === null || isOwnPeer) return null;
      if (setupCode === undefined) return { kind: 'code_missing' };
      return isSame(setupCode, code) ? null : { kind: 'code_wrong' };
    },
    end() {
      code = null;
      removeFile();
    },
    // The code stays valid in memory: requests that are running are answered to the end.
    close: removeFile,
  };
}

/** Writes a draft and renames it: no reader sees half a code, and an old file's mode is not inherited. */
function keep(file: string, code: string): void {
  const draft = `${file}.${process.pid}.tmp`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${code}\n`, { mode: OWNER_ONLY, flag: 'wx' });
  renameSync(draft, file);
}

/** Compares in constant time. A code copied from a terminal may have spaces around it. */
function isSame(given: string, code: string): boolean {
  return timingSafeEqual(Buffer.from(sha256Hex(given.trim().toLowerCase())), Buffer.from(sha256Hex(code)));
}
