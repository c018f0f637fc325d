import type { Execution, TradeAccount } from '../../domain/model.ts';

/** An accepted execution and what it takes to run it. */
export interface BasketJob {
  readonly execution: Execution;
  readonly account: TradeAccount;
  /** What WEIGHT legs are shares of, USD; null where there are none. */
  readonly totalUsd: string | null;
}

/** True for intents whose orders take out of the position. */
export function reducesPosition(execution: Pick<Execution, 'intent'>): boolean {
  return execution.intent === 'CLOSE' || execution.intent === 'REDUCE' || execution.intent === 'REVERSE';
}
