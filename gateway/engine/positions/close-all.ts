/**
 * Closes every position of an account that can be closed now. All executions and the idempotency record are one unit.
 */
import type { Placed } from '../../domain/authority.ts';
import type { Execution, TradeAccount } from '../../domain/model.ts';
import { ok, type Result } from '../../domain/result.ts';
import { busy, type EngineError, marketsUnknown, noop, notFound } from '../core/errors.ts';
import { knowsMarkets } from '../execution/check-symbols.ts';
import {
  type AcceptDeps,
  commitReserved,
  type ReservedExecution,
  reserveExecution,
} from '../execution/start-execution.ts';
import type { IdempotencyRecord } from '../ports/unit-of-work.ts';
import { closeIntention } from './change-position.ts';

export interface CloseAllReport {
  readonly executions: readonly Execution[];
  readonly failures: readonly { readonly positionId: string; readonly error: EngineError }[];
}

export interface CloseAll {
  readonly account: TradeAccount;
  readonly placed: Placed;
  /** null: positions on every connector. */
  readonly connector: string | null;
  readonly slippage: string | null;
  readonly clientId: string | null;
  /** True: a new request, so its caller's mandate is checked. Default false. */
  readonly isRequest?: boolean;
}

/** @param recordOf idempotency records that are committed with the executions */
export async function closeAll(
  deps: AcceptDeps,
  asked: CloseAll,
  recordOf: (report: CloseAllReport) => readonly IdempotencyRecord[],
): Promise<Result<CloseAllReport, EngineError>> {
  const { account } = asked;
  if (!deps.accepting()) return busy('The gateway is stopping', { reason: 'STOPPING' });
  if (deps.accountOf(account.id) === undefined) return notFound('Trade account');
  const open = deps.state.positions
    .of(account.id)
    .filter(({ connector }) => asked.connector === null || connector === asked.connector);
  if (open.length === 0) return noop('No position is open');
  if (!knowsMarkets(deps, account)) return marketsUnknown();

  const reserved: ReservedExecution[] = [];
  const failures: CloseAllReport['failures'][number][] = [];
  try {
    for (const position of open) {
      const one = reserveExecution(deps, {
        account,
        basketKey: position.basketKey,
        placed: asked.placed,
        whenBusy: 'refuse',
        ...(asked.isRequest === true ? { request: { asked: null } } : {}),
        decide: () =>
          closeIntention(deps, deps.state.positions.get(position.id), {
            fraction: '1',
            slippage: asked.slippage,
            clientId: asked.clientId,
          }),
      });
      if (one.ok) reserved.push(one.value);
      else failures.push({ positionId: position.id, error: one.error });
    }
  } catch (error) {
    // Something threw: baskets reserved before it must not stay busy.
    for (const { turn } of reserved) turn.giveUp();
    throw error;
  }
  const jobs = reserved.map(({ job }) => job);
  const report: CloseAllReport = { executions: jobs.map(({ execution }) => execution), failures };
  const committed = await commitReserved(deps, reserved, () => ({ idempotency: recordOf(report) }));
  if (!committed.ok) return committed;
  // Planned together for the account: if one basket sells what another buys, neither order is sent, and the remaining
  // orders only reduce the account's holdings.
  if (jobs.length > 0) deps.runner.startTogether(account, jobs);
  return ok(report);
}
