/** What services that trade by plans of their own (schedules, rebalances) share; `Engine` is their source of executions. */
import type { Execution } from '../../domain/model.ts';
import type { Result } from '../../domain/result.ts';
import type { EngineError } from '../core/errors.ts';
import type { AcceptDeps } from './accept.ts';
import type { StartExecution } from './start-execution.ts';

export interface PlanDeps {
  readonly accept: AcceptDeps;
  startExecution(asked: StartExecution): Promise<Result<Execution, EngineError>>;
}

/** Key of the queue (`Book.positionQueue`) in which everything of a basket changes, one after the other. */
export function basketQueueKey(of: { readonly tradeAccountId: string; readonly basketKey: string }): string {
  return `${of.tradeAccountId} ${of.basketKey}`;
}
