import type { Result } from '../../gateway/domain/result.ts';

/** Code of a refusal; `accepted` where there is none. */
export const codeOf = (result: Result<unknown, { readonly code: string }>): string =>
  result.ok ? 'accepted' : result.error.code;

/** Value of a result. Fails the test, with the error, where the result is one. */
export function unwrap<Value>(result: Result<Value, unknown>): Value {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}
