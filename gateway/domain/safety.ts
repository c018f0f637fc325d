/**
 * The brakes of one user's trading, as a table: PAUSED accepts nothing that could open something, PANIC is the same after an
 * order to cancel and close everything. Closing stays possible in every state.
 */
import { type Placed, UNRECORDED } from './authority.ts';
import { ok, type Result } from './result.ts';
import { type IllegalTransition, type TransitionTable, transition } from './transition.ts';

export type SafetyStatus = 'RUNNING' | 'PAUSED' | 'PANIC';

export interface Safety {
  readonly userId: string;
  readonly status: SafetyStatus;
  /** When orders were first stopped; null while RUNNING. */
  readonly pausedAt: number | null;
  readonly updatedAt: number;
  /** The latest panic; null: there never was one. */
  readonly panic: Panic | null;
}

export type PanicStatus = 'CLOSING' | 'FLAT' | 'ENDED';
export type PanicEvent = 'panic' | 'flat' | 'end';

/** Closing everything goes on until nothing is left, or until the trader resumes. */
export const PANIC_TRANSITIONS: TransitionTable<PanicStatus, PanicEvent> = {
  CLOSING: { panic: 'CLOSING', flat: 'FLAT', end: 'ENDED' },
  FLAT: { panic: 'CLOSING' },
  ENDED: { panic: 'CLOSING' },
};

export interface Panic {
  readonly status: PanicStatus;
  readonly startedAt: number;
  /** null while CLOSING. */
  readonly finishedAt: number | null;
  /** What was traded past the gateway and is in no basket is closed too. */
  readonly includeOutside: boolean;
  /** Who asked for it: so are its closes placed. */
  readonly placed: Placed;
  readonly left: readonly LeftOpen[];
}

/** What is asked for with a panic, and by whom. */
export type PanicAsk = Pick<Panic, 'includeOutside' | 'placed'>;

const UNASKED: PanicAsk = { includeOutside: false, placed: UNRECORDED };

/** What a panic has not closed, and why. */
export interface LeftOpen {
  readonly tradeAccountId: string;
  readonly connector: string;
  /** `OUTSIDE` is told of, and closed only where the panic includes it. */
  readonly source: 'BASKET' | 'DUST' | 'OUTSIDE' | 'UNEXPLAINED';
  /** null: in no basket. */
  readonly positionId: string | null;
  readonly symbol: string;
  /** Signed base units. */
  readonly quantity: string;
  readonly reason: string;
}

export type SafetyEvent = 'pause' | 'panic' | 'resume';

export const SAFETY_TRANSITIONS: TransitionTable<SafetyStatus, SafetyEvent> = {
  RUNNING: { pause: 'PAUSED', panic: 'PANIC' },
  PAUSED: { panic: 'PANIC', resume: 'RUNNING' },
  // Once more: what could not be closed the first time is tried again.
  PANIC: { panic: 'PANIC', resume: 'RUNNING' },
};

export function runningSafety(userId: string, now: number): Safety {
  return { userId, status: 'RUNNING', pausedAt: null, updatedAt: now, panic: null };
}

export function moveSafety(
  safety: Safety,
  event: SafetyEvent,
  now: number,
  asked: PanicAsk = UNASKED,
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
  { includeOutside, placed }: PanicAsk,
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

/** Whether something that opens or closes may be sent now; closing always may. */
export function mayTrade(safety: Pick<Safety, 'status'>, kind: 'OPEN' | 'CLOSE'): boolean {
  return kind === 'CLOSE' || safety.status === 'RUNNING';
}
