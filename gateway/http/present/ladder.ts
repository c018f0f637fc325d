import type { z } from 'zod';
import { ladder } from '../../contract/ladders.ts';
import { sumOfFilled } from '../../domain/filled.ts';
import { filledLevels } from '../../domain/ladder.ts';
import type { TriggerStatus } from '../../domain/trigger.ts';
import type { LadderState } from '../../engine/resting/triggers/ladder-service.ts';
import type { NamePlaced } from './authority.ts';
import { presentLeg } from './leg.ts';
import { wireForm } from './wire-form.ts';

export function presentLadder(
  { ladder: value, statuses, fills }: LadderState,
  name: NamePlaced,
): z.input<typeof ladder> {
  const rungs = value.rungs.map(({ index, level, usd, triggerId }) => ({
    index,
    level,
    usd,
    triggerId,
    status: statusOf(statuses, triggerId),
    filled: [...(fills.get(triggerId) ?? [])],
  }));
  return wireForm(ladder, value, {
    legs: value.legs.map(presentLeg),
    authority: name(value),
    levels: rungs.length,
    filledLevels: filledLevels(rungs.map(({ status }) => status)),
    filled: [...sumOfFilled(rungs.map(({ filled }) => filled))],
    rungs,
  });
}

/** Status of a rung's trigger. Ladder and triggers are committed together, so a missing trigger is a bug. */
function statusOf(statuses: LadderState['statuses'], triggerId: string): TriggerStatus {
  const status = statuses.get(triggerId);
  if (status === undefined) throw new Error(`rung without its trigger ${triggerId}`);
  return status;
}

/** JSON text of a ladder that was just made. */
export function ladderJson(name: NamePlaced): (value: LadderState) => string {
  return (value) => JSON.stringify(presentLadder(value, name));
}
