/** A change of a waiting trigger, and what of it does not fit the trigger. */
import { type Condition, conditionUnit } from '../../../domain/condition-table.ts';
import { type DecimalString, dec } from '../../../domain/decimal.ts';
import type { Bracket, Trigger } from '../../../domain/trigger.ts';
import { invalid } from '../../core/errors.ts';

/** A field that is left out stays as it is. */
export interface ChangeTrigger {
  /** New value of the condition; refused for a bracket on path `condition`. */
  readonly level?: DecimalString;
  /** As in `Watch`, but for the new level. */
  readonly allowImmediate: boolean;
  readonly expiresAt?: number | null;
  /** Brackets are refused for triggers that close. */
  readonly takeProfit?: Bracket | null;
  readonly stopLoss?: Bracket | null;
  /**
   * New mode of the trigger's brackets: `REPLACE` the brackets that the position has when it fires, or `KEEP` them; left
   * out: the mode stays as it is.
   */
  readonly brackets?: 'KEEP' | 'REPLACE';
}

/** What is wrong with a level of the condition, as when one is made; null: nothing. */
function wrongLevel(condition: Condition, level: DecimalString): string | null {
  if ('transform' in condition && condition.transform !== undefined) {
    return dec(level).abs().gt(1_000) ? 'Must be between -1000 and 1000' : null;
  }
  if (dec(level).lte(0)) return 'Must be greater than 0';
  return conditionUnit(condition) === 'PERCENT' && dec(level).gte(100) ? 'Must be below 100' : null;
}

/** What of a change does not fit the trigger; null: nothing. */
export function refusedFields(trigger: Trigger, { level, takeProfit, stopLoss }: ChangeTrigger) {
  if (level !== undefined && trigger.condition === null) {
    return invalid('condition', "A bracket is changed with its position's brackets");
  }
  if (level !== undefined && trigger.ladderId !== null) {
    return invalid('condition', "A rung's level is its ladder's");
  }
  const wrong =
    level === undefined || trigger.condition === null ? null : wrongLevel(trigger.condition, level);
  if (wrong !== null) return invalid('condition.value', wrong);
  for (const [path, bracket] of Object.entries({ takeProfit, stopLoss })) {
    if (bracket !== undefined && trigger.kind === 'CLOSE') {
      return invalid(path, 'A trigger that closes has no brackets');
    }
  }
  return null;
}
