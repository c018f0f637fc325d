import type { Result } from '../../gateway/domain/result.ts';

/** Value of a result. Fails the test, with the error, where the result is one. */
export function unwrap<Value>(result: Result<Value, unknown>): Value {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}
