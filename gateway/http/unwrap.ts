/** Converts the engine's results into replies and errors of handlers. */

import { BusinessError } from '../call/errors.ts';
import type { Result } from '../domain/result.ts';
import type { EngineError } from '../engine/core/errors.ts';
import type { Answered } from '../engine/core/idempotency.ts';

export function unwrap<T>(result: Result<T, EngineError>): T {
  if (result.ok) return result.value;
  throw new BusinessError(result.error.code, result.error.message, result.error.details);
}

export const REPLAYED = { 'idempotency-replayed': 'true' } as const;

/** Reply with the engine's JSON. `status`: 202 for an action that places orders at once, else 200. */
export function answeredReply<const Status extends 200 | 202>(
  answered: Answered,
  status: Status,
): {
  readonly status: Status;
  readonly json: string;
  readonly headers?: Readonly<Record<string, string>>;
} {
  const reply = { status, json: answered.json };
  return answered.replayed ? { ...reply, headers: REPLAYED } : reply;
}
