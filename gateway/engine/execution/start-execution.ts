/**
 * The one way to start an execution, whether for a request, a fired trigger, a due slice, a rebalance or a panic
 * close. It claims the basket, builds the IDLE execution and commits it together with its cause; then the runner
 * takes over. Callers only supply the trade (`decide`) and the rows that are committed beside it.
 *
 * An execution that no request asked for must run from that commit on: a restart runs it if no order was sent yet.
 * Services registered with `FollowUps` are told of its end, in the unit of the end.
 */
import { inherited, type Placed } from '../../domain/authority.ts';
import type { Execution, TradeAccount } from '../../domain/model.ts';
import { approvedAt, type PositionSetup } from '../../domain/position-setup.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { BasketTurn } from '../core/basket-claims.ts';
import type { EngineDeps } from '../core/deps.ts';
import { busy, type EngineError, notFound, storeFailed } from '../core/errors.ts';
import type { Idempotency } from '../core/idempotency.ts';
import { mayOpen, takesOpening } from '../core/may-open.ts';
import type { Admission } from '../core/reservations.ts';
import { oneUnit } from '../core/unit-parts.ts';
import type { StoredPositionSetup, UnitOfWork } from '../ports/unit-of-work.ts';
import { type BasketJob, reducesPosition } from './basket-job.ts';
import type { BasketRunner } from './basket-runner.ts';
import { sizedForPlan } from './bracket-checks.ts';
import type { Intention, ReserveExecution } from './intention.ts';
import { loosenedUnit } from './loosening.ts';
import { limitClosing, loosenedAtOnce, mayPlace, peel } from './may-place.ts';
import { newExecution } from './new-execution.ts';

export type { Intention } from './intention.ts';

/** Dependencies of services that place orders. */
export interface AcceptDeps extends EngineDeps {
  readonly runner: Pick<BasketRunner, 'startInTurn' | 'startTogether'>;
  readonly idempotency: Idempotency;
  /** The account as it is now; undefined once it is removed. */
  readonly accountOf: (id: string) => TradeAccount | undefined;
  /** Starts the account's feed, unless it already runs, before the account's first order. */
  readonly listenTo: (account: TradeAccount) => void;
  /** False while the gateway is stopping. */
  readonly accepting: () => boolean;
}

export interface StartExecution extends ReserveExecution {
  /** Committed in the same unit as the execution. */
  readonly commitWith: (execution: Execution, intention: Intention) => UnitOfWork;
  /**
   * Called right after the commit and before the execution runs, to change memory as the disk was changed. Must not
   * throw.
   */
  readonly committed?: (execution: Execution) => void;
}

/** An execution with its place in the basket's queue, not on disk yet. */
export interface ReservedExecution {
  readonly job: BasketJob;
  readonly intention: Intention;
  readonly turn: BasketTurn;
  /** Reservation under the mandate of its authority; null: no mandate binds it, or it opens nothing. */
  readonly admission: Admission | null;
}

/**
 * Errors: AGENT_LIMIT, RESOURCE_BUSY (also while trading is paused), NOOP_ERROR (grant revoked), ACCOUNT_NOT_ARMED,
 * CALLER_NOT_ALLOWED (account not armed for the caller), RESOURCE_NOT_FOUND (account gone), DATABASE_ERROR, and those
 * of `decide`. An error leaves no claim and no row behind.
 */
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

/** First half of `startExecution`, for callers that commit several executions in one unit with `commitReserved`. */
export function reserveExecution(
  deps: AcceptDeps,
  asked: ReserveExecution,
): Result<ReservedExecution, EngineError> {
  const { account, basketKey, placed, whenBusy, decide } = asked;
  if (!deps.accepting()) return busy('The gateway is stopping', { reason: 'STOPPING' });
  // The turn is taken before the commit: executions of one basket run in the order in which they were decided.
  const turn = deps.state.claims.takeTurn(account.id, basketKey, whenBusy);
  if (!turn.ok) {
    return busy('Another action on this basket or account is still running', { heldBy: turn.error });
  }
  let isReserved = false;
  try {
    // The account was removed between the request's check and the claim: nothing may be recorded for it any more.
    const decided = deps.accountOf(account.id) === undefined ? notFound('Trade account') : decide();
    if (!decided.ok) return decided;
    const intention = ok(limitClosing(deps, asked, withSizedSetup(deps, account, decided.value)));
    if (!reducesPosition(intention.value)) {
      const allowed = mayOpen(deps, account, placed);
      const taken = allowed.ok ? takesOpening(deps, account) : allowed;
      if (!taken.ok) return taken;
    }
    const admitted = mayPlace(deps, asked, intention.value);
    if (!admitted.ok) return admitted;
    deps.listenTo(account);
    const sized = withApproval(intention.value, admitted.value);
    const execution = executionOf(deps, account, basketKey, sized, placed, admitted.value);
    deps.state.underWay.enter(execution);
    const job = { execution, account, totalUsd: sized.totalUsd ?? null };
    isReserved = true;
    return ok({ job, intention: sized, turn: turn.value, admission: admitted.value });
  } finally {
    // Also after an exception: a basket without a running execution must not stay busy.
    if (!isReserved) turn.value.giveUp();
  }
}

function withSizedSetup(deps: AcceptDeps, { connector }: TradeAccount, intention: Intention): Intention {
  const { setup, legs, position, totalUsd = null } = intention;
  if (setup === undefined || setup === null) return intention;
  return { ...intention, setup: sizedForPlan(deps, connector, setup, { legs, totalUsd, position }) };
}

function withApproval(intention: Intention, admission: Admission | null): Intention {
  const at = admission?.approved?.at;
  const { setup } = intention;
  return at === undefined || setup == null ? intention : { ...intention, setup: approvedAt(setup, at) };
}

/** Record of the protection that an order removes at once. Brackets of an order are replaced later, with its fills. */
function lostAtOnce(deps: AcceptDeps, { job: { execution }, intention }: ReservedExecution): UnitOfWork {
  const { position } = intention;
  if (position === null || !deps.warden.isAgent(execution)) return {};
  const about = { ...position, positionId: position.id };
  return loosenedUnit(deps, execution, about, loosenedAtOnce(deps, intention));
}

/**
 * Second half of `startExecution`: all reserved executions and `unitOf` are one unit. If it is refused, their baskets
 * are released.
 */
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
    const mandates: UnitOfWork[] = [];
    for (const { admission, job } of reserved) {
      const alongside = admission === null ? null : deps.warden.reservations.take(admission, job.execution);
      if (alongside !== null) mandates.push(alongside);
    }
    const lost = reserved.map((one) => lostAtOnce(deps, one));
    const unit = oneUnit(unitOf(), { newExecutions, positionSetups: setups }, ...mandates, ...lost);
    const committed = Object.keys(unit).length === 0 ? ok(null) : await deps.store.commit(unit);
    if (!committed.ok) return storeFailed(committed.error);
    isTaken = true;
    for (const { job, intention, turn } of reserved) {
      const { id, tradeAccountId, basketKey } = job.execution;
      if (deps.warden.of(job.execution) !== null) peel(deps, intention);
      if (intention.setup !== undefined && intention.setup !== null)
        deps.state.setups.set(id, intention.setup);
      if (turn.isNow) deps.state.claims.handOver(tradeAccountId, basketKey, id);
    }
    return ok(null);
  } finally {
    if (!isTaken) {
      for (const { turn } of reserved) turn.giveUp();
      for (const { job } of reserved) {
        deps.warden.reservations.giveBack(job.execution);
        deps.state.underWay.leave(job.execution);
      }
    }
  }
}

/**
 * Row of the brackets and rebalancing for the position that an execution opens or changes, under the execution's own
 * authority.
 */
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
  admission: Admission | null,
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
    reserved: admission === null ? null : { usd: admission.reserveUsd, asked: admission.isRequest },
    legs: intention.legs,
    worstPrices: intention.worstPrices ?? null,
    targets: intention.targets ?? null,
  });
}
