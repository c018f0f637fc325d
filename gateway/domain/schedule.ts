/**
 * A TWAP schedule: a basket in timed slices, its record and its life as tables.
 *
 * schedule: ACTIVE ⇄ PAUSED → COMPLETED | PARTIALLY_COMPLETED | STOPPED_BY_BRACKET | CANCELLED | FAILED
 * slice:    PENDING → EXECUTING → COMPLETED | FAILED; EXECUTING ⟲ while what filled is closed again;
 *            PENDING → SKIPPED | CANCELLED | FAILED
 *
 * Amounts are in `slicing.ts`, times in `slice-timing.ts`.
 */
import type { Placed } from './authority.ts';
import type { DecimalString } from './decimal.ts';
import type {
  AFTER_BRACKET_POLICIES,
  MISSED_SLICE_POLICIES,
  SCHEDULE_PAUSE_REASONS,
  SCHEDULE_STATUSES,
  SLICE_STATUSES,
} from './enumerations.ts';
import type { LegFailurePolicy, Side, TradeLeg } from './model.ts';
import { mayPauseAgain, type PausedBy } from './pause.ts';
import { fail, type Result } from './result.ts';
import { type IllegalTransition, move, type TransitionTable } from './transition.ts';
import type { Bracket } from './trigger.ts';

export type ScheduleStatus = (typeof SCHEDULE_STATUSES)[number];
export type SliceStatus = (typeof SLICE_STATUSES)[number];
export type MissedSlicePolicy = (typeof MISSED_SLICE_POLICIES)[number];
/** Fate of an opening schedule whose position its take-profit or stop-loss has closed. */
export type AfterBracket = (typeof AFTER_BRACKET_POLICIES)[number];
export type SchedulePauseReason = (typeof SCHEDULE_PAUSE_REASONS)[number];

/**
 * Amount asked of one leg, and the parts filled and given up. `total`, `settled` and `dropped` are in `unit`.
 */
export interface LegLedger {
  readonly symbol: string;
  readonly side: Side;
  /** USD for legs asked in USD or as a weight, base units for the others. */
  readonly unit: 'USD' | 'BASE';
  readonly total: DecimalString;
  /**
   * Filled amount; in USD at the mark price that sized the slice, so that slippage does not change the remaining
   * amount.
   */
  readonly settled: DecimalString;
  /** Amount given up with slices that were missed under the policy SKIP. */
  readonly dropped: DecimalString;
  /**
   * Amount of a closing leg that trades outside Tandem took out of the position. No slice trades it, and it does not
   * count as filled. Left out: none.
   */
  readonly outside?: DecimalString;
  /**
   * Amount that the leg was behind and that is no longer made up for, because something other than the schedule reduced
   * the position. It counts as progress where legs are compared, but not as filled. Left out: none.
   */
  readonly forgone?: DecimalString;
  /** USD value of one unit: 1 for USD; for base units the mark price when the schedule was made. */
  readonly usdPerUnit: DecimalString;
  /** Quantity filled so far, base units. */
  readonly quantity: DecimalString;
  /** Notional of the fills, USD: quantity × average fill price. */
  readonly notional: DecimalString;
}

/** One leg of a slice as it is sent. */
export interface SliceLeg {
  readonly symbol: string;
  readonly side: Side;
  /** Amount in the unit of the leg's ledger. */
  readonly amount: DecimalString;
  /** Base units: the amount at `mark`, rounded down to the step; '0': nothing will be sent. */
  readonly quantity: DecimalString;
  readonly mark: DecimalString;
  /** Fills that are being closed again, or were (UNWIND). Left out: nothing of the slice is unwound. */
  readonly unwound?: { readonly quantity: DecimalString; readonly price: DecimalString | null };
}

export interface Slice {
  readonly index: number;
  readonly scheduledAt: number;
  readonly executedAt: number | null;
  readonly status: SliceStatus;
  readonly executionId: string | null;
  /**
   * Legs as sent; null until the slice is executed. Kept so that its fills can be settled after a restart.
   */
  readonly legs: readonly SliceLeg[] | null;
  readonly filledUsd: DecimalString;
  readonly error: string | null;
}

export interface Schedule extends Placed {
  readonly id: string;
  readonly userId: string;
  readonly tradeAccountId: string;
  readonly connector: string;
  readonly basketKey: string;
  /** OPEN opens or adds to the basket; CLOSE closes `fraction` of `positionId`. */
  readonly kind: 'OPEN' | 'CLOSE';
  readonly positionId: string | null;
  readonly fraction: DecimalString | null;
  readonly legs: readonly TradeLeg[];
  readonly ledger: readonly LegLedger[];
  readonly durationSeconds: number;
  readonly intervalSeconds: number;
  readonly randomize: boolean;
  readonly slippage: DecimalString;
  readonly onLegFailure: LegFailurePolicy;
  readonly limitRatio: DecimalString | null;
  readonly missedSlicePolicy: MissedSlicePolicy;
  readonly takeProfit: Bracket | null;
  readonly stopLoss: Bracket | null;
  readonly afterBracket: AfterBracket;
  readonly reduceOnly: boolean;
  readonly clientId: string | null;
  readonly status: ScheduleStatus;
  /** Reason of the pause; not null exactly while PAUSED. */
  readonly pauseReason: SchedulePauseReason | null;
  /** AGENT: an agent requested its pause for the reason USER. Left out or null: the user did. */
  readonly pausedBy?: PausedBy | null;
  /** Slices by index. */
  readonly slices: readonly Slice[];
  readonly averageRatio: DecimalString | null;
  readonly error: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type ScheduleEvent =
  | 'pause'
  | 'resume'
  | 'complete'
  | 'complete_partly'
  | 'stop_by_bracket'
  | 'cancel'
  | 'fail';

export const SCHEDULE_TRANSITIONS: TransitionTable<ScheduleStatus, ScheduleEvent> = {
  ACTIVE: {
    pause: 'PAUSED',
    complete: 'COMPLETED',
    complete_partly: 'PARTIALLY_COMPLETED',
    stop_by_bracket: 'STOPPED_BY_BRACKET',
    cancel: 'CANCELLED',
    fail: 'FAILED',
  },
  PAUSED: {
    // The trader's pause replaces a pause for another reason, so that only the trader can resume.
    pause: 'PAUSED',
    resume: 'ACTIVE',
    cancel: 'CANCELLED',
    // A paused schedule may still complete: its last slice may have been executing when it was paused.
    complete: 'COMPLETED',
    complete_partly: 'PARTIALLY_COMPLETED',
    stop_by_bracket: 'STOPPED_BY_BRACKET',
    fail: 'FAILED',
  },
  COMPLETED: {},
  PARTIALLY_COMPLETED: {},
  STOPPED_BY_BRACKET: {},
  CANCELLED: {},
  FAILED: {},
};

export type SliceEvent = 'execute' | 'unwind' | 'complete' | 'fail' | 'skip' | 'cancel';

export const SLICE_TRANSITIONS: TransitionTable<SliceStatus, SliceEvent> = {
  PENDING: {
    execute: 'EXECUTING',
    skip: 'SKIPPED',
    cancel: 'CANCELLED',
    // A slice can be refused before it becomes an execution: the basket is busy, or trading is paused.
    fail: 'FAILED',
  },
  // Orders may be in flight: only their outcome ends the slice, even after the schedule was cancelled.
  EXECUTING: { unwind: 'EXECUTING', complete: 'COMPLETED', fail: 'FAILED' },
  COMPLETED: {},
  FAILED: {},
  SKIPPED: {},
  CANCELLED: {},
};

export function isRunningSchedule(schedule: Pick<Schedule, 'status'>): boolean {
  return schedule.status === 'ACTIVE' || schedule.status === 'PAUSED';
}

/** Pauses a schedule. Refused when the schedule is paused for the same reason already, or by the trader. */
export function pauseSchedule(
  schedule: Schedule,
  reason: SchedulePauseReason,
  now: number,
  pausedBy: PausedBy | null = null,
): Result<Schedule, IllegalTransition> {
  const { status } = schedule;
  if (status === 'PAUSED' && !mayPauseAgain(schedule, reason, pausedBy)) {
    return fail({ kind: 'illegal_transition', from: status, event: 'pause' });
  }
  return moved(schedule, 'pause', now, { pauseReason: reason, pausedBy });
}

/** `slices` as `resumedSlices` (slice-timing.ts) makes them. The error of the pause ends with it. */
export function resumeSchedule(
  schedule: Schedule,
  slices: readonly Slice[],
  now: number,
): Result<Schedule, IllegalTransition> {
  return moved(schedule, 'resume', now, { pauseReason: null, pausedBy: null, slices, error: null });
}

/**
 * Ends a schedule and every slice that was not sent. `error` says why it failed or was stopped; null otherwise.
 */
export function endSchedule(
  schedule: Schedule,
  event: 'complete' | 'complete_partly' | 'stop_by_bracket' | 'cancel' | 'fail',
  error: string | null,
  now: number,
): Result<Schedule, IllegalTransition> {
  const slices = moveSlices(schedule.slices, () => true, 'cancel');
  return moved(schedule, event, now, { pauseReason: null, pausedBy: null, slices, error });
}

export function moveSlice(
  slice: Slice,
  event: SliceEvent,
  changes: Partial<Pick<Slice, 'executedAt' | 'executionId' | 'legs' | 'filledUsd' | 'error'>>,
): Result<Slice, IllegalTransition> {
  return move(SLICE_TRANSITIONS, slice, event, changes);
}

/** The slices, with those that `which` selects moved by an event, if their transition table allows it. */
export function moveSlices(
  slices: readonly Slice[],
  which: (slice: Slice) => boolean,
  event: SliceEvent,
  changes: Parameters<typeof moveSlice>[2] = {},
): readonly Slice[] {
  return slices.map((slice) => {
    const moved = which(slice) ? moveSlice(slice, event, changes) : null;
    return moved?.ok === true ? moved.value : slice;
  });
}

function moved(
  schedule: Schedule,
  event: ScheduleEvent,
  now: number,
  changes: Partial<Schedule>,
): Result<Schedule, IllegalTransition> {
  return move(SCHEDULE_TRANSITIONS, schedule, event, { ...changes, updatedAt: now });
}
