/**
 * Detects that the machine's clock was set or that the machine slept: the wall clock and the monotonic clock disagree
 * about how much time has passed. After such a jump the age of every known price is unknown, and everything due by
 * the wall clock has moved.
 *
 * A difference of up to `JUMP_MS` is ordinary clock correction (NTP). The two clocks are compared every second, with
 * every update of a market, and whenever a caller asks how old a price is, so that nothing is decided between a jump
 * and its detection.
 */
import type { Clock, Logger, Unsubscribe } from '../ports/system.ts';

export const JUMP_MS = 5_000;
const LOOK_EVERY_MS = 1_000;

export interface ClockJump {
  /** Wall clock after the jump, epoch ms. */
  readonly at: number;
  /** Positive: the clock was set forward by this much, or the machine slept that long. */
  readonly byMs: number;
}

export class ClockWatch {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #listeners = new Set<(jump: ClockJump) => void>();
  /** Wall clock − uptime, as of the last comparison. */
  #offset: number;
  #last: ClockJump | null = null;
  #cancel: Unsubscribe | null = null;

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
    this.#offset = clock.now() - clock.uptime();
  }

  /** The last jump of this run; null: none. */
  get last(): ClockJump | null {
    return this.#last;
  }

  /** Listeners are called in the order in which they were added, before `look` returns. */
  onJump(listener: (jump: ClockJump) => void): Unsubscribe {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The jump since the last comparison; null: none. */
  look(): ClockJump | null {
    const now = this.#clock.now();
    const offset = now - this.#clock.uptime();
    const byMs = Math.round(offset - this.#offset);
    this.#offset = offset;
    if (Math.abs(byMs) <= JUMP_MS) return null;
    const jump = { at: now, byMs };
    this.#last = jump;
    this.#logger.warn(jump, 'The clock was set, or the machine slept');
    for (const listener of [...this.#listeners]) {
      try {
        listener(jump);
      } catch (error) {
        this.#logger.error({ err: error }, 'Somebody who follows the clock failed');
      }
    }
    return jump;
  }

  start(): void {
    this.stop();
    this.#cancel = this.#clock.after(LOOK_EVERY_MS, () => {
      this.look();
      if (this.#cancel !== null) this.start();
    });
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}

/** Text for a notification: `At <time> the clock was set 1 h 2 min back`. */
export function jumpText({ at, byMs }: ClockJump): string {
  const way = byMs < 0 ? 'back' : 'ahead, or the machine slept';
  return `At ${new Date(at).toISOString()} the clock was set ${lengthText(Math.abs(byMs))} ${way}`;
}

function lengthText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const parts = [
    [Math.floor(seconds / 3_600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}
