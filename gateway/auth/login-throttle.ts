/**
 * Slows guessing of one e-mail's password. There is no 429 and no lock-out: from the tenth failure within 15 minutes on,
 * every further answer for that e-mail is held back, longer each time, up to 5 seconds.
 *
 * An attempt counts from the moment it arrives, so many attempts sent at once do not all pass as the first.
 */
import type { Clock } from '../engine/ports.ts';

const WINDOW_MS = 15 * 60_000;
const FREE_FAILURES = 10;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 5_000;
/** The delay is at its largest long before this many; older attempts need not be remembered. */
const MAX_REMEMBERED = 32;

export interface LoginThrottle {
  /** Counts an attempt and resolves when it may be answered. */
  hold(email: string): Promise<void>;
  /** The attempt was right: the failures are forgotten. */
  clear(email: string): void;
  /** E-mails remembered at present. */
  size(): number;
}

export function createLoginThrottle(clock: Clock, maxEmails = 10_000): LoginThrottle {
  const attempts = new Map<string, number[]>();

  return {
    async hold(email) {
      const now = clock.now();
      const recent = (attempts.get(email) ?? []).filter((at) => now - at < WINDOW_MS);
      const failures = recent.length;
      recent.push(now);
      if (recent.length > MAX_REMEMBERED) recent.shift();
      // Taken out and put back: a map keeps insertion order, so the first entry is the one longest untouched.
      attempts.delete(email);
      attempts.set(email, recent);
      if (attempts.size > maxEmails) {
        const [oldest] = attempts.keys();
        if (oldest !== undefined) attempts.delete(oldest);
      }
      if (failures < FREE_FAILURES) return;
      await clock.sleep(Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - FREE_FAILURES)));
    },
    clear: (email) => {
      attempts.delete(email);
    },
    size: () => attempts.size,
  };
}
