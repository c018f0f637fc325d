/**
 * A ladder: entries staggered across a range, one trigger a rung; its record, and its life as a table.
 *
 * ACTIVE → COMPLETED | PARTIALLY_COMPLETED | CANCELLED | FAILED | EXPIRED. A ladder ends when its last rung has ended,
 * by the rungs' outcomes, or at once when the trader cancels it: a rung that is firing then still ends by itself.
 * Levels and sizes of the rungs are in `rungs.ts`.
 */
import type { Placed } from './authority.ts';
import type { Condition } from './condition-table.ts';
import type { DecimalString } from './decimal.ts';
import type {
  LADDER_DISTRIBUTIONS,
  LADDER_METRICS,
  LADDER_SIZINGS,
  LADDER_STATUSES,
} from './enumerations.ts';
import type { Direction } from './measure.ts';
import type { LegFailurePolicy, TradeLeg } from './model.ts';
import type { Result } from './result.ts';
import { type IllegalTransition, move, type TransitionTable } from './transition.ts';
import type { Trigger, TriggerStatus } from './trigger.ts';

export type LadderMetric = (typeof LADDER_METRICS)[number];
export type LadderDistribution = (typeof LADDER_DISTRIBUTIONS)[number];
export type LadderSizing = (typeof LADDER_SIZINGS)[number];
export type LadderStatus = (typeof LADDER_STATUSES)[number];

export interface Rung {
  readonly index: number;
  readonly level: DecimalString;
  /** Size in USD: legs asked in base units count at the mark price of the moment when the ladder was made. */
  readonly usd: DecimalString;
  readonly triggerId: string;
}

/** A ladder's record. A rung's status is its trigger's status and is stored nowhere else. */
export interface Ladder extends Placed {
  readonly id: string;
  readonly userId: string;
  readonly tradeAccountId: string;
  readonly connector: string;
  readonly basketKey: string;
  readonly legs: readonly TradeLeg[];
  /** Sum of the rungs, USD. */
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
  readonly onLegFailure: LegFailurePolicy;
  readonly clientId: string | null;
  readonly status: LadderStatus;
  /** Rungs by index. */
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
  return move(LADDER_TRANSITIONS, ladder, event, { updatedAt: now });
}

/**
 * Event that ends a ladder, by its rungs; null while a rung still waits or fires. All rungs filled: complete; some, or a
 * part of one: partly. None filled: fail if a rung failed, else expire if a rung expired, else cancel (every rung was cancelled).
 */
export function ladderOutcome(rungs: readonly TriggerStatus[]): LadderEvent | null {
  if (rungs.some((status) => status === 'ACTIVE' || status === 'PAUSED' || status === 'TRIGGERED')) {
    return null;
  }
  const filled = filledLevels(rungs);
  if (filled === rungs.length) return 'complete';
  if (filled > 0 || rungs.includes('PARTIALLY_COMPLETED')) return 'complete_partly';
  if (rungs.includes('FAILED')) return 'fail';
  return rungs.includes('EXPIRED') ? 'expire' : 'cancel';
}

/**
 * True for a rung that ended with its legs apart: further rungs would open more of the legs that filled. Of one leg
 * nothing can be apart.
 */
export function isApart(rung: Pick<Trigger, 'status' | 'legs'>): boolean {
  return rung.legs.length > 1 && rung.status === 'PARTIALLY_COMPLETED';
}

/** Rungs that filled in full. */
export function filledLevels(rungs: readonly TriggerStatus[]): number {
  return rungs.filter((status) => status === 'COMPLETED').length;
}

/** Condition of a rung's trigger. `symbol` is needed by the metric PRICE and ignored by the others. */
export function rungCondition(
  ladder: Pick<Ladder, 'metric' | 'direction'> & { readonly symbol: string },
  level: DecimalString,
): Condition {
  const { metric, direction, symbol } = ladder;
  return metric === 'PRICE'
    ? { type: 'PRICE', direction, value: level, symbol }
    : { type: metric, direction, value: level };
}
