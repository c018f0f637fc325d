/**
 * A ladder: entries staggered across a range, one trigger a rung; its record, and its life as a table.
 *
 * ACTIVE → COMPLETED | PARTIALLY_COMPLETED | CANCELLED | FAILED | EXPIRED. A ladder ends when its last rung has, as the
 * rungs say, or at once when the trader cancels it: a rung that is firing then still ends as it will.
 * Levels and sizes of the rungs are in `rungs.ts`.
 */
import type { Placed } from './authority.ts';
import type { Condition } from './condition-table.ts';
import type { DecimalString } from './decimal.ts';
import type { Direction } from './measure.ts';
import type { TradeLeg } from './model.ts';
import { ok, type Result } from './result.ts';
import { type IllegalTransition, type TransitionTable, transition } from './transition.ts';
import type { TriggerStatus } from './trigger.ts';

export type LadderMetric = 'WEIGHTED_RATIO' | 'PRICE_RATIO' | 'PRICE';
export type LadderDistribution = 'LINEAR' | 'GEOMETRIC';
export type LadderSizing = 'EQUAL' | 'INCREASING' | 'DECREASING';
export type LadderStatus =
  | 'ACTIVE'
  | 'COMPLETED'
  | 'PARTIALLY_COMPLETED'
  | 'CANCELLED'
  | 'FAILED'
  | 'EXPIRED';

export interface Rung {
  readonly index: number;
  readonly level: DecimalString;
  /** Size in USD: legs asked in base units count at the mark price of the moment when the ladder was made. */
  readonly usd: DecimalString;
  readonly triggerId: string;
}

/** Statuses of rungs are those of their triggers, and stand nowhere else. */
export interface Ladder extends Placed {
  readonly id: string;
  readonly userId: string;
  readonly tradeAccountId: string;
  readonly connector: string;
  readonly basketKey: string;
  readonly legs: readonly TradeLeg[];
  /** Sum of the rungs. */
  readonly totalUsd: DecimalString;
  readonly metric: LadderMetric;
  /** The leg whose price counts, null unless `metric` is PRICE. */
  readonly symbol: string | null;
  readonly direction: Direction;
  readonly start: DecimalString;
  readonly end: DecimalString;
  readonly distribution: LadderDistribution;
  readonly sizing: LadderSizing;
  readonly expiresAt: number | null;
  readonly slippage: DecimalString;
  readonly clientId: string | null;
  readonly status: LadderStatus;
  /** By index. */
  readonly rungs: readonly Rung[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type LadderEvent = 'complete' | 'complete_partly' | 'cancel' | 'fail' | 'expire';

export const LADDER_TRANSITIONS: TransitionTable<LadderStatus, LadderEvent> = {
  ACTIVE: {
    complete: 'COMPLETED',
    complete_partly: 'PARTIALLY_COMPLETED',
    cancel: 'CANCELLED',
    fail: 'FAILED',
    expire: 'EXPIRED',
  },
  COMPLETED: {},
  PARTIALLY_COMPLETED: {},
  CANCELLED: {},
  FAILED: {},
  EXPIRED: {},
};

export function moveLadder(
  ladder: Ladder,
  event: LadderEvent,
  now: number,
): Result<Ladder, IllegalTransition> {
  const next = transition(LADDER_TRANSITIONS, ladder.status, event);
  return next.ok ? ok({ ...ladder, status: next.value, updatedAt: now }) : next;
}

/**
 * How a ladder ends by its rungs; null while one still waits or fires. All filled: complete; some: partly. None: it failed
 * if a rung did, else expired if a rung did, else each was cancelled by itself.
 */
export function ladderOutcome(rungs: readonly TriggerStatus[]): LadderEvent | null {
  if (rungs.some((status) => status === 'ACTIVE' || status === 'PAUSED' || status === 'TRIGGERED')) {
    return null;
  }
  const filled = filledLevels(rungs);
  if (filled === rungs.length) return 'complete';
  if (filled > 0) return 'complete_partly';
  if (rungs.includes('FAILED')) return 'fail';
  return rungs.includes('EXPIRED') ? 'expire' : 'cancel';
}

export function filledLevels(rungs: readonly TriggerStatus[]): number {
  return rungs.filter((status) => status === 'COMPLETED').length;
}

/** What a rung's trigger waits for. `symbol` is needed by the metric PRICE and ignored by the others. */
export function rungCondition(
  ladder: Pick<Ladder, 'metric' | 'direction'> & { readonly symbol: string },
  level: DecimalString,
): Condition {
  const { metric, direction, symbol } = ladder;
  return metric === 'PRICE'
    ? { type: 'PRICE', direction, value: level, symbol }
    : { type: metric, direction, value: level };
}
