/** Pure: the forms in which a trigger is armed in the trigger index, and the ids of these forms. */
import { type BracketLeg, bracketMeasure } from '../../../domain/bracket.ts';
import { conditionMeasure, weightedLegs } from '../../../domain/condition.ts';
import type { DecimalString } from '../../../domain/decimal.ts';
import { type Direction, type Measure, opposite } from '../../../domain/measure.ts';
import type { SizedLevels } from '../../../domain/sized-levels.ts';
import { lacksLeg } from '../../../domain/stand-in.ts';
import { firingLevel, followingLevel } from '../../../domain/trailing.ts';
import { type TransformTerms, transformTerms } from '../../../domain/transform.ts';
import type { WatchedTrigger } from '../../../domain/trigger.ts';
import type { ArmedTrigger, Feed } from '../trigger-index/armed-trigger.ts';

/** A level above any value of any metric; with a minus sign, below any value. */
const BEYOND_ALL = `1${'0'.repeat(40)}`;

/** Ratio levels that no ratio passes. */
export const OUT_OF_REACH: Readonly<Record<Direction, DecimalString>> = {
  MORE_THAN: BEYOND_ALL,
  LESS_THAN: `0.${'0'.repeat(39)}1`,
};

/**
 * Measure that the trigger watches; null: none, because its position holds nothing any more, or lacks a leg that a
 * take-profit needs. A stop-loss then watches the loss that stands in for its level.
 */
export function measureOf(trigger: WatchedTrigger, legs: readonly BracketLeg[] = []): Measure | null {
  if (trigger.condition === null && trigger.armed.standIn === undefined && lacksLeg(trigger, legs))
    return null;
  const measure =
    trigger.condition === null
      ? trigger.armed.standIn === undefined
        ? bracketMeasure(trigger.armed.bracket.type, weighedAs(legs, trigger.armed.sized?.weights))
        : bracketMeasure('DOLLAR', legs)
      : conditionMeasure(trigger.condition, weightedLegs(trigger.legs, trigger.weights), trigger.priceSource);
  return measure.ok ? measure.value : null;
}

function weighedAs(legs: readonly BracketLeg[], weights: SizedLevels['weights']): readonly BracketLeg[] {
  if (weights === undefined) return legs;
  return legs.map((leg) => ({ ...leg, entryNotional: weights[leg.symbol] ?? leg.entryNotional }));
}

/** Transform that the trigger compares; null: it compares its measure directly. */
export function transformOf(trigger: WatchedTrigger): TransformTerms | null {
  if (trigger.armed?.standIn !== undefined) return null;
  if (trigger.condition === null) return transformTerms(trigger.armed.bracket);
  const { condition } = trigger;
  return 'transform' in condition ? transformTerms(condition) : null;
}

/** Form that fires the trigger; null: it cannot fire yet (a trailing take-profit before its activation). */
export function firingForm(trigger: WatchedTrigger, measure: Measure): ArmedTrigger | null {
  const { id, connector } = trigger;
  if (trigger.condition !== null) {
    const { direction, value: level } = trigger.condition;
    return { id, connector, measure, direction, level };
  }
  const { standIn } = trigger.armed;
  if (standIn !== undefined) return { id, connector, measure, direction: 'LESS_THAN', level: standIn };
  const level = firingLevel(trigger.bracketType, trigger.armed);
  return level === null ? null : { id, connector, measure, direction: trigger.armed.direction, level };
}

/** Form that fires when a trailing bracket's peak must move; null: the trigger does not trail. */
export function peakForm(trigger: WatchedTrigger, measure: Measure): ArmedTrigger | null {
  if (trigger.condition !== null || trigger.armed.bracket.trailing === null) return null;
  if (trigger.armed.standIn !== undefined) return null;
  const { armed, connector, bracketType } = trigger;
  const direction = opposite(armed.direction);
  const anything = direction === 'MORE_THAN' ? `-${BEYOND_ALL}` : BEYOND_ALL;
  return {
    id: peakId(trigger.id),
    connector,
    measure,
    direction,
    level: followingLevel(bracketType, armed) ?? anything,
    // Trailing starts when the activation level is reached exactly. After that the peak moves only when it is exceeded.
    inclusive: armed.peak === null,
  };
}

/** Form that fires once the condition no longer holds: from then on a new crossing counts. */
export function returnForm(form: ArmedTrigger): ArmedTrigger {
  return { ...complement(form), id: returnId(form.id) };
}

/** Firing form from which `returnForm` made the given form. */
export function formBeforeReturn(form: ArmedTrigger): ArmedTrigger {
  return { ...complement(form), id: formOf(form.id).id };
}

/** Form that holds if and only if the given form does not. */
function complement(form: ArmedTrigger): ArmedTrigger {
  return { ...form, direction: opposite(form.direction), inclusive: form.inclusive !== true };
}

const PEAK = '/peak';
const RETURN = '/return';

export function peakId(id: string): string {
  return id + PEAK;
}

export function returnId(id: string): string {
  return id + RETURN;
}

export function formOf(armedId: string): {
  readonly id: string;
  readonly form: 'firing' | 'peak' | 'return';
} {
  if (armedId.endsWith(PEAK)) return { id: armedId.slice(0, -PEAK.length), form: 'peak' };
  if (armedId.endsWith(RETURN)) return { id: armedId.slice(0, -RETURN.length), form: 'return' };
  return { id: armedId, form: 'firing' };
}

export function feedsOf(connector: string, measure: Measure): readonly Feed[] {
  if (measure.kind === 'figure') return [{ kind: 'figure', connector, name: measure.name }];
  const { source } = measure;
  return measure.terms.map(({ symbol }) => ({ kind: 'price', connector, symbol, source }));
}
