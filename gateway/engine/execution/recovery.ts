/**
 * Recovery at start: continues each unfinished execution as its state on disk allows.
 *
 * IDLE: no order was sent. An execution from a request fails, because its sender can ask again. One started by a fired
 * trigger, a due slice or a parent's end runs once its basket is free. ACTIVE: its client order ids are on disk, so the
 * venue is asked about them; no attempt is sent twice.
 */
import type { Execution, TradeAccount } from '../../domain/model.ts';
import type { EngineDeps } from '../core/deps.ts';
import type { BasketRunner } from './basket-runner.ts';

const RESTARTED = 'The gateway restarted before orders were placed. No orders were placed.';

export interface RecoveryReport {
  readonly failed: number;
  readonly resumed: number;
  /** Number of executions started by a fired trigger, a due slice or a parent's end (an unwind), not by a request. */
  readonly started: number;
}

export async function recover(
  deps: EngineDeps,
  runner: BasketRunner,
  accountOf: (id: string) => TradeAccount | undefined,
): Promise<RecoveryReport> {
  const report = { failed: 0, resumed: 0, started: 0 };
  const unfinished = await deps.store.unfinishedExecutions();
  // ACTIVE executions claim their baskets first; IDLE ones wait in the queue behind them.
  for (const execution of unfinished.filter(({ status }) => status === 'ACTIVE')) {
    const account = accountOf(execution.tradeAccountId);
    if (account === undefined) throw new Error(`execution ${execution.id} has no trade account`);
    const holder = deps.state.claims.claim(account.id, execution.basketKey, execution.id);
    if (holder !== null) throw new Error(`executions ${holder} and ${execution.id} both hold one basket`);
    runner.resume({ execution, account, totalUsd: null });
    report.resumed += 1;
  }
  for (const execution of unfinished.filter(({ status }) => status === 'IDLE')) {
    if (!isPromised(execution)) {
      await runner.failUnsent(execution, { error: RESTARTED, errorCode: 'GATEWAY_RESTARTED' });
      report.failed += 1;
      continue;
    }
    runner.startPromised(execution, accountOf(execution.tradeAccountId));
    report.started += 1;
  }
  return report;
}

function isPromised(execution: Execution): boolean {
  return execution.parentId !== null || execution.origin !== 'API';
}
