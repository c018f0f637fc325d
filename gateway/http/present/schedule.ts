import type { z } from 'zod';
import { type schedule, scheduleSummary, type slice } from '../../contract/schedules.ts';
import { pausedBy } from '../../domain/pause.ts';
import { modeOf } from '../../domain/position-setup.ts';
import type { Protection } from '../../domain/protection.ts';
import type { Schedule, Slice } from '../../domain/schedule.ts';
import { type ScheduleSummary, summaryOf } from '../../domain/schedule-summary.ts';
import { scheduleProgress } from '../../domain/slicing.ts';
import type { NamePlaced } from './authority.ts';
import { presentBracketOrNull } from './bracket.ts';
import { presentLeg } from './leg.ts';
import { iso, isoOrNull } from './time.ts';
import { wireForm } from './wire-form.ts';

export function presentScheduleSummary(
  value: ScheduleSummary,
  name: NamePlaced,
  protection?: readonly Protection[],
): z.input<typeof scheduleSummary> {
  return wireForm(
    scheduleSummary,
    { ...value, ...scheduleProgress(value.ledger) },
    {
      ...(protection === undefined ? {} : { protection: [...protection] }),
      legs: value.legs.map(presentLeg),
      takeProfit: presentBracketOrNull('TAKE_PROFIT', value.takeProfit),
      stopLoss: presentBracketOrNull('STOP_LOSS', value.stopLoss),
      brackets: modeOf(value),
      filled: value.ledger.map(({ symbol, side, quantity, notional }) => ({
        symbol,
        side,
        quantity,
        notional,
      })),
      pausedBy: pausedBy(value),
      authority: name(value),
    },
  );
}

export function presentSchedule(
  value: Schedule,
  name: NamePlaced,
  protection?: readonly Protection[],
): z.input<typeof schedule> {
  const summary = presentScheduleSummary(summaryOf(value), name, protection);
  return { ...summary, slices: value.slices.map(presentSlice) };
}

function presentSlice(value: Slice): z.input<typeof slice> {
  return {
    index: value.index,
    scheduledAt: iso(value.scheduledAt),
    executedAt: isoOrNull(value.executedAt),
    status: value.status,
    executionId: value.executionId,
    filledUsd: value.filledUsd,
    error: value.error,
  };
}

/** JSON text of a schedule that was just made. */
export function scheduleJson(name: NamePlaced): (value: Schedule) => string {
  return (value) => JSON.stringify(presentSchedule(value, name));
}
