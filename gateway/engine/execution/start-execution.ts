/**
 * Starts an execution that no HTTP call asked for: a trigger fired, a slice is due, a drift is traded away. The IDLE
 * execution commits together with what led to it, and runs when its basket is free. From that commit on it is promised: a
 * restart runs it if nothing was sent yet.
 *
 * How it ended is told to those who registered with `FollowUps`, in the unit of the end.
 */
import type { Placed } from '../../domain/authority.ts';
import { dec } from '../../domain/decimal.ts';
import type { Execution, TradeAccount, TradeLeg } from '../../domain/model.ts';
import { ok, type Result } from '../../domain/result.ts';
import { busy, type EngineError, notFound, storeFailed } from '../core/errors.ts';
import { mayOpen } from '../core/may-open.ts';
import { oneUnit } from '../core/unit-parts.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import { type AcceptDeps, executionOf, type Intention, storedSetup } from './accept.ts';
import { askOf, reducesPosition } from './basket-job.ts';

export interface StartExecution {
  readonly account: TradeAccount;
  readonly basketKey: string;
  /** By whom what led to it was placed. */
  readonly placed: Placed;
  /**
   * A basket that is busy: `refuse` answers RESOURCE_BUSY and commits nothing, so that the caller can try again; `wait`
   * commits at once and runs in its turn, with intent, position and quantities as they are then.
   */
  readonly whenBusy: 'refuse' | 'wait';
  /** With `refuse` it runs with the basket claimed, so what it reads cannot change before the execution exists. */
  readonly decide: () => Result<Intention, EngineError>;
  /** Committed in the same unit as the execution. */
  readonly commitWith: (execution: Execution) => UnitOfWork;
  /** Called right after the commit and before the execution runs: memory follows the disk. Must not throw. */
  readonly committed?: (execution: Execution) => void;
}

/** Errors: RESOURCE_BUSY (also while trading is paused), NOOP_ERROR (who placed it was cut off), RESOURCE_NOT_FOUND (the account is gone), DATABASE_ERROR, and those of `decide`. Nothing is left behind. */
export async function startExecution(
  deps: AcceptDeps,
  asked: StartExecution,
): Promise<Result<Execution, EngineError>> {
  const { account, basketKey } = asked;
  if (!deps.accepting()) return busy('The gateway is stopping', { reason: 'STOPPING' });
  if (deps.accountOf(account.id) === undefined) return notFound('Trade account');
  // The turn is taken before the commit: executions of one basket run in the order in which they were decided.
  const turn = deps.book.takeTurn(account.id, basketKey, asked.whenBusy);
  if (!turn.ok) {
    return busy('Another action on this basket or account is still running', { heldBy: turn.error });
  }
  let isTaken = false;
  try {
    const intention = asked.decide();
    if (!intention.ok) return intention;
    const allowed = intention.value.reduces ? ok(null) : mayOpen(deps, account.userId, asked.placed);
    if (!allowed.ok) return allowed;
    const { totalUsd } = intention.value;
    const legs = intention.value.legs.map((leg) => withoutWeight(leg, totalUsd));
    const execution = executionOf(deps, account, basketKey, { ...intention.value, legs }, asked.placed);
    const setup = intention.value.setup ?? null;
    const committed = await deps.store.commit(
      oneUnit(asked.commitWith(execution), {
        newExecutions: [execution],
        positionSetups: setup === null ? [] : [storedSetup(setup, execution)],
      }),
    );
    if (!committed.ok) return storeFailed(committed.error);
    isTaken = true;
    if (setup !== null) deps.book.putSetup(execution.id, setup);
    asked.committed?.(execution);
    deps.runner.startInTurn(
      { execution, account, ask: askOf(execution), reduces: reducesPosition(execution) },
      turn.value,
    );
    return ok(execution);
  } finally {
    if (!isTaken) turn.value.giveUp();
  }
}

/** A share of a total becomes USD, so that the order's row alone says what is to be traded. */
function withoutWeight(leg: TradeLeg, totalUsd: string | null): TradeLeg {
  if (leg.mode !== 'WEIGHT') return leg;
  const amount = dec(leg.amount)
    .mul(totalUsd ?? 0)
    .toDecimalPlaces(18, 1)
    .toFixed();
  return { ...leg, mode: 'USD', amount };
}
