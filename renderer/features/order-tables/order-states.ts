/** States of executions and resting orders: their words, the possible actions, and the progress. */
import type { Answer, Execution, Row } from '../../../gateway/client/client.ts';
import type { BadgeTone } from '../../components/badge.tsx';
import { figureText } from '../ratio-chart/figure.ts';
import { type ExecutionEnd, isPartlyFilled, PARTLY_FILLED } from '../sent-orders/partly-filled.ts';

export type Trigger = Row<'GET /triggers'>;
export type Schedule = Row<'GET /schedules'>;
export type Slice = Answer<'GET /schedules/{id}'>['slices'][number];
export type Ladder = Row<'GET /ladders'>;
export type Rung = Ladder['rungs'][number];
export type OpenOrder = Row<'GET /orders'>;

export interface StateWords {
  readonly label: string;
  /** Without the reason of a pause; left out: the label has none. */
  readonly brief?: string;
  readonly tone: BadgeTone;
}

/** Final states of every kind of order. */
const ENDS = {
  COMPLETED: { label: 'Done', tone: 'neutral' },
  PARTIALLY_COMPLETED: { label: 'Done in part', tone: 'warn' },
  CANCELLED: { label: 'Cancelled', tone: 'quiet' },
  FAILED: { label: 'Failed', tone: 'danger' },
  EXPIRED: { label: 'Expired', tone: 'quiet' },
} as const satisfies Readonly<Record<string, StateWords>>;
const WAITING = { label: 'Waiting', tone: 'accent' } as const;
const WORKING = { label: 'Working', tone: 'accent' } as const;
const FILLED = { label: 'Filled', tone: 'neutral' } as const;

const EXECUTION: Readonly<Record<Execution['status'], StateWords>> = {
  ...ENDS,
  IDLE: { label: 'Preparing', tone: 'accent' },
  ACTIVE: WORKING,
  COMPLETED: FILLED,
};
const PART = { label: PARTLY_FILLED, tone: 'warn' } as const;
export const executionState = (execution: ExecutionEnd): StateWords =>
  isPartlyFilled(execution) ? PART : EXECUTION[execution.status];

const PAUSED: Readonly<Record<string, string>> = {
  USER: 'Paused',
  FEED_STALE: 'Paused: prices are stale',
  OTHER_BRACKET: 'Paused: the other is closing',
  MISSED_SLICES: 'Paused: slices were missed',
  AGENT_LIMIT: "Paused: the agent's limits",
  LEG_IMBALANCE: 'Paused: a leg is behind',
};
const pausedBy = (reason: string | null): StateWords => ({
  label: PAUSED[reason ?? 'USER'] ?? 'Paused',
  brief: 'Paused',
  tone: 'warn',
});

const TRIGGER: Readonly<Record<Exclude<Trigger['status'], 'PAUSED'>, StateWords>> = {
  ...ENDS,
  ACTIVE: WAITING,
  TRIGGERED: { label: 'Firing', tone: 'accent' },
};
export function triggerState({
  status,
  pauseReason = null,
}: Pick<Trigger, 'status'> & Partial<Pick<Trigger, 'pauseReason'>>): StateWords {
  return status === 'PAUSED' ? pausedBy(pauseReason) : TRIGGER[status];
}

const SCHEDULE: Readonly<Record<Exclude<Schedule['status'], 'PAUSED'>, StateWords>> = {
  ...ENDS,
  STOPPED_BY_BRACKET: { label: 'Stopped by its bracket', tone: 'warn' },
  ACTIVE: { label: 'Running', tone: 'accent' },
};
export function scheduleState({ status, pauseReason }: Pick<Schedule, 'status' | 'pauseReason'>): StateWords {
  return status === 'PAUSED' ? pausedBy(pauseReason) : SCHEDULE[status];
}

const SLICE: Readonly<Record<Slice['status'], StateWords>> = {
  ...ENDS,
  PENDING: WAITING,
  EXECUTING: WORKING,
  SKIPPED: { label: 'Skipped', tone: 'warn' },
};
export const sliceState = ({ status }: Pick<Slice, 'status'>): StateWords => SLICE[status];

const LADDER: Readonly<Record<Ladder['status'], StateWords>> = { ...ENDS, ACTIVE: WAITING };
export function ladderState({
  status,
  rungs,
}: Pick<Ladder, 'status'> & { readonly rungs: readonly Pick<Rung, 'status'>[] }): StateWords {
  const works = rungs.some((rung) => rung.status === 'ACTIVE' || rung.status === 'TRIGGERED');
  return status === 'ACTIVE' && !works ? pausedBy(null) : LADDER[status];
}

const ORDER: Readonly<Record<OpenOrder['status'], StateWords>> = {
  ...ENDS,
  PENDING: { label: 'Open', tone: 'accent' },
  PARTIAL: { label: PARTLY_FILLED, tone: 'accent' },
  FILLED,
  REJECTED: { label: 'Rejected', tone: 'danger' },
};
export const orderState = ({ status }: Pick<OpenOrder, 'status'>): StateWords => ORDER[status];

/** Share of the whole that is done, 0 to 1: for the length of a bar, never for a figure. */
export function shareDone(done: string | number, whole: string | number): number {
  const share = Number(done) / Number(whole);
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
}

export const isWaiting = ({ status }: { readonly status: string }) =>
  status === 'ACTIVE' || status === 'PAUSED' || status === 'TRIGGERED';

/**
 * Resting orders before ended ones; each group keeps the gateway's order.
 * @param waiting all resting orders, also those older than `rows`
 */
export function waitingFirst<One extends { readonly id: string; readonly status: string }>(
  rows: readonly One[],
  waiting: readonly One[] = [],
): readonly One[] {
  const read = new Set(rows.map(({ id }) => id));
  const older = waiting.filter(({ id }) => !read.has(id));
  return [...rows.filter(isWaiting), ...older, ...rows.filter((row) => !isWaiting(row))];
}

/** Level with as many digits as the value that the rung waits for: typed and computed levels look alike. */
export const rungLevelText = (level: string) => figureText(Number(level));
