/**
 * Time at which a session's person last proved to be there: by a sign-in with password or wallet, by the password given
 * again, or by a decision. A page's own requests (reading, refreshing, listening) are no proof, nor is the one-time
 * link of this computer, which any program of its user can ask for. In memory: a restart asks again.
 */
import type { Clock } from '../engine/ports/system.ts';

/** Time for which a proof of presence counts. */
export const PRESENT_MS = 15 * 60_000;
/** Maximum number of remembered sessions; the one unused for longest is forgotten, and asked again. */
const MAX_REMEMBERED = 1_000;

export interface Presence {
  seen(sessionId: string): void;
  /** @param withinMs default 15 minutes */
  isThere(sessionId: string, withinMs?: number): boolean;
}

export function createPresence(clock: Pick<Clock, 'uptime'>): Presence {
  /** Session id → time on the monotonic clock: a clock set back prolongs no presence. */
  const seenAt = new Map<string, number>();
  return {
    seen(sessionId) {
      seenAt.delete(sessionId);
      seenAt.set(sessionId, clock.uptime());
      const [oldest] = seenAt.keys();
      if (seenAt.size > MAX_REMEMBERED && oldest !== undefined) seenAt.delete(oldest);
    },
    isThere(sessionId, withinMs = PRESENT_MS) {
      const at = seenAt.get(sessionId);
      return at !== undefined && clock.uptime() - at < withinMs;
    },
  };
}
