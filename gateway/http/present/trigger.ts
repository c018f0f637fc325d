import type { z } from 'zod';
import { trigger } from '../../contract/triggers.ts';
import { pausedBy } from '../../domain/pause.ts';
import { modeOf } from '../../domain/position-setup.ts';
import type { Protection } from '../../domain/protection.ts';
import { shownLevel, shownTrailing } from '../../domain/trailing.ts';
import type { Trigger } from '../../domain/trigger.ts';
import type { Observation } from '../../engine/resting/triggers/observation.ts';
import type { NamePlaced } from './authority.ts';
import { presentBracket, presentBracketOrNull, presentRounds } from './bracket.ts';
import { presentLeg } from './leg.ts';
import { iso, isoOrNull } from './time.ts';
import { wireForm } from './wire-form.ts';

/** @param seen the watcher's observations since the row was written; undefined: the trigger has no watcher */
export function presentTrigger(
  value: Trigger,
  seen: Observation | undefined,
  name: NamePlaced,
  protection?: readonly Protection[],
): z.input<typeof trigger> {
  return wireForm(trigger, value, {
    ...(protection === undefined ? {} : { protection: [...protection] }),
    // Alerts have a form of their own.
    kind: value.kind === 'CLOSE' ? 'CLOSE' : 'OPEN',
    legs: value.legs.map(presentLeg),
    bracket:
      value.bracketType === null
        ? null
        : {
            ...presentBracket(value.bracketType, value.armed.bracket),
            peak: seen?.peak ?? value.armed.peak,
            level: seen === undefined ? shownLevel(value.bracketType, value.armed) : seen.level,
            trailingNow:
              seen === undefined ? shownTrailing(value.bracketType, value.armed) : seen.trailingNow,
            ...presentRounds(value),
          },
    takeProfit: presentBracketOrNull('TAKE_PROFIT', value.takeProfit),
    stopLoss: presentBracketOrNull('STOP_LOSS', value.stopLoss),
    brackets: modeOf(value),
    pausedBy: pausedBy(value),
    authority: name(value),
    window: presentWindow(seen?.window ?? null),
    lastValue: seen?.value ?? value.lastValue,
    lastCheckedAt: isoOrNull(seen?.at ?? value.lastCheckedAt),
  });
}

export function presentWindow(window: Observation['window']): z.input<typeof trigger>['window'] {
  return window === null ? null : { ...window, until: iso(window.until) };
}

/** JSON text of a trigger that was just made. */
export function triggerJson(name: NamePlaced): (value: Trigger) => string {
  return (value) => JSON.stringify(presentTrigger(value, undefined, name));
}
