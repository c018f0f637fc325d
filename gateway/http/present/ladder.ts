import type { z } from 'zod';
import type { ladder } from '../../contract/ladders.ts';
import { filledLevels } from '../../domain/ladder.ts';
import type { TriggerStatus } from '../../domain/trigger.ts';
import type { LadderState } from '../../engine/resting/triggers/ladder-service.ts';
import type { NamePlaced } from './authority.ts';
import { presentLeg } from './leg.ts';
import { iso, isoOrNull } from './time.ts';

export function presentLadder(
  { ladder: value, statuses }: LadderState,
  name: NamePlaced,
): z.input<typeof ladder> {
  const rungs = value.rungs.map(({ index, level, usd, triggerId }) => ({
    index,
    level,
    usd,
    triggerId,
    status: statusOf(statuses, triggerId),
  }));
  return {
    id: value.id,
    connector: value.connector,
    tradeAccountId: value.tradeAccountId,
    basketKey: value.basketKey,
    legs: value.legs.map(presentLeg),
    totalUsd: value.totalUsd,
    metric: value.metric,
    symbol: value.symbol,
    direction: value.direction,
    start: value.start,
    end: value.end,
    distribution: value.distribution,
    sizing: value.sizing,
    expiresAt: isoOrNull(value.expiresAt),
    slippage: value.slippage,
    clientId: value.clientId,
    authority: name(value),
    status: value.status,
    levels: rungs.length,
    filledLevels: filledLevels(rungs.map(({ status }) => status)),
    rungs,
    createdAt: iso(value.createdAt),
    updatedAt: iso(value.updatedAt),
  };
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
