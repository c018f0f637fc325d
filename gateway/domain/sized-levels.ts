/** Levels that a bracket has at the size that its position has now. */
import type { DecimalString } from './decimal.ts';
import type { PositionLeg } from './model.ts';

/** Levels of a bracket at the position's present size (`bracket-size.ts`), in the metric's own terms: a loss is negative. */
export interface SizedLevels {
  readonly level: DecimalString;
  /** null: the bracket does not trail. */
  readonly delta: DecimalString | null;
  /** null: trailing begins at once, or the bracket does not trail. */
  readonly activation: DecimalString | null;
  /** Weights of a transformed WEIGHTED_RATIO before its position changed: new ones would change the ratio's past. */
  readonly weights?: Readonly<Record<string, DecimalString>>;
  /** Part of a stop-loss's position that no guest brought, and its level without guests. Left out: all of it. */
  readonly users?: UsersPart;
}

/** The part that no guest brought, and the level that its stop-loss would have without guests. */
interface UsersPart {
  readonly legs: readonly Pick<PositionLeg, 'symbol' | 'side' | 'quantity' | 'entryNotional'>[];
  readonly level: DecimalString;
}
