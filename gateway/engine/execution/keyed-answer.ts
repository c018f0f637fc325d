/**
 * `Idempotency-Key` of requests that are harmless to repeat: setting, cancelling, pausing, an order that the venue
 * recognises. The answer is stored after the work. If the process dies between the two, a repeat of the request does
 * the work again, which changes nothing.
 */
import { ok, type Result } from '../../domain/result.ts';
import type { EngineError } from '../core/errors.ts';
import type { Answered, IdempotentRequest } from '../core/idempotency.ts';
import type { AcceptDeps } from './start-execution.ts';

/** `work` throws to refuse the request; a refused request leaves its key free. */
export function keyedAnswer(
  deps: Pick<AcceptDeps, 'idempotency' | 'store' | 'clock' | 'logger'>,
  request: IdempotentRequest,
  work: () => Promise<Omit<Answered, 'replayed'>>,
): Promise<Result<Answered, EngineError>> {
  return deps.idempotency.run(request, async (record) => {
    const { status, json } = await work();
    const kept = await deps.store.commit({ idempotency: record(status, json, deps.clock.now()) });
    if (!kept.ok) {
      deps.logger.warn({ route: request.route, reason: kept.error.message }, 'a keyed answer was not kept');
    }
    return ok({ status, json, replayed: false });
  });
}
