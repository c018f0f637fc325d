/**
 * Accepts an order-placing command: claims the basket, commits the IDLE execution (with its idempotency record), answers,
 * and hands it to the runner. The answer goes out only after the commit is on disk.
 */
import { inherited, type Placed } from '../../domain/authority.ts';
import type { OpeningBrackets, ReversalBrackets } from '../../domain/bracket-fate.ts';
import type { Execution, ExecutionOrigin, Position, TradeAccount } from '../../domain/model.ts';
import type { PositionSetup } from '../../domain/position-setup.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { BasketAsk } from '../../domain/sizing.ts';
import type { EngineDeps } from '../core/deps.ts';
import { busy, type EngineError, notFound, storeFailed } from '../core/errors.ts';
import type { Answered, Idempotency, IdempotentRequest } from '../core/idempotency.ts';
import { mayOpen } from '../core/may-open.ts';
import type { StoredPositionSetup } from '../ports/unit-of-work.ts';
import { askOf } from './basket-job.ts';
import type { BasketRunner } from './basket-runner.ts';
import { newExecution } from './new-execution.ts';

/** What the caller is told; `http/` makes its text, which is committed for replays. */
export interface Accepted {
  readonly execution: Execution;
  readonly position: Position | null;
  /** What becomes of the position's take-profit and stop-loss, where the order is about them too. */
  readonly brackets: OpeningBrackets | ReversalBrackets | null;
}

export interface OrderCommand {
  readonly account: TradeAccount;
  readonly idempotency: IdempotentRequest | null;
  /** JSON text of the answer. */
  readonly answer: (accepted: Accepted) => string;
}

/** What is to be executed, decided while the basket is claimed. */
export interface Intention {
  readonly legs: BasketAsk['legs'];
  readonly totalUsd: string | null;
  readonly slippage: string;
  readonly intent: Execution['intent'];
  readonly position: Position | null;
  readonly onLegFailure: Execution['onLegFailure'];
  readonly clientId: string | null;
  /** The orders take out of the position. */
  readonly reduces: boolean;
  /** Default `API`. */
  readonly origin?: ExecutionOrigin;
  /** Default none. */
  readonly parentId?: string | null;
  /** What to set on the position once something has filled. Default nothing. */
  readonly setup?: PositionSetup | null;
  /** For the answer. Default nothing. */
  readonly brackets?: Accepted['brackets'];
}

export interface AcceptDeps extends EngineDeps {
  readonly runner: Pick<BasketRunner, 'start' | 'startInTurn' | 'startTogether'>;
  readonly idempotency: Idempotency;
  /** The account as it is now; undefined once it is removed. */
  readonly accountOf: (id: string) => TradeAccount | undefined;
  /** False while the gateway is stopping. */
  readonly accepting: () => boolean;
}

/** `decide` runs with the basket claimed, so what it reads cannot change before the execution exists. */
export function acceptExecution(
  deps: AcceptDeps,
  placed: Placed,
  command: OrderCommand,
  basketKey: string,
  decide: () => Result<Intention, EngineError>,
): Promise<Result<Answered, EngineError>> {
  return deps.idempotency.run(command.idempotency, async (record) => {
    if (!deps.accepting()) return busy('The gateway is stopping', { reason: 'STOPPING' });
    const { account } = command;
    const holder = deps.book.claim(account.id, basketKey, 'accepting');
    if (holder !== null) {
      return busy('Another action on this basket or account is still running', { heldBy: holder });
    }
    let isTaken = false;
    try {
      // Removed between the check of the request and the claim: nothing may be recorded for it any more.
      const intention = deps.accountOf(account.id) === undefined ? notFound('Trade account') : decide();
      if (!intention.ok) return intention;
      const allowed = intention.value.reduces ? ok(null) : mayOpen(deps, account.userId, placed);
      if (!allowed.ok) return allowed;
      const execution = executionOf(deps, account, basketKey, intention.value, placed);
      const json = command.answer({
        execution,
        position: intention.value.position,
        brackets: intention.value.brackets ?? null,
      });
      const setup = intention.value.setup ?? null;
      const committed = await deps.store.commit({
        newExecutions: [execution],
        positionSetups: setup === null ? [] : [storedSetup(setup, execution)],
        idempotency: record(202, json, execution.createdAt),
      });
      if (!committed.ok) return storeFailed(committed.error);
      isTaken = true;
      if (setup !== null) deps.book.putSetup(execution.id, setup);
      deps.book.handOver(account.id, basketKey, execution.id);
      deps.runner.start({
        execution,
        account,
        ask: { ...askOf(execution), totalUsd: intention.value.totalUsd },
        reduces: intention.value.reduces,
      });
      return ok({ status: 202, json, replayed: false });
    } finally {
      // Also when something threw: a basket that nobody runs must not stay busy.
      if (!isTaken) deps.book.release(account.id, basketKey);
    }
  });
}

/** What is to be set on the position that an execution leads to: placed by who placed the execution. */
export function storedSetup(setup: PositionSetup, execution: Execution): StoredPositionSetup {
  const { takeProfit, stopLoss, autoRebalance } = setup;
  return { executionId: execution.id, takeProfit, stopLoss, autoRebalance, ...inherited(execution) };
}

/** The IDLE execution of an intention. */
export function executionOf(
  deps: Pick<AcceptDeps, 'ids' | 'clock'>,
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
    parentId: intention.parentId ?? null,
    onLegFailure: intention.onLegFailure,
    slippage: intention.slippage,
    authorityKind: placed.authorityKind,
    authorityId: placed.authorityId,
    legs: intention.legs,
  });
}
