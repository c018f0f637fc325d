/** States of what is executed or waits: their words, what can be done in them, and how far along they are. */
import type { Execution, Row } from '../../../gateway/client/client.ts';

export type Trigger = Row<'GET /triggers'>;
export type Schedule = Row<'GET /schedules'>;
export type Ladder = Row<'GET /ladders'>;
export type Rung = Ladder['rungs'][number];
export type OpenOrder = Row<'GET /orders'>;

export type StateTone = 'neutral' | 'accent' | 'good' | 'warning' | 'bad';

export interface StateWords {
  readonly label: string;
  readonly tone: StateTone;
}

const EXECUTION: Readonly<Record<Execution['status'], StateWords>> = {
  IDLE: { label: 'Preparing', tone: 'accent' },
  ACTIVE: { label: 'Working', tone: 'accent' },
  COMPLETED: { label: 'Filled', tone: 'good' },
  CANCELLED: { label: 'Cancelled', tone: 'neutral' },
  FAILED: { label: 'Failed', tone: 'bad' },
};
export const executionState = ({ status }: Pick<Execution, 'status'>): StateWords => EXECUTION[status];

/** Before anything was sent, and after: the one means that nothing happened, the other that the trader must look. */
export function failureAdvice(execution: Pick<Execution, 'status' | 'activeAt'>): string | null {
  if (execution.status !== 'FAILED') return null;
  return execution.activeAt === null ? 'No orders were placed' : 'May be partly filled: check positions';
}

const PAUSED: Readonly<Record<string, string>> = {
  USER: 'Paused',
  FEED_STALE: 'Paused: prices are stale',
  OTHER_BRACKET: 'Paused: the other is closing',
  MISSED_SLICES: 'Paused: slices were missed',
};

const TRIGGER: Readonly<Record<Trigger['status'], StateWords>> = {
  ACTIVE: { label: 'Waiting', tone: 'accent' },
  PAUSED: { label: 'Paused', tone: 'warning' },
  TRIGGERED: { label: 'Firing', tone: 'accent' },
  COMPLETED: { label: 'Done', tone: 'good' },
  FAILED: { label: 'Failed', tone: 'bad' },
  CANCELLED: { label: 'Cancelled', tone: 'neutral' },
  EXPIRED: { label: 'Expired', tone: 'neutral' },
};
export function triggerState({
  status,
  pauseReason = null,
}: Pick<Trigger, 'status'> & Partial<Pick<Trigger, 'pauseReason'>>): StateWords {
  const words = TRIGGER[status];
  return status === 'PAUSED' ? { ...words, label: PAUSED[pauseReason ?? 'USER'] ?? words.label } : words;
}

const SCHEDULE: Readonly<Record<Schedule['status'], StateWords>> = {
  ACTIVE: { label: 'Running', tone: 'accent' },
  PAUSED: { label: 'Paused', tone: 'warning' },
  COMPLETED: { label: 'Done', tone: 'good' },
  PARTIALLY_COMPLETED: { label: 'Done in part', tone: 'warning' },
  CANCELLED: { label: 'Cancelled', tone: 'neutral' },
  FAILED: { label: 'Failed', tone: 'bad' },
};
export function scheduleState({ status, pauseReason }: Pick<Schedule, 'status' | 'pauseReason'>): StateWords {
  const words = SCHEDULE[status];
  return status === 'PAUSED' ? { ...words, label: PAUSED[pauseReason ?? 'USER'] ?? words.label } : words;
}

const LADDER: Readonly<Record<Ladder['status'], StateWords>> = {
  ACTIVE: { label: 'Waiting', tone: 'accent' },
  COMPLETED: { label: 'Done', tone: 'good' },
  PARTIALLY_COMPLETED: { label: 'Done in part', tone: 'warning' },
  CANCELLED: { label: 'Cancelled', tone: 'neutral' },
  FAILED: { label: 'Failed', tone: 'bad' },
  EXPIRED: { label: 'Expired', tone: 'neutral' },
};
export const ladderState = ({ status }: Pick<Ladder, 'status'>): StateWords => LADDER[status];

const ORDER: Readonly<Record<OpenOrder['status'], StateWords>> = {
  PENDING: { label: 'Open', tone: 'accent' },
  PARTIAL: { label: 'Partly filled', tone: 'accent' },
  FILLED: { label: 'Filled', tone: 'good' },
  CANCELLED: { label: 'Cancelled', tone: 'neutral' },
  REJECTED: { label: 'Rejected', tone: 'bad' },
};
export const orderState = ({ status }: Pick<OpenOrder, 'status'>): StateWords => ORDER[status];

export type RestingAction = 'pause' | 'resume' | 'cancel';

/** What a trader can do with a trigger or a schedule now. */
export function restingActions(status: string): readonly RestingAction[] {
  if (status === 'ACTIVE') return ['pause', 'cancel'];
  if (status === 'PAUSED') return ['resume', 'cancel'];
  return [];
}

/** How much of the whole is done, 0 to 1: for the length of a bar, never for a figure. */
export function shareDone(done: string | number, whole: string | number): number {
  const share = Number(done) / Number(whole);
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
}

export const isWaiting = ({ status }: { readonly status: string }) =>
  status === 'ACTIVE' || status === 'PAUSED' || status === 'TRIGGERED';

/** Those that wait before those that have ended; each group stays as the gateway sorted it. */
export function waitingFirst<One extends { readonly status: string }>(rows: readonly One[]): readonly One[] {
  return [...rows.filter(isWaiting), ...rows.filter((row) => !isWaiting(row))];
}

/** A rung stands in its ladder, so the list of triggers leaves it out. */
export const standsAlone = ({ ladderId }: Pick<Trigger, 'ladderId'>) => ladderId === null;
