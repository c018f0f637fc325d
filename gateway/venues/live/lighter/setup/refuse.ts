/** Refusals of account set-up, also as refusals of the credentials of a connecting account. */
import { fail, type Result } from '../../../../domain/result.ts';
import type { CredentialRefusal } from '../../../../engine/ports/venue.ts';
import type { SetupError } from '../../../../engine/ports/venue-setup.ts';
import type { WrongField } from '../access.ts';

export function invalid(path: string, message: string): Result<never, SetupError> {
  return fail({ kind: 'invalid', path, message });
}

export function wrong({ path, message }: WrongField): Result<never, SetupError> {
  return invalid(path, message);
}

/** @param path of the refused field, if the venue does not name it */
export function asCredentialRefusal(error: SetupError, path: string): Result<never, CredentialRefusal> {
  switch (error.kind) {
    case 'invalid':
      return fail({ kind: 'refused', path: error.path, message: error.message });
    case 'throttled':
      return fail({ kind: 'throttled', message: error.message, retryAt: error.retryAt });
    case 'unsupported':
      return fail({ kind: 'unsupported', message: error.message });
    case 'not_ready':
    case 'unknown':
      return fail({ kind: 'unknown', message: error.message });
    default:
      return fail({ kind: 'refused', path, message: error.message });
  }
}
