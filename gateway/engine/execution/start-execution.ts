/**
 * The one way to start an execution, whoever asks for it: a request, a trigger that fired, a due slice, a drift, a panic. It
 * claims the basket, builds the IDLE execution and commits it together with what led to it; the runner has it from then on.
 * Callers say only what is to be traded (`decide`) and what is committed beside it.
 *
 * An execution that no request asked for is promised from that commit on: a restart runs it if nothing was sent yet. How it
 * ended is told to those who registered with `FollowUps`, in the unit of the end.
 */
import { inherited, type Placed } from '../../domain/authority.ts';
import type { OpeningBrackets, ReversalBrackets } from '../../domain/bracket-fate.ts';
import type { Execution, ExecutionOrigin, Position, TradeAccount, TradeLeg } from '../../domain/model.ts';
import type { PositionSetup } from '../../domain/position-setup.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { BasketTurn } from '../core/book.ts';
import type { EngineDeps } from '../core/deps.ts';
import { busy, type EngineError, notFound, storeFailed } from '../core/errors.ts';
import type { Idempotency } from '../core/idempotency.ts';
import { mayOpen } from '../core/may-open.ts';
import { oneUnit } from '../core/unit-parts.ts';
import type { StoredPositionSetup, UnitOfWork } from '../ports/unit-of-work.ts';
import { type BasketJob, reducesPosition } from './basket-job.ts';
import type { BasketRunner } from './basket-runner.ts';
import { newExecution } from './new-execution.ts';

/** What is to be executed, decided while the basket is claimed. */
export interface Intention {
  readonly legs: readonly TradeLeg[];
  /** What WEIGHT legs are shares of, USD; it is not stored, so no promised execution has such legs. Default none. */
  readonly totalUsd?: string | null;
  readonly slippage: string;
  readonly intent: Execution['intent'];
  readonly position: Position | null;
  readonly onLegFailure: Execution['onLegFailure'];
  readonly clientId: string | null;
  /** Default `API`. */
  readonly origin?: ExecutionOrigin;
  /** What to set on the position once something has filled. Default nothing. */
  readonly setup?: PositionSetup | null;
  /** What becomes of the position's take-profit and stop-loss, for the answer. Default nothing. */
  readonly brackets?: OpeningBrackets | ReversalBrackets | null;
}

/** What services that place orders are given. */
export interface AcceptDeps extends EngineDeps {
  readonly runner: Pick<BasketRunner, 'startInTurn' | 'startTogether'>;
  readonly idempotency: Idempotency;
  /** The account as it is now; undefined once it is removed. */
  readonly accountOf: (id: string) => TradeAccount | undefined;
  /** Listens to the account's own news from its first order on, where nobody does yet. */
  readonly listenTo: (account: TradeAccount) => void;
  /** False while the gateway is stopping. */
  readonly accepting: () => boolean;
}

export interface ReserveExecution {
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
}

export interface StartExecution extends ReserveExecution {
  /** Committed in the same unit as the execution. */
  readonly commitWith: (execution: Execution, intention: Intention) => UnitOfWork;
  /** Called right after the commit and before the execution runs: memory follows the disk. Must not throw. */
  readonly committed?: (execution: Execution) => void;
}

/** An execution with its place in the basket's line, not on disk yet. */
export interface ReservedExecution {
  readonly job: BasketJob;
  readonly intention: Intention;
  readonly turn: BasketTurn;
}

/** Errors: RESOURCE_BUSY (also while trading is paused), NOOP_ERROR (who placed it was cut off), RESOURCE_NOT_FOUND (the account is gone), DATABASE_ERROR, and those of `decide`. Nothing is left behind. */
export async function startExecution(
  deps: AcceptDeps,
  asked: StartExecution,
): Promise<Result<Execution, EngineError>> {
  const reserved = reserveExecution(deps, asked);
  if (!reserved.ok) return reserved;
  const { job, intention, turn } = reserved.value;
  const { execution } = job;
  const committed = await commitReserved(deps, [reserved.value], () =>
    asked.commitWith(execution, intention),
  );
  if (!committed.ok) return committed;
  asked.committed?.(execution);
  deps.runner.startInTurn(job, turn);
  return ok(execution);
}

/** The first half, of those that commit several in one unit. What is reserved is to be given to `commitReserved`. */
export function reserveExecution(
  deps: AcceptDeps,
  { account, basketKey, placed, whenBusy, decide }: ReserveExecution,
): Result<ReservedExecution, EngineError> {
  if (!deps.accepting()) return busy('The gateway is stopping', { reason: 'STOPPING' });
  // The turn is taken before the commit: executions of one basket run in the order in which they were decided.
  const turn = deps.book.takeTurn(account.id, basketKey, whenBusy);
  if (!turn.ok) {
    return busy('Another action on this basket or account is still running', { heldBy: turn.error });
  }
  let isReserved = false;
  try {
    // Removed between the check of the request and the claim: nothing may be recorded for it any more.
    const intention = deps.accountOf(account.id) === undefined ? notFound('Trade account') : decide();
    if (!intention.ok) return intention;
    const allowed = reducesPosition(intention.value) ? ok(null) : mayOpen(deps, account.userId, placed);
    if (!allowed.ok) return allowed;
    deps.listenTo(account);
    const execution = executionOf(deps, account, basketKey, intention.value, placed);
    const job = { execution, account, totalUsd: intention.value.totalUsd ?? null };
    isReserved = true;
    return ok({ job, intention: intention.value, turn: turn.value });
  } finally {
    // Also when something threw: a basket that nobody runs must not stay busy.
    if (!isReserved) turn.value.giveUp();
  }
}

/** The second half: all of them and `unitOf` are one unit. Where it is refused their baskets are given up. */
export async function commitReserved(
  deps: AcceptDeps,
  reserved: readonly ReservedExecution[],
  unitOf: () => UnitOfWork,
): Promise<Result<null, EngineError>> {
  let isTaken = false;
  try {
    const setups = reserved.flatMap(({ job, intention: { setup } }) =>
      setup === undefined || setup === null ? [] : [storedSetup(setup, job.execution)],
    );
    const newExecutions = reserved.map(({ job }) => job.execution);
    const unit = oneUnit(unitOf(), { newExecutions, positionSetups: setups });
    const committed = Object.keys(unit).length === 0 ? ok(null) : await deps.store.commit(unit);
    if (!committed.ok) return storeFailed(committed.error);
    isTaken = true;
    for (const { job, intention, turn } of reserved) {
      const { id, tradeAccountId, basketKey } = job.execution;
      if (intention.setup !== undefined && intention.setup !== null) deps.book.putSetup(id, intention.setup);
      if (turn.isNow) deps.book.handOver(tradeAccountId, basketKey, id);
    }
    return ok(null);
  } finally {
    if (!isTaken) for (const { turn } of reserved) turn.giveUp();
  }
}

/** What is to be set on the position that an execution leads to: placed by who placed the execution. */
export function storedSetup(setup: PositionSetup, execution: Execution): StoredPositionSetup {
  const { takeProfit, stopLoss, autoRebalance } = setup;
  return { executionId: execution.id, takeProfit, stopLoss, autoRebalance, ...inherited(execution) };
}

function executionOf(
  deps: Pick<EngineDeps, 'ids' | 'clock'>,
  account: TradeAccount,
  basketKey: string,
  intention: Intention,
  placed: Placed,
): Execution {
  return newExecution(deps, {
    userId: account.userId,
    tradeAccountId: account.id,
    connector: account.connector,
    basketKey,
    origin: intention.origin ?? 'API',
    intent: intention.intent,
    positionId: intention.position?.id ?? null,
    clientId: intention.clientId,
    parentId: null,
    onLegFailure: intention.onLegFailure,
    slippage: intention.slippage,
    authorityKind: placed.authorityKind,
    authorityId: placed.authorityId,
    legs: intention.legs,
  });
}
