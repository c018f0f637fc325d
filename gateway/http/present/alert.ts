import type { z } from 'zod';
import { alert } from '../../contract/alerts.ts';
import type { Trigger } from '../../domain/trigger.ts';
import type { Observation } from '../../engine/resting/triggers/observation.ts';
import type { NamePlaced } from './authority.ts';
import { isoOrNull } from './time.ts';
import { presentWindow } from './trigger.ts';
import { wireForm } from './wire-form.ts';

type Body = z.input<typeof alert>;

/** @param seen as of a trigger */
export function presentAlert(value: Trigger, seen: Observation | undefined, name: NamePlaced): Body {
  const { condition, status } = value;
  const isOrder = status === 'TRIGGERED' || status === 'PARTIALLY_COMPLETED' || status === 'FAILED';
  if (condition === null || isOrder) throw new Error(`${value.id} is no alert`);
  return wireForm(
    alert,
    { ...value, status },
    {
      legs: value.legs.map(({ symbol, side }, index) => ({
        symbol,
        side,
        weight: value.weights[index] ?? '0',
      })),
      condition,
      authority: name(value),
      window: presentWindow(seen?.window ?? null),
      lastValue: seen?.value ?? value.lastValue,
      lastCheckedAt: isoOrNull(seen?.at ?? value.lastCheckedAt),
    },
  );
}

/** JSON text of an alert that was just made. */
export function alertJson(name: NamePlaced): (value: Trigger) => string {
  return (value) => JSON.stringify(presentAlert(value, undefined, name));
}
