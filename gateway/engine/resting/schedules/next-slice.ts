/** Pure: the next step of a schedule, from its record, current prices and the time. */
import { type Decimal, dec, floorTo, text, textRounded } from '../../../domain/decimal.ts';
import { forgoReduced, keptInStep } from '../../../domain/legs-in-step.ts';
import type { Position } from '../../../domain/model.ts';
import { weightedRatio } from '../../../domain/ratio.ts';
import {
  endSchedule,
  type LegLedger,
  moveSlices,
  type Schedule,
  type SchedulePauseReason,
  type Slice,
  type SliceLeg,
} from '../../../domain/schedule.ts';
import { withoutFullStop } from '../../../domain/sentence.ts';
import { decideSlices, nextSliceAt } from '../../../domain/slice-timing.ts';
import {
  basketSide,
  dropMissed,
  isWithinLimit,
  plannedUsd,
  remainingOf,
  scheduleOutcome,
  sizeSliceLeg,
  sliceAmount,
  unitStep,
} from '../../../domain/slicing.ts';

/** Market and position at the time of a decision. */
export interface SliceFacts {
  /** Mark price, USD; undefined if unknown or stale. */
  mark(symbol: string): string | undefined;
  /** Last mark price, USD, however old; undefined if unknown. */
  lastMark(symbol: string): string | undefined;
  /** Quantity step; undefined if the connector no longer lists the instrument. */
  stepSize(symbol: string): string | undefined;
  /** Smallest order of a leg that the venue accepts, in its ledger's unit; 0 if unknown. */
  smallest(leg: LegLedger): Decimal;
  /** Base units of a leg in the position; null: the position is not open. For closing schedules only. */
  held(symbol: string): string | null;
}

export type NextStep =
  /** No slice is due before `until` (epoch ms); null: no time is known, the schedule waits for an event. */
  | { readonly kind: 'wait'; readonly until: number | null }
  /** A slice is due, but the ratio is worse than the limit: check again soon. */
  | { readonly kind: 'hold' }
  | { readonly kind: 'pause'; readonly reason: SchedulePauseReason }
  /** The schedule was paused for missing prices, and they are back. */
  | { readonly kind: 'resume' }
  /** Slices end without an execution; then the schedule is checked again. */
  | { readonly kind: 'change'; readonly schedule: Schedule }
  /** Slice `index` of `schedule` must be sent; `schedule` already counts the missed slices as ended. */
  | {
      readonly kind: 'send';
      readonly schedule: Schedule;
      readonly index: number;
      readonly legs: readonly SliceLeg[];
    }
  | { readonly kind: 'end'; readonly schedule: Schedule };

/** Time between slices, ms. */
export function spacingOf(schedule: Pick<Schedule, 'durationSeconds' | 'slices'>): number {
  return (schedule.durationSeconds * 1_000) / Math.max(1, schedule.slices.length);
}

export function nextStep(schedule: Schedule, facts: SliceFacts, now: number): NextStep {
  if (schedule.status === 'PAUSED' && schedule.pauseReason === 'FEED_STALE') {
    return hasPrices(schedule, facts) ? { kind: 'resume' } : { kind: 'hold' };
  }
  if (schedule.status !== 'ACTIVE') return { kind: 'wait', until: null };
  // All slices are over; the last ones may have ended without an execution.
  if (schedule.slices.every(isOver)) return ended(schedule, facts, null, now);
  const spacing = spacingOf(schedule);
  const due = decideSlices(schedule.slices, schedule.missedSlicePolicy, spacing, now);
  if (due.kind === 'wait') return due;
  if (isPositionGone(schedule, facts)) return { kind: 'end', schedule: withoutPosition(schedule, now) };
  if (due.kind === 'pause') return { kind: 'pause', reason: 'MISSED_SLICES' };
  if (!hasPrices(schedule, facts)) return { kind: 'pause', reason: 'FEED_STALE' };
  if (!isRatioWithinLimit(schedule, facts)) {
    const last = schedule.slices.at(-1);
    const isLate = last !== undefined && now >= last.scheduledAt + spacing;
    return isLate
      ? ended(schedule, facts, `The ratio stayed worse than the limit of ${schedule.limitRatio}`, now)
      : { kind: 'hold' };
  }
  const skipped = due.kind === 'skip' ? droppedSlices(schedule, due.missed, facts) : schedule;
  if (due.index === null) return { kind: 'change', schedule: { ...skipped, updatedAt: now } };
  return sized(skipped, due.index, due.kind === 'execute' ? due.missed : [], facts, now);
}

/**
 * Schedule while no slice is executing: ended if no slice is pending or no amount is left, else unchanged. A `reason`
 * ends it early and cancels the pending slices.
 */
export function concluded(
  schedule: Schedule,
  facts: SliceFacts,
  reason: string | null,
  now: number,
): Schedule {
  const isPending = schedule.slices.some(({ status }) => status === 'PENDING');
  const isDone = schedule.ledger.every((leg) => isLegDone(schedule, leg, facts));
  if (isPending && !isDone && reason === null) return schedule;
  const rest = schedule.slices.filter(({ status }) => status !== 'PENDING');
  const dust = schedule.ledger.map((leg) => dustOf(leg, facts));
  const outcome = scheduleOutcome(rest, schedule.ledger, dust);
  if (outcome === null) return schedule;
  const isAllForgone = schedule.ledger.every((leg, index) => remainingOf(leg).lt(dust[index] ?? 0));
  const told = reason ?? (isAllForgone ? null : (lastError(rest) ?? notHeldText(schedule, facts)));
  const why = outcome === 'complete' ? null : whyNotAll(schedule.ledger, told);
  const over = endSchedule(schedule, outcome, why, now);
  return over.ok ? over.value : schedule;
}

function whyNotAll(ledger: readonly LegLedger[], reason: string | null): string {
  const reasons = [reason, forgoneText(ledger)].filter((one) => one !== null);
  return reasons.length === 0 ? 'Not everything was traded' : reasons.map(withoutFullStop).join('. ');
}

/** Null: nothing was given up. */
function forgoneText(ledger: readonly LegLedger[]): string | null {
  const legs = ledger.flatMap(({ symbol, forgone = '0', usdPerUnit }) =>
    forgone === '0' ? [] : [`${textRounded(dec(forgone).mul(usdPerUnit), 2)} USD of ${symbol}`],
  );
  if (legs.length === 0) return null;
  return `The position was reduced while legs were behind, so ${legs.join(' and ')} were not made up for`;
}

/** Null: all legs of a closing schedule are held, or it opens. */
function notHeldText(schedule: Schedule, facts: SliceFacts): string | null {
  const gone = schedule.ledger.filter(
    (leg) => remainingOf(leg).gte(dustOf(leg, facts)) && isLegDone(schedule, leg, facts),
  );
  if (schedule.kind === 'OPEN' || gone.length === 0) return null;
  return `Nothing is held any more of ${gone.map(({ symbol }) => symbol).join(' and ')}`;
}

/** Gives up making up for legs that are behind, as far as something else has reduced the position. */
export function withPositionReduced(
  schedule: Schedule,
  [before, after]: readonly [Position, Position],
  facts: Pick<SliceFacts, 'stepSize' | 'lastMark'>,
  now: number,
): Schedule {
  const lotOf = (leg: LegLedger) => dustOf(leg, facts);
  const ledger = forgoReduced(schedule.kind, schedule.ledger, before, after, lotOf);
  if (ledger === schedule.ledger) return schedule;
  const changed = { ...schedule, ledger, updatedAt: now };
  const why = forgoneText(ledger);
  // The reason of the pause names a gap that is no longer there, or is smaller.
  return schedule.pauseReason === 'LEG_IMBALANCE' && why !== null
    ? { ...changed, error: `${why}. Resume it to trade the rest, or cancel it` }
    : changed;
}

/** Cancels a closing schedule whose position something else has closed: nothing is left to close. */
export function withoutPosition(schedule: Schedule, now: number): Schedule {
  const over = endSchedule(schedule, 'cancel', 'The position is closed', now);
  return over.ok ? over.value : schedule;
}

/** Ends an opening schedule whose position was closed by its take-profit or stop-loss. */
export function stoppedByBracket(schedule: Schedule, now: number): Schedule {
  const why = 'The take-profit or stop-loss of its position has closed what it opened';
  const over = endSchedule(schedule, 'stop_by_bracket', why, now);
  return over.ok ? over.value : schedule;
}

/** Cancels a schedule of a basket that was turned over: its slices would trade against the opposite. */
export function stoppedByReversal(schedule: Schedule, now: number): Schedule {
  const over = endSchedule(schedule, 'cancel', 'The position was reversed', now);
  return over.ok ? over.value : schedule;
}

/** True: every price and step that a slice needs is known. */
function hasPrices(schedule: Schedule, facts: SliceFacts): boolean {
  return schedule.ledger.every(
    ({ symbol }) => facts.mark(symbol) !== undefined && facts.stepSize(symbol) !== undefined,
  );
}

function isPositionGone(schedule: Schedule, facts: SliceFacts): boolean {
  return schedule.kind === 'CLOSE' && schedule.ledger.every(({ symbol }) => facts.held(symbol) === null);
}

/** Weighted by the requested amounts: weights that changed with the fills would also move the limit. */
function isRatioWithinLimit(schedule: Schedule, facts: SliceFacts): boolean {
  const { kind, limitRatio, ledger } = schedule;
  if (limitRatio === null) return true;
  const ratio = weightedRatio(
    ledger.map((leg) => ({
      side: basketSide(kind, leg.side),
      price: facts.mark(leg.symbol) ?? '0',
      notional: plannedUsd(leg),
    })),
  );
  return isWithinLimit(kind, limitRatio, ratio);
}

/** Policy SKIP: missed slices end unsent, and their amounts are dropped from every leg. */
function droppedSlices(schedule: Schedule, missed: readonly number[], facts: SliceFacts): Schedule {
  const left = schedule.slices.filter(({ status }) => status === 'PENDING').length;
  return {
    ...schedule,
    slices: skippedSlices(schedule.slices, missed),
    ledger: dropMissed(schedule.ledger, { left, missed: missed.length }, (leg) =>
      unitStep(leg, facts.stepSize(leg.symbol) ?? '1'),
    ),
  };
}

function sized(
  schedule: Schedule,
  index: number,
  missed: readonly number[],
  facts: SliceFacts,
  now: number,
): NextStep {
  const left = schedule.slices.filter(({ status }) => status === 'PENDING').length;
  const plan = { sliceCount: schedule.slices.length, left, missed: missed.length };
  const open = openLegs(schedule, facts);
  if (open.length === 0) return ended(schedule, facts, null, now);
  const parts = open.map((leg) => {
    const step = unitStep(leg, facts.stepSize(leg.symbol) ?? '1');
    const lot = dustOf(leg, facts);
    return { leg, step, lot, amount: sliceAmount(leg, plan, step), smallest: facts.smallest(leg) };
  });
  const legs = keptInStep(parts, plan.sliceCount).map(({ leg, amount }) =>
    sizedLeg(schedule, leg, amount, facts),
  );
  const changed: Schedule = {
    ...schedule,
    slices: skippedSlices(schedule.slices, missed),
    updatedAt: now,
  };
  const tooSmall = legs.find(({ quantity }) => quantity === '0');
  if (tooSmall === undefined) return { kind: 'send', schedule: changed, index, legs };
  // A slice without one of its legs would be another basket; its amounts are added to the next slice.
  const error = `${tooSmall.symbol}: the slice is below one quantity step`;
  const slices = moveSlices(changed.slices, (slice) => slice.index === index, 'fail', { error });
  return { kind: 'change', schedule: { ...changed, slices } };
}

function sizedLeg(schedule: Schedule, leg: LegLedger, amount: Decimal, facts: SliceFacts): SliceLeg {
  const stepSize = facts.stepSize(leg.symbol) ?? '1';
  const slice = sizeSliceLeg(leg, amount, facts.mark(leg.symbol) ?? '0', stepSize);
  if (schedule.kind === 'OPEN') return slice;
  const held = dec(facts.held(leg.symbol) ?? 0);
  return held.lt(slice.quantity) ? { ...slice, quantity: text(floorTo(held, dec(stepSize))) } : slice;
}

/** Legs with a rest to trade. */
export function openLegs(schedule: Schedule, facts: SliceFacts): readonly LegLedger[] {
  return schedule.ledger.filter((leg) => !isLegDone(schedule, leg, facts));
}

/**
 * True: the leg's rest, or the position's quantity, is below one quantity step. A leg without any fill is never done,
 * unless its rest was forgone: if its price rises until its amount is below one step, the other legs must not be traded
 * without it.
 */
function isLegDone(schedule: Schedule, leg: LegLedger, facts: SliceFacts): boolean {
  const isBegun = leg.quantity !== '0' || leg.forgone !== undefined;
  if (isBegun && remainingOf(leg).lt(dustOf(leg, facts))) return true;
  if (schedule.kind === 'OPEN') return false;
  return dec(facts.held(leg.symbol) ?? 0).lt(facts.stepSize(leg.symbol) ?? '1');
}

/** One quantity step, in the unit of the leg's ledger (USD or base units). */
function dustOf(leg: LegLedger, facts: Pick<SliceFacts, 'stepSize' | 'lastMark'>): Decimal {
  const step = dec(facts.stepSize(leg.symbol) ?? '0');
  return leg.unit === 'USD' ? step.mul(facts.lastMark(leg.symbol) ?? 0) : step;
}

function ended(schedule: Schedule, facts: SliceFacts, reason: string | null, now: number): NextStep {
  return { kind: 'end', schedule: concluded(schedule, facts, reason, now) };
}

function skippedSlices(slices: readonly Slice[], missed: readonly number[]): readonly Slice[] {
  const indexes = new Set(missed);
  return moveSlices(slices, (slice) => indexes.has(slice.index), 'skip');
}

function isOver({ status }: Slice): boolean {
  return status !== 'PENDING' && status !== 'EXECUTING';
}

function lastError(slices: readonly Slice[]): string | null {
  // A completed slice's error is about brackets that were not set, not about missing trades.
  return slices.findLast(({ status, error }) => status !== 'COMPLETED' && error !== null)?.error ?? null;
}

/** Time of the next check for a slice, epoch ms; null: the schedule waits for no slice. */
export function nextLookAt(schedule: Schedule): number | null {
  return schedule.status === 'ACTIVE' ? nextSliceAt(schedule.slices) : null;
}
