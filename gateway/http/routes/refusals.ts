/** Refusals that several routes share. */
import type { StoreError } from '../../engine/ports/unit-of-work.ts';
import { BusinessError } from '../handler.ts';

export function notFound(what: string): BusinessError {
  return new BusinessError('RESOURCE_NOT_FOUND', `${what} not found`);
}

/** The record that was looked for; throws when there is none. */
export function found<T>(record: T | null, what: string): T {
  if (record === null) throw notFound(what);
  return record;
}

/** Refusal after a failed write; nothing has changed. The database's error text stays in the log. */
export function notSaved(error: StoreError): BusinessError {
  return new BusinessError('DATABASE_ERROR', 'The gateway cannot write to its database', {
    retry: error.kind === 'unavailable',
  });
}
