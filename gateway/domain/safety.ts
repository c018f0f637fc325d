/**
 * Pause and panic of one user's trading, as a table: PAUSED accepts no request that could open a position; PANIC is PAUSED
 * after an order to cancel and close everything. Closing stays possible in every state.
 */
import { type Placed, UNRECORDED } from './authority.ts';
import type { LEFT_OPEN_SOURCES, PANIC_STATUSES } from './enumerations.ts';
import { ok, type Result } from './result.ts';
import { type IllegalTransition, type TransitionTable, transition } from './transition.ts';

export type SafetyStatus = 'RUNNING' | 'PAUSED' | 'PANIC';

export interface Safety {
  readonly userId: string;
  readonly status: SafetyStatus;
  /** Time at which orders were first stopped; null while RUNNING. */
  readonly pausedAt: number | null;
  readonly updatedAt: number;
  /** The latest panic; null: the user never asked for a panic. */
  readonly panic: Panic | null;
}

export type PanicStatus = (typeof PANIC_STATUSES)[number];
export type PanicEvent = 'panic' | 'flat' | 'end';

/** Closing goes on until nothing is left, or until the trader resumes. */
export const PANIC_TRANSITIONS: TransitionTable<PanicStatus, PanicEvent> = {
  CLOSING: { panic: 'CLOSING', flat: 'FLAT', end: 'ENDED' },
  FLAT: { panic: 'CLOSING' },
  ENDED: { panic: 'CLOSING' },
};

export interface Panic {
  readonly status: PanicStatus;
  readonly startedAt: number;
  /** End of the panic; null while CLOSING. */
  readonly finishedAt: number | null;
  /** True: lots from trades outside Tandem that are in no basket are closed too. */
  readonly includeOutside: boolean;
  /** Authority that asked for the panic; its closes are placed by the same authority. */
  readonly placed: Placed;
  readonly left: readonly LeftOpen[];
}

/** Terms of a panic, and the authority that asks for it. */
export type PanicRequest = Pick<Panic, 'includeOutside' | 'placed'>;

const UNRECORDED_PANIC: PanicRequest = { includeOutside: false, placed: UNRECORDED };

/** A holding that a panic has not closed, and why. */
export interface LeftOpen {
  readonly tradeAccountId: string;
  readonly connector: string;
  /** `OUTSIDE` is reported, and closed only where the panic includes it. */
  readonly source: (typeof LEFT_OPEN_SOURCES)[number];
  /** null: the holding is in no basket. */
  readonly positionId: string | null;
  readonly symbol: string;
  /** Signed quantity in base units. */
  readonly quantity: string;
  readonly reason: string;
}

export type SafetyEvent = 'pause' | 'panic' | 'resume';

export const SAFETY_TRANSITIONS: TransitionTable<SafetyStatus, SafetyEvent> = {
  RUNNING: { pause: 'PAUSED', panic: 'PANIC' },
  PAUSED: { panic: 'PANIC', resume: 'RUNNING' },
  // Another panic request retries closes that failed in the first one.
  PANIC: { panic: 'PANIC', resume: 'RUNNING' },
};

export function runningSafety(userId: string, now: number): Safety {
  return { userId, status: 'RUNNING', pausedAt: null, updatedAt: now, panic: null };
}

export function moveSafety(
  safety: Safety,
  event: SafetyEvent,
  now: number,
  asked: PanicRequest = UNRECORDED_PANIC,
): Result<Safety, IllegalTransition> {
  const next = transition(SAFETY_TRANSITIONS, safety.status, event);
  if (!next.ok) return next;
  const pausedAt = next.value === 'RUNNING' ? null : (safety.pausedAt ?? now);
  return ok({
    ...safety,
    status: next.value,
    pausedAt,
    updatedAt: now,
    panic: panicAfter(safety.panic, event, now, asked),
  });
}

function panicAfter(
  panic: Panic | null,
  event: SafetyEvent,
  now: number,
  { includeOutside, placed }: PanicRequest,
): Panic | null {
  if (event === 'panic') {
    return { status: 'CLOSING', startedAt: now, finishedAt: null, includeOutside, placed, left: [] };
  }
  if (event === 'pause' || panic === null) return panic;
  const ended = movePanic(panic, 'end', now);
  return ended.ok ? ended.value : panic;
}

export function movePanic(panic: Panic, event: PanicEvent, now: number): Result<Panic, IllegalTransition> {
  const next = transition(PANIC_TRANSITIONS, panic.status, event);
  if (!next.ok) return next;
  return ok({ ...panic, status: next.value, finishedAt: next.value === 'CLOSING' ? null : now });
}

/** True: an order of this kind may be sent. A closing order always may. */
export function mayTrade(safety: Pick<Safety, 'status'>, kind: 'OPEN' | 'CLOSE'): boolean {
  return kind === 'CLOSE' || safety.status === 'RUNNING';
}
