/** Refusals that several routes share. */

import { BusinessError } from '../../call/errors.ts';
import { CANNOT_WRITE } from '../../engine/core/errors.ts';
import type { StoreError } from '../../engine/ports/unit-of-work.ts';

export function notFound(what: string): BusinessError {
  return new BusinessError('RESOURCE_NOT_FOUND', `${what} not found`);
}

/** Returns the record; throws if there is none. */
export function found<T>(record: T | null, what: string): T {
  if (record === null) throw notFound(what);
  return record;
}

/** Refusal after a failed write; nothing has changed. The database's error text stays in the log. */
export function notSaved(error: StoreError): BusinessError {
  if (error.kind === 'conflict')
    return new BusinessError('RESOURCE_BUSY', 'The record exists already', { reason: 'CONFLICT' });
  return new BusinessError('DATABASE_ERROR', CANNOT_WRITE, { retry: true });
}
