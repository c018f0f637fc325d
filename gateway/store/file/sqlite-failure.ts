/** Meaning of SQLite driver errors for a unit of work. Result codes: https://sqlite.org/rescode.html */
import type { StoreError } from '../../engine/ports/unit-of-work.ts';

export interface DriverError extends Error {
  readonly code: string;
}

export function isDriverError(error: unknown): error is DriverError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

const UNAVAILABLE: ReadonlySet<string> = new Set([
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_READONLY',
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_CANTOPEN',
  'SQLITE_PROTOCOL',
  'SQLITE_PERM',
  'SQLITE_NOMEM',
  'SQLITE_CORRUPT',
  'SQLITE_NOTADB',
]);

/** Messages of a record that may not be written any more: its key is taken, or an approval has ended (migration 19). */
const CONFLICTS = ['UNIQUE constraint failed', 'The approval has ended'];

/**
 * null: neither such a conflict nor a disk failure, so a bug in the calling code (a missing parent row, a wrong
 * type).
 */
export function storeErrorOf(error: unknown): StoreError | null {
  if (!isDriverError(error)) return null;
  if (error.code === 'SQLITE_CONSTRAINT' && CONFLICTS.some((text) => error.message.includes(text))) {
    return { kind: 'conflict', message: error.message };
  }
  return UNAVAILABLE.has(error.code) ? { kind: 'unavailable', message: error.message } : null;
}

/**
 * True when one unit may have caused the whole batch's failure. A full disk counts as such: a smaller unit may still
 * fit. Other disk errors concern the file, and retrying every unit of the batch would only take longer.
 */
export function mayBeOneUnit(error: unknown): boolean {
  if (!isDriverError(error)) return true;
  return error.code === 'SQLITE_FULL' || !UNAVAILABLE.has(error.code);
}
