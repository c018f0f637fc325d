/** Requested pauses. Only the user ends a pause of the user: no agent resumes it. */

import type { PAUSED_BY } from './enumerations.ts';

/** Who asked for a pause. AGENT: an agent, or a program with a mandate. */
export type PausedBy = (typeof PAUSED_BY)[number];

interface Paused {
  readonly pauseReason: string | null;
  readonly pausedBy?: PausedBy | null;
}

/** null: its pause was not requested, or it is not paused. A pause without a recorded author is the user's. */
export function pausedBy({ pauseReason, pausedBy: by }: Paused): PausedBy | null {
  if (pauseReason !== 'USER') return null;
  return by ?? 'USER';
}

/** True: another pause takes the place of the present one. Nothing replaces the user's, and only the user's an agent's. */
export function mayPauseAgain(paused: Paused, reason: string, by: PausedBy | null): boolean {
  const present = pausedBy(paused);
  if (present === null) return paused.pauseReason !== reason;
  return present === 'AGENT' && reason === 'USER' && by !== 'AGENT';
}
