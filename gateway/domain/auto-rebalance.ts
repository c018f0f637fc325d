/**
 * A position's rebalance configuration: its record, its life as a table, and whether it acts now.
 * ACTIVE ⇄ PAUSED → ENDED (deleted, or the position closed). The trades are in `rebalance.ts`.
 */
import type { Placed } from './authority.ts';
import type { ClosingFailurePolicy } from './closing-failure.ts';
import { type DecimalString, dec } from './decimal.ts';
import type {
  AUTO_REBALANCE_STATUSES,
  REBALANCE_ACTIONS,
  REBALANCE_MODES,
  REBALANCE_TIMEFRAMES,
} from './enumerations.ts';
import type { FilledLeg } from './filled.ts';
import type { PausedBy } from './pause.ts';
import { ok, type Result } from './result.ts';
import { type IllegalTransition, move, type TransitionTable } from './transition.ts';

export type RebalanceMode = (typeof REBALANCE_MODES)[number];
export type RebalanceAction = (typeof REBALANCE_ACTIONS)[number];
export type RebalanceTimeframe = (typeof REBALANCE_TIMEFRAMES)[number];
export type AutoRebalanceStatus = (typeof AUTO_REBALANCE_STATUSES)[number];

export const TIMEFRAME_MS: Readonly<Record<RebalanceTimeframe, number>> = {
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
};

export interface AutoRebalance extends Placed {
  readonly id: string;
  readonly userId: string;
  readonly tradeAccountId: string;
  readonly connector: string;
  readonly positionId: string;
  readonly mode: RebalanceMode;
  readonly action: RebalanceAction;
  /** Fraction: the largest distance of a weight from its target that is left alone. */
  readonly minimumDrift: DecimalString;
  /** Candle length of LIVE_BETA; null for TARGET_WEIGHTS. */
  readonly timeframe: RebalanceTimeframe | null;
  readonly cooldownSeconds: number;
  /** Maximum trade in USD, all legs together; null: no limit. */
  readonly maxTradeUsd: DecimalString | null;
  readonly onLegFailure: ClosingFailurePolicy;
  readonly status: AutoRebalanceStatus;
  /** AGENT: an agent paused it. Left out or null: its pause is the user's own. */
  readonly pausedBy?: PausedBy | null;
  readonly lastDrift: DecimalString | null;
  readonly lastCheckedAt: number | null;
  /** Time of the last notification or rebalance. */
  readonly lastActionAt: number | null;
  readonly lastExecutionId: string | null;
  /** Fills of the last rebalance; empty until it has ended. */
  readonly lastFilled: readonly FilledLeg[];
  /** Why the last rebalance could not be made. */
  readonly error: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Slippage of rebalances that name none, a decimal fraction around the mark. */
export const REBALANCE_SLIPPAGE = '0.01';

/** Slippage of the rebalances that trade by themselves. undefined: none do. */
export function rebalanceSlippage(
  terms: Pick<AutoRebalance, 'action'> | null | undefined,
): DecimalString | undefined {
  return terms?.action === 'TRADE' ? REBALANCE_SLIPPAGE : undefined;
}

/** A configuration is paused by request only. */
export function pauseOf({ status, pausedBy = null }: Pick<AutoRebalance, 'status' | 'pausedBy'>) {
  return { pauseReason: status === 'PAUSED' ? 'USER' : null, pausedBy };
}

export type AutoRebalanceEvent = 'pause' | 'resume' | 'end';

export const AUTO_REBALANCE_TRANSITIONS: TransitionTable<AutoRebalanceStatus, AutoRebalanceEvent> = {
  ACTIVE: { pause: 'PAUSED', end: 'ENDED' },
  PAUSED: { resume: 'ACTIVE', end: 'ENDED' },
  ENDED: {},
};

export function moveAutoRebalance(
  config: AutoRebalance,
  event: AutoRebalanceEvent,
  now: number,
  pausedBy: PausedBy | null = null,
): Result<AutoRebalance, IllegalTransition> {
  // The user's pause replaces an agent's.
  if (event === 'pause' && pausedBy === null && config.status === 'PAUSED' && config.pausedBy === 'AGENT')
    return ok({ ...config, pausedBy, updatedAt: now });
  return move(AUTO_REBALANCE_TRANSITIONS, config, event, { pausedBy, updatedAt: now });
}

/** Start of the candle that holds `at`, both epoch ms: candles are cut at whole multiples of the timeframe since the epoch. */
export function candleStart(timeframe: RebalanceTimeframe, at: number): number {
  return Math.floor(at / TIMEFRAME_MS[timeframe]) * TIMEFRAME_MS[timeframe];
}

/**
 * True within `cooldownSeconds` of the last action. If the clock is set back a little, the cooldown does not end
 * early; if it is set back by more than a cooldown, the cooldown does not last for ever.
 */
export function isCoolingDown(
  config: Pick<AutoRebalance, 'lastActionAt' | 'cooldownSeconds'>,
  now: number,
): boolean {
  return config.lastActionAt !== null && Math.abs(now - config.lastActionAt) < config.cooldownSeconds * 1_000;
}

/** Action of a configuration on a drift (fraction) at `now`; only an active one acts. */
export function reactionTo(
  config: AutoRebalance,
  drift: DecimalString,
  now: number,
): RebalanceAction | 'NOTHING' {
  const acts =
    config.status === 'ACTIVE' && dec(drift).gte(config.minimumDrift) && !isCoolingDown(config, now);
  return acts ? config.action : 'NOTHING';
}
