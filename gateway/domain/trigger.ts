/**
 * A resting trigger: its condition, its record, and its life as a table.
 *
 * ACTIVE → TRIGGERED → COMPLETED | PARTIALLY_COMPLETED | FAILED; ACTIVE ⇄ PAUSED; ACTIVE | PAUSED → CANCELLED |
 * EXPIRED.
 * TRIGGERED is committed before any order is sent, and no row leads back from it: a trigger fires at most once.
 *
 * An alert (kind ALERT) goes from ACTIVE to COMPLETED in one commit: there is no order to wait for.
 *
 * A bracket has a table of its own, because protection ends only when the position does: a fired bracket works in
 * rounds, each an execution, until the position is closed, and never fails. `bracket-rounds.ts` has the rounds' times
 * and slippage.
 */
import type { Placed } from './authority.ts';
import type { Condition } from './condition-table.ts';
import type { DecimalString } from './decimal.ts';
import type {
  BRACKET_KINDS,
  BRACKET_METRICS,
  MISSED_TRIGGER_POLICIES,
  TRIGGER_PAUSE_REASONS,
  TRIGGER_STATUSES,
} from './enumerations.ts';
import { type FilledLeg, hasFilled } from './filled.ts';
import type { Direction, PriceSource } from './measure.ts';
import type { Transformation } from './metrics.ts';
import type { LegFailurePolicy, TradeLeg } from './model.ts';
import { mayPauseAgain, type PausedBy } from './pause.ts';
import { fail, ok, type Result } from './result.ts';
import type { SizedLevels } from './sized-levels.ts';
import { type IllegalTransition, move, type TransitionTable } from './transition.ts';

export type BracketKind = (typeof BRACKET_KINDS)[number];
export type BracketMetric = (typeof BRACKET_METRICS)[number];

/**
 * A take-profit or stop-loss as requested; `bracket.ts` explains each metric. A ratio may be transformed
 * (`transform.ts`), and then does not trail.
 */
export interface Bracket extends Transformation {
  readonly type: BracketMetric;
  /** Level in the metric's unit, percentage points, USD, price or ratio, or in that of the transform. */
  readonly value: DecimalString;
  readonly trailing: {
    /** Distance kept from the peak, in the metric's unit, > 0. */
    readonly delta: DecimalString;
    /** Value of the metric at which trailing begins; null: at once for a stop-loss, at `value` for a take-profit. */
    readonly activation: DecimalString | null;
  } | null;
  /**
   * Slippage of the first round, a fraction around the mark; left out: the kind's default (`bracket-rounds.ts`).
   */
  readonly slippage?: DecimalString;
  /**
   * True: when this bracket is set with an order's fills, it replaces the one that the position has by then. Left
   * out: the existing one stays.
   */
  readonly replaces?: true;
  /**
   * Time at which a person approved the replacement of tighter protection, epoch ms. Protection set later stays. Left
   * out: nobody was asked.
   */
  readonly approvedAt?: number;
  /**
   * For a POSITION_VALUE that comes with an order: value in USD of the whole position that its level was asked for.
   * Left out: the position as it is when the bracket is set.
   */
  readonly sizedFor?: DecimalString;
  /** True: an agent's reversal carries it over from one that the user had paused. Left out: it watches. */
  readonly pausedByUser?: true;
  /** Authority of the one from which an agent's reversal carries it over. Left out: that of the order. */
  readonly owner?: Placed;
}

/** Rounds of a bracket that fired. */
export interface BracketWork {
  /** Rounds that ended and left the position open. */
  readonly rounds: number;
  /** Start of the next round, epoch ms; null while a round is running. */
  readonly nextRoundAt: number | null;
}

/** A bracket watching a position: the bracket asked for, its firing direction, and the peak that trailing has seen. */
export interface ArmedBracket {
  readonly bracket: Bracket;
  /** Fires when the metric is strictly beyond the level in this direction. */
  readonly direction: Direction;
  /** Best value seen since trailing began; null while it has not begun, or without trailing. */
  readonly peak: DecimalString | null;
  /** Rounds of the bracket; left out until it has fired. */
  readonly work?: BracketWork;
  /**
   * For a stop-loss while a leg that its level needs is not held: PnL in USD of the held legs, below which it fires
   * instead (stand-in.ts). Left out: its own level counts.
   */
  readonly standIn?: DecimalString;
  /** Left out: the size has not changed since the bracket was set, and its levels are those asked for. */
  readonly sized?: SizedLevels;
  /** Value of the metric at which a stop-loss was met while a round of the take-profit was running: it fires afterwards. */
  readonly met?: DecimalString;
}

/** ALERT: reports its condition and trades nothing. It never is TRIGGERED: it ends in the unit that reports it. */
export type TriggerKind = 'OPEN' | 'CLOSE' | 'ALERT';
export type TriggerStatus = (typeof TRIGGER_STATUSES)[number];
/**
 * Cause of a pause: the trader; a stale feed, whose return resumes it; a round of the position's other bracket, after
 * which it resumes; the mandate of its agent; another rung of its ladder that filled only in part.
 */
export type PauseReason = (typeof TRIGGER_PAUSE_REASONS)[number];
/** Reaction to a condition that was met while nobody watched: fire late if it holds, or ignore that crossing. */
export type MissedTriggerPolicy = (typeof MISSED_TRIGGER_POLICIES)[number];

interface TriggerRecord extends Placed {
  readonly id: string;
  readonly userId: string;
  readonly tradeAccountId: string;
  readonly connector: string;
  readonly basketKey: string;
  /** OPEN opens or adds to the basket; CLOSE closes `positionId`; ALERT only notifies. */
  readonly kind: TriggerKind;
  /** Position that the trigger closes, or (kind OPEN) has led to; null: no order has opened a position yet. */
  readonly positionId: string | null;
  readonly ladderId: string | null;
  readonly rungIndex: number | null;
  /**
   * kind OPEN: the legs to trade. kind CLOSE: the position's legs, `amount` in base units as of the trigger's making.
   */
  readonly legs: readonly TradeLeg[];
  /** Each leg's share of gross notional, fixed when the trigger was made; in the order of `legs`, summing to 1. */
  readonly weights: readonly DecimalString[];
  readonly totalUsd: DecimalString | null;
  /** kind CLOSE: share of the position to close, (0–1]; null for kind OPEN. */
  readonly fraction: DecimalString | null;
  readonly priceSource: PriceSource;
  readonly slippage: DecimalString;
  readonly onLegFailure: LegFailurePolicy;
  /** Brackets for the position that an OPEN trigger leads to. */
  readonly takeProfit: Bracket | null;
  readonly stopLoss: Bracket | null;
  readonly onMissed: MissedTriggerPolicy;
  readonly clientId: string | null;
  readonly expiresAt: number | null;
  readonly status: TriggerStatus;
  /** Reason of the pause; not null exactly while PAUSED. */
  readonly pauseReason: PauseReason | null;
  /** AGENT: an agent requested its pause for the reason USER. Left out or null: the user did. */
  readonly pausedBy?: PausedBy | null;
  readonly lastValue: DecimalString | null;
  readonly lastCheckedAt: number | null;
  readonly triggeredAt: number | null;
  readonly executionId: string | null;
  /** Fills of its execution; of a bracket those of all its rounds. Empty until the execution has ended. */
  readonly filled: readonly FilledLeg[];
  readonly error: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

interface AwaitsCondition {
  readonly condition: Condition;
  readonly bracketType: null;
  readonly armed: null;
}

interface AwaitsLevel {
  readonly condition: null;
  readonly bracketType: BracketKind;
  readonly armed: ArmedBracket;
}

/** A trigger waits either for a condition, or (a bracket, always kind CLOSE) for a level of its position. */
export type Trigger = TriggerRecord & (AwaitsCondition | AwaitsLevel);

type WatchedTerms = Pick<
  TriggerRecord,
  'id' | 'connector' | 'positionId' | 'legs' | 'weights' | 'priceSource' | 'onMissed'
>;

/** Fields needed to watch a trigger, without those that its execution needs. */
export type WatchedTrigger = WatchedTerms & (AwaitsCondition | AwaitsLevel);

/**
 * Fields kept of a waiting trigger of kind OPEN; the trigger's record is read once something happens to it.
 */
export type WaitingOpening = WatchedTerms &
  AwaitsCondition &
  Pick<TriggerRecord, 'tradeAccountId' | 'expiresAt' | 'pauseReason'> & {
    readonly kind: 'OPEN';
    readonly status: 'ACTIVE' | 'PAUSED';
    readonly positionId: null;
  };

export type TriggerEvent =
  | 'pause'
  | 'resume'
  | 'fire'
  /** Its execution has failed, and the fills are being closed again. */
  | 'unwind'
  | 'complete'
  | 'complete_partly'
  | 'fail'
  /** The venue reported a fill after its execution had ended. */
  | 'fill_late'
  | 'cancel'
  | 'expire';
export type BracketEvent =
  | Exclude<TriggerEvent, 'fail' | 'complete_partly' | 'unwind' | 'fill_late'>
  /** A round ended and the position is still open. */
  | 'go_on'
  /** The next round begins. */
  | 'try_again'
  /** The stop-loss fires while the take-profit waits for its next round. */
  | 'give_way';

export const TRIGGER_TRANSITIONS: TransitionTable<TriggerStatus, TriggerEvent> = {
  ACTIVE: { pause: 'PAUSED', fire: 'TRIGGERED', cancel: 'CANCELLED', expire: 'EXPIRED' },
  PAUSED: {
    // The trader's pause replaces a pause for a stale feed, so that the feed's return does not resume what the trader
    // stopped.
    pause: 'PAUSED',
    resume: 'ACTIVE',
    cancel: 'CANCELLED',
    expire: 'EXPIRED',
  },
  // Orders may be in flight: only their outcome ends the trigger.
  TRIGGERED: {
    unwind: 'TRIGGERED',
    complete: 'COMPLETED',
    complete_partly: 'PARTIALLY_COMPLETED',
    fail: 'FAILED',
  },
  COMPLETED: {},
  PARTIALLY_COMPLETED: {},
  FAILED: { fill_late: 'PARTIALLY_COMPLETED' },
  CANCELLED: {},
  EXPIRED: {},
};

export const BRACKET_TRANSITIONS: TransitionTable<TriggerStatus, BracketEvent> = {
  ACTIVE: { pause: 'PAUSED', fire: 'TRIGGERED', cancel: 'CANCELLED', expire: 'EXPIRED' },
  PAUSED: { pause: 'PAUSED', resume: 'ACTIVE', cancel: 'CANCELLED', expire: 'EXPIRED' },
  TRIGGERED: {
    go_on: 'TRIGGERED',
    try_again: 'TRIGGERED',
    give_way: 'PAUSED',
    complete: 'COMPLETED',
    // Between two rounds: the trader removed the bracket, or something else closed the position.
    cancel: 'CANCELLED',
  },
  COMPLETED: {},
  // Only triggers with a condition end so: protection ends when the position is closed.
  PARTIALLY_COMPLETED: {},
  // Brackets stored by earlier versions may have ended as FAILED.
  FAILED: {},
  CANCELLED: {},
  EXPIRED: {},
};

/** True while a trigger waits: the only time its terms may be changed. */
export function isRestingTrigger(trigger: Pick<Trigger, 'status'>): boolean {
  return trigger.status === 'ACTIVE' || trigger.status === 'PAUSED';
}

/** True while a trigger of kind OPEN waits. */
export function isWaitingOpening(trigger: Trigger | WaitingOpening): trigger is WaitingOpening {
  return trigger.kind === 'OPEN' && isRestingTrigger(trigger);
}

/** Fires a trigger whose condition was met at `value`. Commit the result before any order is sent. */
export function fireTrigger(
  trigger: Trigger,
  seen: { readonly value: DecimalString; readonly executionId: string },
  now: number,
): Result<Trigger, IllegalTransition> {
  const fired = moved(trigger, 'fire', now, {
    lastValue: seen.value,
    lastCheckedAt: now,
    triggeredAt: now,
    executionId: seen.executionId,
    error: null,
  });
  return fired.ok && fired.value.armed !== null
    ? ok({ ...fired.value, armed: { ...fired.value.armed, work: { rounds: 0, nextRoundAt: null } } })
    : fired;
}

/**
 * Pauses a trigger, or turns its pause into the trader's. Refused when paused for the same reason already, or by the
 * trader.
 */
export function pauseTrigger(
  trigger: Trigger,
  reason: PauseReason,
  now: number,
  pausedBy: PausedBy | null = null,
): Result<Trigger, IllegalTransition> {
  if (trigger.status === 'PAUSED' && !mayPauseAgain(trigger, reason, pausedBy)) {
    return fail({ kind: 'illegal_transition', from: 'PAUSED', event: 'pause' });
  }
  return moved(withoutMet(trigger), 'pause', now, { pauseReason: reason, pausedBy });
}

function withoutMet(trigger: Trigger): Trigger {
  if (trigger.bracketType === null || trigger.armed.met === undefined) return trigger;
  const { met: _, ...armed } = trigger.armed;
  return { ...trigger, armed, error: null };
}

export function resumeTrigger(trigger: Trigger, now: number): Result<Trigger, IllegalTransition> {
  // The error of such a pause is another rung's.
  const error = trigger.pauseReason === 'LEG_IMBALANCE' ? null : trigger.error;
  return moved(trigger, 'resume', now, { pauseReason: null, pausedBy: null, error });
}

export function completeTrigger(
  trigger: Trigger,
  positionId: string | null,
  now: number,
): Result<Trigger, IllegalTransition> {
  return moved(trigger, 'complete', now, { positionId: positionId ?? trigger.positionId, error: null });
}

/** A trigger whose execution failed, until its fills are closed again. */
export function unwindTrigger(
  trigger: Trigger,
  error: string | null,
  now: number,
): Result<Trigger, IllegalTransition> {
  return moved(trigger, 'unwind', now, { error });
}

/** Ends a trigger whose execution failed: PARTIALLY_COMPLETED if a part of it filled, else FAILED. */
export function failTrigger(
  trigger: Trigger,
  error: string,
  now: number,
): Result<Trigger, IllegalTransition> {
  return moved(trigger, hasFilled(trigger.filled) ? 'complete_partly' : 'fail', now, { error });
}

/** `error` says why when it was not the trader who cancelled (the other bracket fired, the position closed). */
export function cancelTrigger(
  trigger: Trigger,
  error: string | null,
  now: number,
): Result<Trigger, IllegalTransition> {
  return moved(trigger, 'cancel', now, { pauseReason: null, pausedBy: null, error });
}

export function expireTrigger(trigger: Trigger, now: number): Result<Trigger, IllegalTransition> {
  return moved(trigger, 'expire', now, { pauseReason: null, pausedBy: null });
}

/** True from `expiresAt` on (epoch ms). */
export function isExpired(trigger: Pick<Trigger, 'expiresAt'>, now: number): boolean {
  return trigger.expiresAt !== null && now >= trigger.expiresAt;
}

/**
 * Reason why a met condition is noticed late: nothing was watched (the gateway was off, a feed was stale), or its
 * trigger was paused.
 */
export type Late = 'gap' | 'pause';

/**
 * Reaction of a trigger that is watched again after a gap (a restart, sleep, a stale feed) or a pause: the trigger fires late, or
 * (SKIP) waits until the condition has been seen not to hold, or just goes on.
 * @param holds whether its condition, or its bracket's level, is met at the first value seen
 */
export function whenWatchedAgain(
  trigger: Pick<Trigger, 'onMissed'>,
  holds: boolean,
): 'fire_late' | 'wait_for_crossing' | 'watch' {
  if (!holds) return 'watch';
  return trigger.onMissed === 'FIRE' ? 'fire_late' : 'wait_for_crossing';
}

/** One step of the trigger's table with the changes that it brings. */
export function moved(
  trigger: Trigger,
  event: TriggerEvent | BracketEvent,
  now: number,
  changes: Partial<TriggerRecord>,
): Result<Trigger, IllegalTransition> {
  const table: TransitionTable<TriggerStatus, TriggerEvent | BracketEvent> =
    trigger.bracketType === null ? TRIGGER_TRANSITIONS : BRACKET_TRANSITIONS;
  return move(table, trigger, event, { ...changes, updatedAt: now });
}
