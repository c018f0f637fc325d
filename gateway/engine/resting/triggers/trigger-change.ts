/** A change of a pending trigger, and the check that it fits the trigger. */
import { type Condition, conditionUnit } from '../../../domain/condition-table.ts';
import { type DecimalString, dec } from '../../../domain/decimal.ts';
import type { Bracket, Trigger } from '../../../domain/trigger.ts';
import { invalid } from '../../core/errors.ts';

/** A field left out does not change. */
export interface ChangeTrigger {
  /** New value of the condition; refused for a bracket on path `condition`. */
  readonly level?: DecimalString;
  /** Like `Watch`, for the new level. */
  readonly allowImmediate: boolean;
  readonly expiresAt?: number | null;
  /** Brackets are refused for closing triggers. */
  readonly takeProfit?: Bracket | null;
  readonly stopLoss?: Bracket | null;
  /**
   * New mode of the trigger's brackets: `REPLACE` the position's brackets when it fires, or `KEEP` them. Left out: the
   * mode does not change.
   */
  readonly brackets?: 'KEEP' | 'REPLACE';
}

/** Error of a new level of the condition, with the rules of a new condition; null: none. */
function wrongLevel(condition: Condition, level: DecimalString): string | null {
  if ('transform' in condition && condition.transform !== undefined) {
    return dec(level).abs().gt(1_000) ? 'Must be between -1000 and 1000' : null;
  }
  if (dec(level).lte(0)) return 'Must be greater than 0';
  return conditionUnit(condition) === 'PERCENT' && dec(level).gte(100) ? 'Must be below 100' : null;
}

/** Fields of a change that do not fit the trigger; null: none. */
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
