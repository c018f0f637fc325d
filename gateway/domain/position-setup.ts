/**
 * Brackets and rebalance that an opening execution sets on its position. Committed with the execution, because the
 * position exists only once an order has filled: a stop-loss asked for with an order must not be lost in between.
 */
import type { AutoRebalance } from './auto-rebalance.ts';
import type { BRACKETS_MODES } from './enumerations.ts';
import type { Bracket } from './trigger.ts';

/** Effect of an order's brackets on the brackets that the position has by then. */
export type BracketsMode = (typeof BRACKETS_MODES)[number];

export function inMode(bracket: Bracket | null, mode: BracketsMode): Bracket | null {
  if (bracket === null) return null;
  const { replaces: _, ...terms } = bracket;
  return mode === 'REPLACE' ? { ...terms, replaces: true } : terms;
}

/** The brackets of an order that a person approved at `at`, epoch ms. */
export function approvedAt<Asked extends Pick<PositionSetup, 'takeProfit' | 'stopLoss'>>(
  asked: Asked,
  at: number,
): Asked {
  const approved = (bracket: Bracket | null) =>
    bracket?.replaces === true ? { ...bracket, approvedAt: at } : bracket;
  return { ...asked, takeProfit: approved(asked.takeProfit), stopLoss: approved(asked.stopLoss) };
}

export function modeOf(asked: Pick<PositionSetup, 'takeProfit' | 'stopLoss'>): BracketsMode {
  return [asked.takeProfit, asked.stopLoss].some((one) => one?.replaces === true) ? 'REPLACE' : 'KEEP';
}

/** Terms that a trader asks of an automatic rebalance. */
export type RebalanceTerms = Pick<
  AutoRebalance,
  'mode' | 'action' | 'minimumDrift' | 'timeframe' | 'cooldownSeconds' | 'maxTradeUsd'
> &
  /** Missing in records of earlier versions: RETRY. */
  Partial<Pick<AutoRebalance, 'onLegFailure'>>;

export interface PositionSetup {
  readonly takeProfit: Bracket | null;
  readonly stopLoss: Bracket | null;
  readonly autoRebalance: RebalanceTerms | null;
}
