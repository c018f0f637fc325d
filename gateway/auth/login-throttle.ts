/**
 * Slows guessing of one e-mail's password. There is no 429 and no lock-out: from the tenth failure within 15 minutes
 * on, attempts for that e-mail go one at a time, with a pause before each that grows up to 5 seconds. However many
 * connections guess, only one guess is checked in 5 seconds.
 *
 * Known callers (`sign-in-caller.ts`) have a queue and a count of their own, so guesses from elsewhere do not hold up
 * the user's own browser. An attempt counts from the moment it arrives, so many attempts sent at once do not all pass
 * as the first. The wait does not depend on whether there is such a user.
 */
import type { Clock } from '../engine/ports/system.ts';
import { type InLine, PeerAttempts, WaitingLine } from './waiting-line.ts';

const WINDOW_MS = 15 * 60_000;
const FREE_FAILURES = 10;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5_000;
/** Maximum attempts remembered per e-mail; the pause reaches its maximum long before. */
const MAX_REMEMBERED = 32;
/** Maximum attempts that wait for one e-mail, because each holds a connection open. */
const MAX_WAITING = 512;

export interface LoginThrottle {
  /** Counts an attempt and resolves when it may be made; false: too many wait already, or its sender has gone. */
  hold(email: string, caller: InLine): Promise<boolean>;
  /** Forgets the failures of the e-mail after a right password. */
  clear(email: string, caller: InLine): void;
  /** Number of remembered e-mails; one that also has a queue of known callers counts twice. */
  size(): number;
}

interface Guessed {
  /** Times of recent attempts in epoch ms. */
  recent: number[];
  readonly line: WaitingLine;
  pausing: boolean;
}

export function createLoginThrottle(
  clock: Clock,
  maxEmails = 10_000,
  attempts: PeerAttempts = new PeerAttempts(),
): LoginThrottle {
  const guessed = new Map<string, Guessed>();
  const keyOf = (email: string, { isKnown }: InLine) => `${isKnown ? 'known' : 'other'} ${email}`;

  /** Moves the entry to the end: a map keeps insertion order, so its first entry is the one unused for longest. */
  function touch(key: string): Guessed {
    const entry = guessed.get(key) ?? {
      recent: [],
      line: new WaitingLine(attempts, MAX_WAITING),
      pausing: false,
    };
    guessed.delete(key);
    guessed.set(key, entry);
    if (guessed.size > maxEmails) {
      const [oldest] = guessed.keys();
      if (oldest !== undefined) guessed.delete(oldest);
    }
    return entry;
  }

  function failuresOf(entry: Guessed): number {
    const now = clock.now();
    entry.recent = entry.recent.filter((at) => now - at < WINDOW_MS);
    return entry.recent.length;
  }

  /** While attempts wait: pauses, then lets one attempt through, and repeats. */
  async function serve(entry: Guessed): Promise<void> {
    entry.pausing = true;
    try {
      while (entry.line.length > 0) {
        const doublings = Math.max(0, failuresOf(entry) - 1 - FREE_FAILURES);
        await clock.sleep(Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** doublings));
        entry.line.callNext();
      }
    } finally {
      entry.pausing = false;
    }
  }

  return {
    async hold(email, caller) {
      const entry = touch(keyOf(email, caller));
      const failures = failuresOf(entry);
      entry.recent.push(clock.now());
      if (entry.recent.length > MAX_REMEMBERED) entry.recent.shift();
      if (failures < FREE_FAILURES && entry.line.length === 0) {
        attempts.count(caller.peer);
        return true;
      }
      const turn = entry.line.wait(caller);
      attempts.count(caller.peer);
      if (!entry.pausing) void serve(entry);
      return turn;
    },
    clear(email, caller) {
      attempts.forget(caller.peer);
      const entry = guessed.get(keyOf(email, caller));
      if (entry !== undefined) entry.recent = [];
    },
    size: () => guessed.size,
  };
}
