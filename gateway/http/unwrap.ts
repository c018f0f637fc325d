/** From the engine's values to what a handler returns or throws. */
import type { Result } from '../domain/result.ts';
import type { EngineError } from '../engine/core/errors.ts';
import type { Answered } from '../engine/core/idempotency.ts';
import { BusinessError } from './handler.ts';

export function unwrap<T>(result: Result<T, EngineError>): T {
  if (result.ok) return result.value;
  throw new BusinessError(result.error.code, result.error.message, result.error.details);
}

export const REPLAYED = { 'idempotency-replayed': 'true' } as const;

/** 202 for what places orders, 200 for what waits. */
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
