import type { Execution, TradeAccount } from '../../domain/model.ts';

/** An accepted execution with the facts needed to run it. */
export interface BasketJob {
  readonly execution: Execution;
  readonly account: TradeAccount;
  /** Total in USD of which WEIGHT legs are shares; null if no leg has a weight. */
  readonly totalUsd: string | null;
}

/** True for intents whose orders reduce the position. */
export function reducesPosition(execution: Pick<Execution, 'intent'>): boolean {
  return execution.intent === 'CLOSE' || execution.intent === 'REDUCE' || execution.intent === 'REVERSE';
}
