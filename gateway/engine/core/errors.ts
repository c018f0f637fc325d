/** Refusals of the engine, as values with the service specification's codes. `http/` makes the API form of each. */
import type { LimitProblem } from '../../domain/account-limits.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { StoreError } from '../ports/unit-of-work.ts';
import type { VenueError } from '../ports/venue.ts';

export type Refusable<T> = Promise<Result<T, EngineError>>;

export interface EngineError {
  readonly code:
    | 'VALIDATION_ERROR'
    | 'RESOURCE_NOT_FOUND'
    | 'RESOURCE_BUSY'
    | 'NOOP_ERROR'
    | 'SYNC_CREATE_EXECUTION_IN_FLIGHT'
    | 'SYNC_CREATE_EXECUTION_JUST_SETTLED'
    | 'SYNC_CREATE_FILLS_TOO_RECENT'
    | 'SYNC_CREATE_CLOID_ALREADY_PROVISIONAL'
    | 'DATABASE_ERROR'
    | 'CONFIGURATION_ERROR'
    | 'NOT_IMPLEMENTED_ERROR'
    | 'AUTO_REBALANCE_POSITION_NOT_FOUND'
    | 'AUTO_REBALANCE_CONFIG_NOT_FOUND'
    | 'AUTO_REBALANCE_POSITION_NOT_OPEN'
    | 'AUTO_REBALANCE_ACTIVE_CONFIG_EXISTS'
    | 'AUTO_REBALANCE_INVALID_LIVE_BETA_EXPOSURE'
    | 'AGENT_LIMIT'
    | LimitProblem['code'];
  readonly message: string;
  readonly details:
    | readonly { readonly path: string; readonly message: string; readonly code: string }[]
    | Readonly<Record<string, unknown>>;
}

/** Result of a check: null, or the reason for a refusal. */
export type Checked = Result<null, EngineError>;
export const FINE: Checked = ok(null);

export function invalid(path: string, message: string, code = 'custom') {
  return fail<EngineError>({
    code: 'VALIDATION_ERROR',
    message: 'Validation error',
    details: [{ path, message, code }],
  });
}

export function notFound(what: string) {
  return fail<EngineError>({ code: 'RESOURCE_NOT_FOUND', message: `${what} not found`, details: {} });
}

export function busy(message: string, details: Readonly<Record<string, unknown>> = {}) {
  return fail<EngineError>({ code: 'RESOURCE_BUSY', message, details });
}

export function noop(message: string) {
  return fail<EngineError>({ code: 'NOOP_ERROR', message, details: {} });
}

/** True: the account is not armed, or not for this caller. Waiting does not resolve it. */
export function isUnarmed({ code }: EngineError): boolean {
  return code === 'ACCOUNT_NOT_ARMED' || code === 'CALLER_NOT_ALLOWED';
}

/** Advice for the caller when the disk accepts no writes. */
export const CANNOT_WRITE =
  'The gateway cannot write to its database, so nothing was done: free some space on the disk of the data folder and try again; nothing has to be restarted. What cannot wait is closed at the venue itself';

/** A conflict comes from the caller: the same request was sent twice at once. */
export function storeFailed(error: StoreError) {
  if (error.kind === 'conflict') return busy('The record exists already', { reason: 'CONFLICT' });
  return fail<EngineError>({ code: 'DATABASE_ERROR', message: CANNOT_WRITE, details: { retry: true } });
}

/** Refusal while a connector has not sent its instruments yet, so that no symbol can be checked. */
export function marketsUnknown() {
  return venueFailed({ kind: 'not_ready', message: "the venue's instruments are not known" });
}

export function venueFailed(error: VenueError) {
  switch (error.kind) {
    case 'rejected':
      return fail<EngineError>({ code: 'VALIDATION_ERROR', message: error.message, details: {} });
    case 'unsupported':
      return fail<EngineError>({ code: 'NOT_IMPLEMENTED_ERROR', message: error.message, details: {} });
    case 'throttled':
      return fail<EngineError>({
        code: 'RESOURCE_BUSY',
        message: 'The venue takes no more requests at the moment',
        details: { reason: 'VENUE_LIMIT', retryAt: error.retryAt },
      });
    case 'not_ready':
      return fail<EngineError>({
        code: 'CONFIGURATION_ERROR',
        message: `Not yet: ${error.message}`,
        details: { reason: 'NOT_READY', retry: true },
      });
    case 'auth':
      return fail<EngineError>({
        code: 'CONFIGURATION_ERROR',
        message: `The venue refuses the account's credentials: ${error.message}`,
        details: { reason: 'INVALID_CREDENTIALS' },
      });
    case 'unknown':
      return fail<EngineError>({
        code: 'CONFIGURATION_ERROR',
        message: 'The venue did not answer',
        details: { retry: true },
      });
  }
}
