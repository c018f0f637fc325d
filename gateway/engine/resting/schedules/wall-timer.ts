/**
 * Calls back at given wall-clock times, with one timer for all of them. Timers do not run while the machine sleeps, and
 * the clock can be set, so the clock is checked more often than appointments are due.
 */
import type { Clock, Unsubscribe } from '../../ports/system.ts';

/** Maximum time between two readings of the clock, ms. */
const LONGEST_WAIT_MS = 60_000;
const SHORTEST_WAIT_MS = 1_000;
/** Smaller steps back are ordinary clock correction, not a clock that was set, ms. */
export const SET_BACK_MS = 1_000;

interface Appointment {
  /** Due time, epoch ms. */
  readonly at: number;
  /** Largest delay after `at` with which the appointment may be noticed after sleep, ms. */
  readonly lateMs: number;
}

export class WallTimer {
  readonly #clock: Clock;
  readonly #due: (id: string) => void;
  readonly #setBack: (byMs: number) => void;
  readonly #appointments = new Map<string, Appointment>();
  #cancel: Unsubscribe = () => {};
  #timerAt = Number.POSITIVE_INFINITY;
  #lastNow: number;
  #isRunning = false;

  /** @param calls `setBack`: the clock was set back; called before any `due`, after the waiting times were moved. */
  constructor(
    clock: Clock,
    calls: { readonly due: (id: string) => void; readonly setBack: (byMs: number) => void },
  ) {
    this.#clock = clock;
    this.#due = calls.due;
    this.#setBack = calls.setBack;
    this.#lastNow = clock.now();
  }

  start(): void {
    this.#isRunning = true;
    this.#lastNow = this.#clock.now();
    this.#setTimer(this.#lastNow);
  }

  /** Reads the clock now, because the machine may have slept. */
  look(): void {
    // The pending timer was set before the sleep, so its time is wrong now.
    this.#timerAt = Number.POSITIVE_INFINITY;
    this.#setTimer(this.#clock.now());
  }

  stop(): void {
    this.#isRunning = false;
    this.#cancel();
    this.#timerAt = Number.POSITIVE_INFINITY;
  }

  /** Replaces an earlier appointment with the same id. An appointment stays until `drop`, even when it is due. */
  set(id: string, at: number, lateMs: number): void {
    const appointment = { at, lateMs: Math.min(Math.max(lateMs, SHORTEST_WAIT_MS), LONGEST_WAIT_MS) };
    this.#appointments.set(id, appointment);
    this.#setTimer(nextLook(appointment, this.#clock.now()));
  }

  drop(id: string): void {
    this.#appointments.delete(id);
  }

  get(id: string): number | null {
    return this.#appointments.get(id)?.at ?? null;
  }

  #setTimer(at: number): void {
    if (!this.#isRunning) return;
    const now = this.#clock.now();
    const due = Math.max(at, now);
    if (due >= this.#timerAt) return;
    this.#cancel();
    this.#timerAt = due;
    this.#cancel = this.#clock.after(due - now, () => this.#wake());
  }

  #wake(): void {
    this.#timerAt = Number.POSITIVE_INFINITY;
    const now = this.#clock.now();
    const back = this.#lastNow - now;
    this.#lastNow = now;
    if (back >= SET_BACK_MS) {
      for (const [id, one] of this.#appointments) this.#appointments.set(id, { ...one, at: one.at - back });
      this.#setBack(back);
    }
    let next = Number.POSITIVE_INFINITY;
    for (const [id, appointment] of this.#appointments) {
      if (appointment.at > now) next = Math.min(next, nextLook(appointment, now));
      else this.#due(id);
    }
    if (next < Number.POSITIVE_INFINITY) this.#setTimer(next);
  }
}

function nextLook({ at, lateMs }: Appointment, now: number): number {
  return Math.min(at, now + lateMs);
}
