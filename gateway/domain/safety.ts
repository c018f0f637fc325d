/**
 * The brakes of one user's trading, as a table: PAUSED accepts nothing that could open something, PANIC is the same after an
 * order to cancel and close everything. Closing stays possible in every state.
 */
import { ok, type Result } from './result.ts';
import { type IllegalTransition, type TransitionTable, transition } from './transition.ts';

export type SafetyStatus = 'RUNNING' | 'PAUSED' | 'PANIC';

export interface Safety {
  readonly userId: string;
  readonly status: SafetyStatus;
  /** When orders were first stopped; null while RUNNING. */
  readonly pausedAt: number | null;
  readonly updatedAt: number;
}

export type SafetyEvent = 'pause' | 'panic' | 'resume';

export const SAFETY_TRANSITIONS: TransitionTable<SafetyStatus, SafetyEvent> = {
  RUNNING: { pause: 'PAUSED', panic: 'PANIC' },
  PAUSED: { panic: 'PANIC', resume: 'RUNNING' },
  // Once more: what could not be closed the first time is tried again.
  PANIC: { panic: 'PANIC', resume: 'RUNNING' },
};

export function runningSafety(userId: string, now: number): Safety {
  return { userId, status: 'RUNNING', pausedAt: null, updatedAt: now };
}

export function moveSafety(
  safety: Safety,
  event: SafetyEvent,
  now: number,
): Result<Safety, IllegalTransition> {
  const next = transition(SAFETY_TRANSITIONS, safety.status, event);
  if (!next.ok) return next;
  const pausedAt = next.value === 'RUNNING' ? null : (safety.pausedAt ?? now);
  return ok({ ...safety, status: next.value, pausedAt, updatedAt: now });
}

/** Whether something that opens or closes may be sent now; closing always may. */
export function mayTrade(safety: Pick<Safety, 'status'>, kind: 'OPEN' | 'CLOSE'): boolean {
  return kind === 'CLOSE' || safety.status === 'RUNNING';
}
