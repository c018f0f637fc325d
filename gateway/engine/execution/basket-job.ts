import type { Execution, TradeAccount } from '../../domain/model.ts';
import type { BasketAsk } from '../../domain/sizing.ts';

/** An accepted execution and what it takes to run it. */
export interface BasketJob {
  readonly execution: Execution;
  readonly account: TradeAccount;
  readonly ask: BasketAsk;
  /** The orders take out of an existing basket. */
  readonly reduces: boolean;
}

/** The ask of an execution as its orders tell it; `totalUsd` of WEIGHT legs is known to who accepted it. */
export function askOf(execution: Execution): BasketAsk {
  return {
    legs: execution.orders.map(({ symbol, side, mode, amount }) => ({ symbol, side, mode, amount })),
    totalUsd: null,
    slippage: execution.slippage,
  };
}

/** True for intents whose orders take out of the position. */
export function reducesPosition(execution: Pick<Execution, 'intent'>): boolean {
  return execution.intent === 'CLOSE' || execution.intent === 'REDUCE' || execution.intent === 'REVERSE';
}
