/**
 * Who may become the first user of a gateway, and with that its owner: whoever can read the terminal it was started on, or
 * its data folder. They have a code that is new at every start; programs of the same user are known without it.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { sha256Hex } from './secret-text.ts';

const CODE_BYTES = 16;
const OWNER_ONLY = 0o600;

/** What somebody who would be the first user shows. */
export interface Newcomer {
  readonly setupCode?: string | undefined;
  /** Known to be a program of the user whose gateway this is. */
  readonly isOwnPeer?: boolean;
}

export type NewcomerError = { readonly kind: 'code_missing' } | { readonly kind: 'code_wrong' };

export interface SetupCode {
  /** null: none is needed, or no more. */
  readonly code: string | null;
  /** null: welcome. */
  refusal(newcomer: Newcomer): NewcomerError | null;
  /** There is a user. */
  end(): void;
  /** The gateway stops. */
  close(): void;
}

/**
 * Writes the code into `file` (mode 0600), and removes one that an earlier start left there. null: no file, no code.
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
    // It is still asked for: requests are answered to the end.
    close: removeFile,
  };
}

/** Never half a code, and never the mode of a file that was there before. It needs to outlive no crash. */
function keep(file: string, code: string): void {
  const draft = `${file}.${process.pid}.tmp`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${code}\n`, { mode: OWNER_ONLY, flag: 'wx' });
  renameSync(draft, file);
}

/** In constant time. Copied from a terminal it may have spaces around it. */
function isSame(given: string, code: string): boolean {
  return timingSafeEqual(Buffer.from(sha256Hex(given.trim().toLowerCase())), Buffer.from(sha256Hex(code)));
}
