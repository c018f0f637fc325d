/**
 * Live schedules: running ones, and ended ones whose last slice is executing. Changed only after the commit of the same
 * change.
 */
import { isRunningSchedule, type Schedule } from '../../../domain/schedule.ts';

export class LiveSchedules {
  readonly #schedules = new Map<string, Schedule>();
  readonly #byExecution = new Map<string, string>();
  readonly #taken: (schedule: Schedule) => void;

  /** @param taken called with each added or updated schedule */
  constructor(taken: (schedule: Schedule) => void) {
    this.#taken = taken;
  }

  get(id: string): Schedule | undefined {
    return this.#schedules.get(id);
  }

  all(): Iterable<Schedule> {
    return this.#schedules.values();
  }

  /** Schedule with the execution as its current slice. */
  ofExecution(executionId: string): Schedule | undefined {
    const id = this.#byExecution.get(executionId);
    return id === undefined ? undefined : this.#schedules.get(id);
  }

  /** Live schedule with the execution as a slice, also after the slice has ended. */
  withSlice(executionId: string): Schedule | undefined {
    return [...this.#schedules.values()].find(({ slices }) =>
      slices.some((slice) => slice.executionId === executionId),
    );
  }

  /** Active and paused schedules that close the position. */
  closing(positionId: string): readonly Schedule[] {
    return [...this.#schedules.values()].filter(
      (schedule) =>
        isRunningSchedule(schedule) && schedule.kind === 'CLOSE' && schedule.positionId === positionId,
    );
  }

  /** Active and paused schedules that have opened the position. */
  opening(positionId: string): readonly Schedule[] {
    return [...this.#schedules.values()].filter(
      (schedule) =>
        isRunningSchedule(schedule) && schedule.kind === 'OPEN' && schedule.positionId === positionId,
    );
  }

  /** Active and paused schedules that open the basket, also those that have opened nothing of it yet. */
  openingBasket({
    tradeAccountId,
    basketKey,
  }: Pick<Schedule, 'tradeAccountId' | 'basketKey'>): readonly Schedule[] {
    return [...this.#schedules.values()].filter(
      (schedule) =>
        isRunningSchedule(schedule) &&
        schedule.kind === 'OPEN' &&
        schedule.tradeAccountId === tradeAccountId &&
        schedule.basketKey === basketKey,
    );
  }

  /** Active and paused schedules that trade the position. */
  trading(positionId: string): readonly Schedule[] {
    return [...this.opening(positionId), ...this.closing(positionId)];
  }

  put(schedule: Schedule): void {
    const before = this.#schedules.get(schedule.id);
    const sent = onItsWay(schedule);
    const was = before === undefined ? undefined : onItsWay(before);
    if (was !== undefined && was !== sent) this.#byExecution.delete(was);
    if (sent !== undefined) this.#byExecution.set(sent, schedule.id);
    if (sent !== undefined || isRunningSchedule(schedule)) this.#schedules.set(schedule.id, schedule);
    else this.#schedules.delete(schedule.id);
    this.#taken(schedule);
  }
}

/** Execution id of the EXECUTING slice; a schedule has at most one. */
function onItsWay(schedule: Schedule): string | undefined {
  return schedule.slices.find(({ status }) => status === 'EXECUTING')?.executionId ?? undefined;
}
