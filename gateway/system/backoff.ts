/**
 * Delays between attempts: exponential with full jitter, so that many clients which lost one server do not come back
 * in step (AWS Architecture Blog, "Exponential Backoff And Jitter", 2015).
 */
export interface BackoffOptions {
  /** Upper bound of the first delay, ms, > 0. */
  readonly baseMs: number;
  /** Upper bound of every delay, ms, ≥ baseMs. */
  readonly maxMs: number;
  /** Random number, uniform in [0, 1). */
  readonly random: () => number;
}

export interface Backoff {
  /** Milliseconds to wait before the next attempt, at least a tenth of the upper bound so that a caller never spins. */
  nextDelayMs(): number;
  /** To be called after a success: the next delay is small again. */
  reset(): void;
}

const LEAST_SHARE = 0.1;

export function createBackoff(options: BackoffOptions): Backoff {
  let attempt = 0;
  return {
    nextDelayMs() {
      // 2^52 ms is above any sensible limit; the exponent is capped so that the result cannot overflow to Infinity.
      const bound = Math.min(options.maxMs, options.baseMs * 2 ** Math.min(attempt, 52));
      attempt += 1;
      return Math.round(bound * (LEAST_SHARE + (1 - LEAST_SHARE) * options.random()));
    },
    reset() {
      attempt = 0;
    },
  };
}
