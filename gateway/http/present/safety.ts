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

export function presentPanic(report: PanicReport, name: NamePlaced): z.input<typeof panicReport> {
  const { triggers, schedules, ladders, orders, autoRebalances } = report.cancelled;
  return {
    safety: presentSafety(report.safety),
    cancelled: { triggers, schedules, ladders, orders, autoRebalances },
    executions: report.executions.map((execution) => presentExecution(execution, name)),
    failures: report.failures.map(({ kind, id, error }) => ({
      kind,
      id,
      errorCode: error.code,
      message: error.message,
    })),
  };
}
