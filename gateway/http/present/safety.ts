import type { z } from 'zod';
import { type panicReport, panicState, type safety } from '../../contract/safety.ts';
import type { Safety, SafetyStatus } from '../../domain/safety.ts';
import type { PanicReport } from '../../engine/safety/safety-service.ts';
import type { NamePlaced } from './authority.ts';
import { presentExecution } from './execution.ts';
import { isoOrNull } from './time.ts';
import { wireForm } from './wire-form.ts';

const REASONS: Readonly<Record<SafetyStatus, 'PAUSE' | 'PANIC' | null>> = {
  RUNNING: null,
  PAUSED: 'PAUSE',
  PANIC: 'PANIC',
};

export function presentSafety({ status, pausedAt, panic }: Safety): z.input<typeof safety> {
  return {
    paused: status !== 'RUNNING',
    reason: REASONS[status],
    pausedAt: isoOrNull(pausedAt),
    panic:
      panic === null ? null : wireForm(panicState, panic, { left: panic.left.map((one) => ({ ...one })) }),
  };
}

export function presentPanic(
  { safety: state, accounts }: PanicReport,
  name: NamePlaced,
): z.input<typeof panicReport> {
  return {
    safety: presentSafety(state),
    cancelled: sumOf(accounts.map(({ cancelled }) => cancelled)),
    executions: accounts.flatMap(({ executions }) =>
      executions.map((execution) => presentExecution(execution, name)),
    ),
    failures: accounts.flatMap(({ account, failures }) =>
      failures.map(({ kind, id, error }) => ({
        tradeAccountId: account.id,
        kind,
        id,
        errorCode: error.code,
        message: error.message,
      })),
    ),
    accounts: accounts.map(({ account, money, cancelled, executions, failures }) => ({
      tradeAccountId: account.id,
      alias: account.alias,
      connector: account.connector,
      mode: money.mode,
      network: money.network,
      cancelled: { ...cancelled },
      closing: executions.length,
      failed: failures.length,
    })),
  };
}

type Counts = PanicReport['accounts'][number]['cancelled'];

function sumOf(all: readonly Counts[]): Counts {
  const sum = (kind: keyof Counts) => all.reduce((total, counts) => total + counts[kind], 0);
  return {
    triggers: sum('triggers'),
    schedules: sum('schedules'),
    ladders: sum('ladders'),
    orders: sum('orders'),
    autoRebalances: sum('autoRebalances'),
  };
}
