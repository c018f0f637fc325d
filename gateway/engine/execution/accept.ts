/** Accepts an order-placing command: `startExecution` under its idempotency key. Answers after the commit. */
import type { Placed } from '../../domain/authority.ts';
import type { Execution, Position, TradeAccount } from '../../domain/model.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { ShownHeld } from '../../domain/shown-held.ts';
import type { EngineError } from '../core/errors.ts';
import type { Answered, IdempotentRequest } from '../core/idempotency.ts';
import type { AskedRequest } from '../ports/approval-desk.ts';
import { reducesPosition } from './basket-job.ts';
import { heldAsShown } from './held-as-shown.ts';
import { type AcceptDeps, type Intention, startExecution } from './start-execution.ts';

/** Answer to the caller; `http/` makes its text, which is committed for replays. */
export interface Accepted {
  readonly execution: Execution;
  readonly position: Position | null;
  /** Effect on the position's take-profit and stop-loss; null: none. */
  readonly brackets: NonNullable<Intention['brackets']> | null;
}

export interface OrderCommand {
  readonly account: TradeAccount;
  readonly idempotency: IdempotentRequest | null;
  /** JSON text of the answer. */
  readonly answer: (accepted: Accepted) => string;
  /** Worst prices that the caller agreed to, by instrument. Default none. */
  readonly worstPrices?: ReadonlyMap<string, string> | null;
  /** Quantities of a position that its preview showed. Default: the request was not previewed. */
  readonly shown?: ShownHeld | null;
  /** The request itself, if a mandate binds its caller. */
  readonly asked?: AskedRequest | null;
}

/** `decide` runs with the basket claimed, so the basket cannot change before the execution exists. */
export function acceptExecution(
  deps: AcceptDeps,
  placed: Placed,
  { account, idempotency, answer, worstPrices = null, asked = null, shown = null }: OrderCommand,
  basketKey: string,
  decide: () => Result<Intention, EngineError>,
): Promise<Result<Answered, EngineError>> {
  return deps.idempotency.run(idempotency, async (record) => {
    let json = '';
    const started = await startExecution(deps, {
      account,
      basketKey,
      placed,
      whenBusy: 'refuse',
      request: { asked },
      decide: () => {
        const same = heldAsShown(deps, { account, placed, asked }, shown);
        if (!same.ok) return same;
        const decided = decide();
        if (!decided.ok) return decided;
        const intention = worstPrices === null ? decided : ok({ ...decided.value, worstPrices });
        const { legs, totalUsd = null } = intention.value;
        // Skipped for a rebalance: only its plan knows which of its legs reduce.
        if (reducesPosition(intention.value) || intention.value.origin === 'REBALANCE') return intention;
        const armed = deps.limits.mayOpen(account, placed);
        const allowed = armed.ok ? deps.limits.mayAsk(account, legs, totalUsd, true) : armed;
        return allowed.ok ? intention : allowed;
      },
      commitWith: (execution, { position, brackets = null }) => {
        json = answer({ execution, position, brackets });
        return { idempotency: record(202, json, execution.createdAt) };
      },
    });
    if (started.ok) return ok({ status: 202, json, replayed: false });
    return fail(await deps.warden.told(started.error));
  });
}
