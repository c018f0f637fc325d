/** Refusals that a handler throws. `http/middleware/errors.ts` makes answers of them. */
import { BUSINESS_STATUS, type BusinessCode } from '../contract/error-codes.ts';
import type { ValidationDetail } from '../contract/errors.ts';
import type { AnswerHeaders } from './call.ts';

type BusinessDetails = readonly ValidationDetail[] | Readonly<Record<string, unknown>>;

/** A refusal in the business shape. */
export class BusinessError extends Error {
  readonly code: BusinessCode;
  readonly details: BusinessDetails;
  readonly status: number;
  constructor(code: BusinessCode, message: string, details: BusinessDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
    this.status = BUSINESS_STATUS[code];
  }
}

/** A refusal in the framework shape: authentication, guard, routing. */
export class FrameworkError extends Error {
  readonly status: number;
  readonly headers: AnswerHeaders;
  constructor(status: number, message: string, headers: AnswerHeaders = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

export function invalid(path: string, message: string, code = 'custom'): BusinessError {
  return new BusinessError('VALIDATION_ERROR', 'Validation error', [{ path, message, code }]);
}
