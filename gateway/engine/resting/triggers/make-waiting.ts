/** Common steps of creating a pending trigger or ladder under an idempotency key. */
import type { Result } from '../../../domain/result.ts';
import { busy, type EngineError, notFound } from '../../core/errors.ts';
import type { Answered, Idempotency, MakeCommand } from '../../core/idempotency.ts';
import type { AcceptDeps } from '../../execution/start-execution.ts';

type Make = Parameters<Idempotency['run']>[1];

/**
 * Runs `make` once per key, while the account cannot be removed. Checks whose outcome can change with time (levels,
 * states) run in `make`, so that a repeated request gets its first answer.
 */
export function makeWaiting<Made>(
  deps: Pick<AcceptDeps, 'idempotency' | 'accepting' | 'accountOf' | 'state'>,
  command: MakeCommand<Made>,
  make: Make,
): Promise<Result<Answered, EngineError>> {
  return deps.idempotency.run(command.idempotency, async (record) => {
    if (!deps.accepting()) return busy('The gateway is stopping', { reason: 'STOPPING' });
    const leave = deps.state.claims.enter(command.account.id);
    if (leave === null || deps.accountOf(command.account.id) === undefined) {
      leave?.();
      return notFound('Trade account');
    }
    try {
      return await make(record);
    } finally {
      leave();
    }
  });
}
