/**
 * The start path: every execution that had not ended takes the way on that its state on disk allows.
 *
 * IDLE: nothing was sent, so it fails — except an unwind, which was promised with its parent's failure and runs now.
 * ACTIVE: its client order ids are on disk, so the venue is asked by them; nothing is sent for an attempt twice.
 */
import { failExecution } from '../domain/execution.ts';
import type { Execution, TradeAccount } from '../domain/model.ts';
import { askOf } from './basket-job.ts';
import type { BasketRunner } from './basket-runner.ts';
import type { EngineDeps } from './deps.ts';
import { commitDurably } from './durable.ts';
import { executionEnded, ordersUpdated } from './events.ts';

const RESTARTED = 'The gateway restarted before orders were placed. No orders were placed.';

export interface RecoveryReport {
  readonly failed: number;
  readonly resumed: number;
  readonly unwound: number;
}

export async function recover(
  deps: EngineDeps,
  runner: BasketRunner,
  accountOf: (id: string) => TradeAccount | undefined,
): Promise<RecoveryReport> {
  const report = { failed: 0, resumed: 0, unwound: 0 };
  for (const execution of await deps.store.unfinishedExecutions()) {
    const account = accountOf(execution.tradeAccountId);
    if (account === undefined) throw new Error(`execution ${execution.id} has no trade account`);
    const step = nextStep(execution);
    if (step === 'fail') {
      await failUnsent(deps, execution, runner);
      report.failed += 1;
      continue;
    }
    const holder = deps.book.claim(account.id, execution.basketKey, execution.id);
    if (holder !== null) throw new Error(`executions ${holder} and ${execution.id} both hold one basket`);
    const reduces = execution.intent === 'CLOSE' || execution.intent === 'REDUCE';
    const job = { execution, account, ask: askOf(execution), reduces };
    if (step === 'unwind') {
      runner.start(job);
      report.unwound += 1;
    } else {
      runner.resume(job);
      report.resumed += 1;
    }
  }
  return report;
}

function nextStep(execution: Execution): 'fail' | 'unwind' | 'resume' {
  if (execution.status === 'ACTIVE') return 'resume';
  return execution.parentId === null ? 'fail' : 'unwind';
}

async function failUnsent(deps: EngineDeps, execution: Execution, runner: BasketRunner): Promise<void> {
  const now = deps.clock.now();
  const orders = execution.orders.map((order) => ({
    ...order,
    status: 'CANCELLED' as const,
    updatedAt: now,
  }));
  const failed = failExecution(execution, { error: RESTARTED, errorCode: 'GATEWAY_RESTARTED' }, orders, now);
  if (!failed.ok) throw new Error(`execution ${execution.id} cannot fail: ${failed.error.kind}`);
  await commitDurably(
    deps,
    {
      executions: [failed.value],
      events: [...ordersUpdated(orders, now), executionEnded(failed.value)],
    },
    runner.stopSignal,
  );
}
