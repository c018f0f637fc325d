/** Refusals of the protocol endpoints and their body shape. The service description has the same texts. */
import type { OAuthErrorBody } from '../contract/oauth-protocol.ts';

export interface OAuthFailure {
  readonly status: 400 | 401 | 500;
  readonly error: string;
  readonly description: string;
}

/** One check of a request: null lets it pass. */
export type Check<Facts> = (facts: Facts) => OAuthFailure | null;

/** The first refusal, in the order of the list. */
export function firstFailure<Facts>(checks: readonly Check<Facts>[], facts: Facts): OAuthFailure | null {
  for (const check of checks) {
    const failure = check(facts);
    if (failure !== null) return failure;
  }
  return null;
}

export function invalidRequest(description: string): OAuthFailure {
  return { status: 400, error: 'invalid_request', description };
}

/** Refusal of a parameter that is missing, repeated or malformed. */
export function badParameter(name: string): OAuthFailure {
  return invalidRequest(`Check the \`${name}\` parameter`);
}

export function invalidGrant(description: string): OAuthFailure {
  return { status: 400, error: 'invalid_grant', description };
}

export const INVALID_CLIENT: OAuthFailure = {
  status: 401,
  error: 'invalid_client',
  description: 'Client authentication failed',
};

/** The database did not take the write: nothing has changed and asking again may succeed. */
export const NOT_SAVED: OAuthFailure = {
  status: 500,
  error: 'server_error',
  description: 'The gateway cannot write to its database',
};

export function failureBody(failure: OAuthFailure): OAuthErrorBody {
  return {
    status: failure.status,
    message: `${failure.error}: ${failure.description}`,
    error: failure.error,
    error_description: failure.description,
  };
}
