import type { z } from 'zod';
import type { trigger } from '../../contract/triggers.ts';
import { modeOf } from '../../domain/position-setup.ts';
import type { Trigger } from '../../domain/trigger.ts';
import type { Observation } from '../../engine/resting/triggers/observation.ts';
import type { NamePlaced } from './authority.ts';
import { presentBracket, presentBracketOrNull, presentRounds } from './bracket.ts';
import { presentLeg } from './leg.ts';
import { iso, isoOrNull } from './time.ts';

/** @param seen the watcher's observations since the row was written; undefined: the trigger has no watcher */
export function presentTrigger(
  value: Trigger,
  seen: Observation | undefined,
  name: NamePlaced,
): z.input<typeof trigger> {
  return {
    id: value.id,
    connector: value.connector,
    tradeAccountId: value.tradeAccountId,
    basketKey: value.basketKey,
    kind: value.kind,
    bracketType: value.bracketType,
    positionId: value.positionId,
    ladderId: value.ladderId,
    rungIndex: value.rungIndex,
    legs: value.legs.map(presentLeg),
    totalUsd: value.totalUsd,
    fraction: value.fraction,
    condition: value.condition,
    bracket:
      value.bracketType === null
        ? null
        : {
            ...presentBracket(value.bracketType, value.armed.bracket),
            peak: seen?.peak ?? value.armed.peak,
            ...presentRounds(value),
          },
    priceSource: value.priceSource,
    slippage: value.slippage,
    takeProfit: presentBracketOrNull('TAKE_PROFIT', value.takeProfit),
    stopLoss: presentBracketOrNull('STOP_LOSS', value.stopLoss),
    brackets: modeOf(value),
    onMissed: value.onMissed,
    clientId: value.clientId,
    authority: name(value),
    expiresAt: isoOrNull(value.expiresAt),
    status: value.status,
    pauseReason: value.pauseReason,
    lastValue: seen?.value ?? value.lastValue,
    lastCheckedAt: isoOrNull(seen?.at ?? value.lastCheckedAt),
    triggeredAt: isoOrNull(value.triggeredAt),
    executionId: value.executionId,
    error: value.error,
    createdAt: iso(value.createdAt),
    updatedAt: iso(value.updatedAt),
  };
}

/** JSON text of a trigger that was just made. */
export function triggerJson(name: NamePlaced): (value: Trigger) => string {
  return (value) => JSON.stringify(presentTrigger(value, undefined, name));
}
