/**
 * Sends the slices of TWAP schedules when they are due.
 *
 * A slice is committed EXECUTING together with its execution before anything is sent, so it is sent at most once; its
 * end is in the unit of the execution's end, so nothing is lost between the two. A schedule changes only in the queue
 * of its basket, in which executions of the basket end too: no two changes overwrite each other.
 *
 * Times are wall-clock times. If the clock jumps forward (sleep), slices were missed, and the schedule's policy
 * decides. If the clock is set back, pending slices move back with it, so that a schedule neither stalls nor repeats a
 * slice.
 */
import { inherited } from '../../../domain/authority.ts';
import type { Execution, Position } from '../../../domain/model.ts';
import { ok, type Result } from '../../../domain/result.ts';
import {
  endSchedule,
  isRunningSchedule,
  pauseSchedule,
  resumeSchedule,
  type Schedule,
} from '../../../domain/schedule.ts';
import { movedSlices } from '../../../domain/slice-timing.ts';
import type { IllegalTransition } from '../../../domain/transition.ts';
import { type EngineError, isUnarmed, storeFailed } from '../../core/errors.ts';
import { type FollowUp, type OnFilledLate, together } from '../../core/follow-ups.ts';
import { AGENT_DISCONNECTED, isCutOff } from '../../core/may-open.ts';
import { oneUnit } from '../../core/unit-parts.ts';
import { keptForUser } from '../../core/users-pause.ts';
import { basketQueueKey } from '../../execution/basket-key.ts';
import { type AcceptDeps, startExecution } from '../../execution/start-execution.ts';
import { isUnwinding } from '../../execution/unwind.ts';
import type { UnitOfWork } from '../../ports/unit-of-work.ts';
import { stopNotBrought } from '../triggers/stop-not-set.ts';
import { endedWithSlice } from './ended-schedule.ts';
import { LiveSchedules } from './live-schedules.ts';
import {
  type NextStep,
  nextLookAt,
  nextStep,
  type SliceFacts,
  spacingOf,
  stoppedByBracket,
  stoppedByReversal,
  withoutPosition,
  withPositionReduced,
} from './next-slice.ts';
import { heldBack, scheduleChanged } from './schedule-rows.ts';
import { settleSlice, settleUnwind, withLateFill, withSliceSent } from './settle-slice.ts';
import { sliceFacts, sliceIntention } from './slice-order.ts';
import { SET_BACK_MS, WallTimer } from './wall-timer.ts';

/** Wait before a due slice that could not be sent is retried, ms. */
const RETRY_MS = 1_000;

type SendStep = Extract<NextStep, { readonly kind: 'send' }>;

export class PlanScheduler {
  readonly schedules: LiveSchedules;
  readonly #deps: AcceptDeps;
  /** Next check of each schedule. Schedules that wait for an event have no entry. */
  readonly #timer: WallTimer;
  readonly #looking = new Set<string>();
  #isRunning = false;

  constructor(deps: AcceptDeps) {
    this.#deps = deps;
    this.schedules = new LiveSchedules((schedule) => deps.warden.reservations.scheduleIs(schedule));
    this.#timer = new WallTimer(deps.clock, {
      due: (id) => void this.#advanceSoon(id),
      setBack: (byMs) => this.#clockWasSetBack(byMs),
    });
    this.#deps.followUps.onExecutionEnded((ended, position) => this.#settled(ended, position));
    this.#deps.followUps.onPositionChanged((next, cause) => this.#positionChanged(next, cause));
    this.#deps.followUps.onFilledLate((...late) => this.#filledLate(...late));
  }

  /** Loads schedules. Call before executions of the previous process continue, whose ends they need. */
  async load(): Promise<void> {
    for (const schedule of await this.#deps.store.liveSchedules()) this.schedules.put(schedule);
  }

  /** Starts to send slices. */
  start(): void {
    this.#isRunning = true;
    const now = this.#deps.clock.now();
    for (const schedule of this.schedules.all()) {
      // The clock may have been set back while the gateway was not running.
      const back = schedule.updatedAt - now;
      if (back >= SET_BACK_MS) void this.#moveBack(schedule.id, back);
      this.look(schedule.id);
    }
    this.#timer.start();
  }

  /** Checks at once for slices that became due during sleep. Call after the machine woke. */
  woke(): void {
    this.#timer.look();
  }

  stop(): void {
    this.#isRunning = false;
    this.#timer.stop();
  }

  /** Checks a schedule. Call after it was created or resumed. */
  look(id: string): void {
    this.#lookAgain(id, this.#deps.clock.now());
  }

  /**
   * Changes a schedule with its basket's queue held: decides, commits, then updates memory. null: the schedule has
   * ended.
   * @param alongside rows of the same unit
   */
  change(
    schedule: Pick<Schedule, 'id' | 'tradeAccountId' | 'basketKey'>,
    decide: (current: Schedule, now: number) => Result<Schedule, IllegalTransition>,
    alongside: () => UnitOfWork = () => ({}),
  ): Promise<Result<Schedule, EngineError | IllegalTransition> | null> {
    return this.#deps.state.positions.queue.run(basketQueueKey(schedule), async () => {
      const current = this.schedules.get(schedule.id);
      if (current === undefined || !isRunningSchedule(current)) return null;
      const next = decide(current, this.#deps.clock.now());
      if (!next.ok) return next;
      const kept = await this.#keep(current, next.value, alongside());
      return kept.ok ? ok(next.value) : kept;
    });
  }

  /** After sleep, a slice may be noticed late by up to a tenth of the time between slices. */
  #lookAgain(id: string, at: number): void {
    const schedule = this.schedules.get(id);
    if (schedule !== undefined) this.#timer.set(id, at, spacingOf(schedule) / 10);
  }

  #clockWasSetBack(byMs: number): void {
    this.#deps.logger.warn({ byMs }, 'The clock was set back; pending slices keep their distance to now');
    for (const schedule of this.schedules.all()) void this.#moveBack(schedule.id, byMs);
  }

  async #moveBack(id: string, byMs: number): Promise<void> {
    const schedule = this.schedules.get(id);
    if (schedule === undefined) return;
    const moved = await this.change(schedule, (current, now) =>
      ok({ ...current, slices: movedSlices(current.slices, -byMs), updatedAt: now }),
    );
    if (moved?.ok === false) this.#failed(id, moved.error);
  }

  async #advanceSoon(id: string): Promise<void> {
    if (this.#looking.has(id)) return;
    const schedule = this.schedules.get(id);
    this.#timer.drop(id);
    if (schedule === undefined) return;
    this.#looking.add(id);
    let again: number | null;
    try {
      const { positions } = this.#deps.state;
      again = await positions.queue.run(basketQueueKey(schedule), () => this.#advance(id));
    } catch (error) {
      this.#failed(id, error);
      again = this.#deps.clock.now() + RETRY_MS;
    }
    this.#looking.delete(id);
    // A check that became due while this one ran was skipped; its time is still in the timer and counts too.
    const asked = this.#timer.get(id) ?? Number.POSITIVE_INFINITY;
    const at = Math.min(asked, again ?? Number.POSITIVE_INFINITY);
    if (at < Number.POSITIVE_INFINITY) this.#lookAgain(id, at);
  }

  /** Takes all due steps of one schedule with its basket's queue held. Returns the next check time; null: none. */
  async #advance(id: string): Promise<number | null> {
    for (;;) {
      const schedule = this.schedules.get(id);
      if (schedule === undefined || !this.#isRunning) return null;
      const now = this.#deps.clock.now();
      const retryAt = now + RETRY_MS;
      const step = nextStep(schedule, this.#factsOf(schedule), now);
      switch (step.kind) {
        case 'wait':
          return step.until;
        case 'hold':
          return retryAt;
        case 'send':
          return (await this.#send(schedule, step, now)) ? null : retryAt;
        default: {
          const after = afterStep(schedule, step, now);
          if (after === schedule) return null;
          if (!(await this.#keep(schedule, after)).ok) return retryAt;
          // A schedule paused for a stale feed is checked again until prices are back.
          if (step.kind === 'pause' && step.reason === 'FEED_STALE') return retryAt;
        }
      }
    }
  }

  /** True: the slice's execution was started, or the schedule ended instead. */
  async #send(schedule: Schedule, step: SendStep, now: number): Promise<boolean> {
    const account = this.#deps.accountOf(schedule.tradeAccountId);
    if (account === undefined) return this.#end(schedule, 'fail', 'The trade account was removed', now);
    if (schedule.kind === 'OPEN' && isCutOff(this.#deps, schedule)) {
      return this.#end(schedule, 'cancel', AGENT_DISCONNECTED, now);
    }
    if (schedule.kind === 'OPEN' && this.#deps.tradingPause.holds(schedule.userId)) return false;
    if (schedule.kind === 'OPEN' && this.#isBeingClosed(schedule)) return false;
    let after = schedule;
    const started = await startExecution(this.#deps, {
      account,
      basketKey: schedule.basketKey,
      placed: inherited(schedule),
      whenBusy: 'refuse',
      instead: this.#deps.warden.reservations.sliceOf(schedule, step.legs),
      acceptedAt: schedule.createdAt,
      decide: () => ok(sliceIntention(schedule, step.legs, this.#openPositionOf(schedule))),
      commitWith: (execution) => {
        after = withSliceSent(step.schedule, step.index, { executionId: execution.id, legs: step.legs }, now);
        return scheduleChanged(this.#deps, schedule, after);
      },
      committed: () => this.schedules.put(after),
    });
    if (!started.ok && isUnarmed(started.error)) {
      return this.#end(schedule, 'cancel', started.error.message, now);
    }
    if (!started.ok && started.error.code === 'AGENT_LIMIT') {
      return this.#holdBack(schedule, started.error.message, now);
    }
    if (!started.ok && started.error.code !== 'RESOURCE_BUSY') this.#failed(schedule.id, started.error);
    return started.ok;
  }

  /** Pauses a schedule whose mandate does not allow the slice, until its user acts. */
  async #holdBack(schedule: Schedule, reason: string, now: number): Promise<boolean> {
    const paused = pauseSchedule({ ...schedule, error: reason }, 'AGENT_LIMIT', now);
    if (!paused.ok) return false;
    const committed = await this.#deps.store.commit(
      oneUnit(scheduleChanged(this.#deps, schedule, paused.value), heldBack(this.#deps, schedule, reason)),
    );
    if (committed.ok) this.schedules.put(paused.value);
    return committed.ok;
  }

  async #end(schedule: Schedule, event: 'fail' | 'cancel', reason: string, now: number): Promise<boolean> {
    const over = endSchedule(schedule, event, reason, now);
    return over.ok && (await this.#keep(schedule, over.value)).ok;
  }

  async #keep(
    before: Schedule,
    after: Schedule,
    alongside: UnitOfWork = {},
  ): Promise<Result<null, EngineError>> {
    const unit = oneUnit(scheduleChanged(this.#deps, before, after), alongside);
    const committed = await this.#deps.store.commit(unit);
    if (!committed.ok) return storeFailed(committed.error);
    this.schedules.put(after);
    return ok(null);
  }

  #settled(ended: Execution, position: Position | null): FollowUp | null {
    const own = this.schedules.ofExecution(ended.id);
    const unwound = ended.parentId === null ? undefined : this.schedules.ofExecution(ended.parentId);
    const schedule = own ?? unwound;
    if (schedule === undefined) return null;
    const settle = own === undefined ? settleUnwind : settleSlice;
    const error = ended.error ?? keptForUser(this.#deps, ended, position);
    const facts = this.#factsOf(schedule, position);
    const after = settle(schedule, { ...ended, error }, facts, this.#deps.clock.now());
    const following = this.#following(schedule, after);
    const isUnprotected = position !== null && own !== undefined && isStopUnset(after);
    return isUnprotected
      ? together([following, { unit: stopNotBrought(this.#deps, position, ended.error) }])
      : following;
  }

  async #filledLate(...[execution, fill, position]: Parameters<OnFilledLate>): Promise<FollowUp | null> {
    if (execution.origin !== 'SCHEDULE') return null;
    const schedule =
      this.schedules.withSlice(execution.id) ?? (await endedWithSlice(this.#deps.store, execution));
    if (schedule === undefined) return null;
    const facts = this.#factsOf(schedule, position);
    return this.#following(schedule, withLateFill(schedule, execution, fill, facts, this.#deps.clock.now()));
  }

  /**
   * Follows a change that is not the schedule's own. A closed position ends closing schedules, and opening ones whose
   * take-profit or stop-loss closed it, unless they are set to continue. A reversal ends all of its basket. A reduced one
   * reduces what the others make up for.
   */
  #positionChanged(next: Position, cause: Execution | null): FollowUp | null {
    const now = this.#deps.clock.now();
    const before = this.#deps.state.positions.get(next.id);
    const trading = this.schedules.trading(next.id);
    const others = isReversed(next, cause) ? this.schedules.openingBasket(next) : [];
    const all = [...new Set([...trading, ...others])].flatMap((schedule) => {
      if (isOwn(schedule, cause)) return [];
      const facts = this.#factsOf(schedule, next);
      const after = afterChange(schedule, before, next, cause, facts, now);
      return after === schedule ? [] : [this.#following(schedule, after)];
    });
    return all.length === 0 ? null : together(all);
  }

  #following(before: Schedule, after: Schedule): FollowUp {
    return {
      unit: scheduleChanged(this.#deps, before, after),
      committed: () => {
        this.schedules.put(after);
        const at = nextLookAt(after);
        if (at !== null) this.#lookAgain(after.id, at);
      },
    };
  }

  #factsOf(schedule: Schedule, position = this.#openPositionOf(schedule)): SliceFacts {
    const waiver = this.#deps.venues.get(schedule.connector)?.info.minimumWaiver ?? 'none';
    return sliceFacts(this.#deps.market, schedule, position, waiver);
  }

  /** A bracket that closes in rounds frees its basket in between, but no slice may add to it then. */
  #isBeingClosed(schedule: Schedule): boolean {
    const position = this.#openPositionOf(schedule);
    if (position === null) return false;
    return this.#deps.state.positions.bracketsOf(position.id).some(({ status }) => status === 'TRIGGERED');
  }

  #openPositionOf({ tradeAccountId, basketKey }: Schedule): Position | null {
    return this.#deps.state.positions.ofBasket(tradeAccountId, basketKey) ?? null;
  }

  #failed(scheduleId: string, error: unknown): void {
    this.#deps.logger.error({ scheduleId, err: error }, 'A schedule could not go on; it is tried again');
  }
}

/** True: the execution is a slice of the schedule, or the unwinding of one. */
function isOwn({ slices }: Schedule, cause: Execution | null): boolean {
  return slices.some(
    ({ executionId }) =>
      executionId !== null && (executionId === cause?.id || executionId === cause?.parentId),
  );
}

function isReversed(next: Position, cause: Execution | null): boolean {
  return next.status === 'CLOSED' && cause?.intent === 'REVERSE';
}

/** Schedule after a change of its position by something else. */
function afterChange(
  schedule: Schedule,
  before: Position | undefined,
  next: Position,
  cause: Execution | null,
  facts: SliceFacts,
  now: number,
): Schedule {
  if (next.status === 'CLOSED') {
    if (isReversed(next, cause)) return stoppedByReversal(schedule, now);
    if (schedule.kind === 'CLOSE') return withoutPosition(schedule, now);
    if (cause?.origin === 'BRACKET' && schedule.afterBracket === 'STOP') {
      return stoppedByBracket(schedule, now);
    }
  }
  // An order that is added and closed again has reduced nothing.
  const isUndone = cause !== null && isUnwinding(cause);
  return before === undefined || isUndone
    ? schedule
    : withPositionReduced(schedule, [before, next], facts, now);
}

/** True: the only slice sent so far was to set the stop-loss, and nothing of it filled. Later slices bring it again. */
function isStopUnset({ stopLoss, ledger, slices }: Schedule): boolean {
  const sent = slices.filter(({ executionId }) => executionId !== null);
  return stopLoss !== null && sent.length === 1 && ledger.every(({ quantity }) => quantity === '0');
}

/** Schedule after a step that sends nothing. */
function afterStep(
  schedule: Schedule,
  step: Extract<NextStep, { readonly kind: 'pause' | 'resume' | 'change' | 'end' }>,
  now: number,
): Schedule {
  switch (step.kind) {
    case 'change':
    case 'end':
      return step.schedule;
    case 'pause':
    case 'resume': {
      const moved =
        step.kind === 'pause'
          ? pauseSchedule(schedule, step.reason, now)
          : resumeSchedule(schedule, schedule.slices, now);
      return moved.ok ? moved.value : schedule;
    }
  }
}
