/** Query and form parameters after RFC 6749 §3.1 and §3.2: none repeated, an empty one counts as absent. */
import { fail, ok, type Result } from '../domain/result.ts';
import { badParameter, invalidRequest, type OAuthFailure } from './failure.ts';

/** The empty string stands for an absent parameter. */
export interface Parameters {
  get(name: string): string;
}

const SAFE_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/** @param raw result of the query or form parser: by name a text, or a list where the name came more than once */
export function readParameters(raw: unknown): Result<Parameters, OAuthFailure> {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return fail(invalidRequest('The request has no parameters'));
  }
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(raw)) {
    if (typeof value !== 'string') {
      return fail(SAFE_NAME.test(name) ? badParameter(name) : invalidRequest('A parameter is repeated'));
    }
    values.set(name, value);
  }
  return ok({ get: (name) => values.get(name) ?? '' });
}
