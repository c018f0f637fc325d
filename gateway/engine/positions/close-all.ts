/** Closing every position of an account that can be closed now: all executions and the idempotency record are one unit. */
import type { Placed } from '../../domain/authority.ts';
import type { Execution, Position, TradeAccount } from '../../domain/model.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { BasketTurn } from '../core/book.ts';
import { busy, type EngineError, marketsUnknown, noop, notFound, storeFailed } from '../core/errors.ts';
import { type AcceptDeps, executionOf } from '../execution/accept.ts';
import { askOf } from '../execution/basket-job.ts';
import type { IdempotencyRecord } from '../ports/unit-of-work.ts';
import { closeIntention } from './change-position.ts';

export interface CloseAllReport {
  readonly executions: readonly Execution[];
  readonly failures: readonly { readonly positionId: string; readonly error: EngineError }[];
}

export interface CloseAll {
  readonly account: TradeAccount;
  readonly placed: Placed;
  /** null: all. */
  readonly connector: string | null;
  readonly slippage: string | null;
  readonly clientId: string | null;
}

interface Started {
  readonly execution: Execution;
  readonly turn: BasketTurn;
}

/** @param recordOf what is committed with the executions */
export async function closeAll(
  deps: AcceptDeps,
  asked: CloseAll,
  recordOf: (report: CloseAllReport) => readonly IdempotencyRecord[],
): Promise<Result<CloseAllReport, EngineError>> {
  const { account } = asked;
  if (!deps.accepting()) return busy('The gateway is stopping', { reason: 'STOPPING' });
  if (deps.accountOf(account.id) === undefined) return notFound('Trade account');
  const open = deps.book
    .positionsOf(account.id)
    .filter(({ connector }) => asked.connector === null || connector === asked.connector);
  if (open.length === 0) return noop('No position is open');
  if (deps.market.instruments(account.connector).length === 0) return marketsUnknown();

  const started: Started[] = [];
  const failures: CloseAllReport['failures'][number][] = [];
  let isTaken = false;
  try {
    for (const position of open) {
      const one = start(deps, asked, position);
      if (one.ok) started.push(one.value);
      else failures.push({ positionId: position.id, error: one.error });
    }
    const executions = started.map(({ execution }) => execution);
    const report: CloseAllReport = { executions, failures };
    const idempotency = recordOf(report);
    if (executions.length + idempotency.length > 0) {
      const committed = await deps.store.commit({ newExecutions: executions, idempotency });
      if (!committed.ok) return storeFailed(committed.error);
    }
    isTaken = true;
    const jobs = started.map(({ execution }) => ({
      execution,
      account,
      ask: askOf(execution),
      reduces: true,
    }));
    for (const { execution } of jobs) deps.book.handOver(account.id, execution.basketKey, execution.id);
    // Planned as one account: what one basket sells and another buys is not sent, and the rest only shrinks the account.
    if (jobs.length > 0) deps.runner.startTogether(account, jobs);
    return ok(report);
  } finally {
    // Also when something threw: a basket that nobody runs must not stay busy.
    if (!isTaken) for (const { turn } of started) turn.giveUp();
  }
}

function start(deps: AcceptDeps, asked: CloseAll, position: Position): Result<Started, EngineError> {
  const { account, slippage, clientId } = asked;
  const turn = deps.book.takeTurn(account.id, position.basketKey, 'refuse');
  if (!turn.ok) {
    return busy('Another action on this basket or account is still running', { heldBy: turn.error });
  }
  let isTaken = false;
  try {
    const close = { fraction: '1', slippage, clientId };
    const intention = closeIntention(deps, deps.book.position(position.id), close);
    if (!intention.ok) return intention;
    const execution = executionOf(deps, account, position.basketKey, intention.value, asked.placed);
    isTaken = true;
    return ok({ execution, turn: turn.value });
  } finally {
    if (!isTaken) turn.value.giveUp();
  }
}
