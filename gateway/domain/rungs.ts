/**
 * Levels and sizes of a ladder's rungs. With n rungs, i = 0 … n − 1:
 *
 *   LINEAR      level = start + (end − start) × i ÷ (n − 1)
 *   GEOMETRIC   level = start × (end ÷ start)^(i ÷ (n − 1)): equal ratios between neighbours
 *
 *   EQUAL       1 share each
 *   INCREASING  i + 1 shares
 *   DECREASING  n − i shares
 *
 * Levels have 12 significant figures, the first and the last are exactly what was asked. Amounts are split per leg: each leg's
 * parts add up to the leg's amount, to the last digit, and so the rungs to the total.
 */
import { Decimal as Base } from 'decimal.js';
import { type Decimal, dec, sum, text } from './decimal.ts';
import { splitByWeights } from './exact-split.ts';
import type { Ladder, LadderDistribution, LadderSizing } from './ladder.ts';
import { type Direction, isPast } from './measure.ts';
import type { TradeLeg } from './model.ts';
import { fail, ok, type Result } from './result.ts';
import { openLedger, unitStep } from './slicing.ts';

const Levels = Base.clone({ precision: 30 });
const FIGURES = 12;

export interface PlannedRung {
  readonly index: number;
  readonly level: string;
  readonly usd: string;
  /** Legs in mode USD or BASE: shares of a total become USD. */
  readonly legs: readonly TradeLeg[];
}

/** The venue's rules for one leg: mark, step and minimum of its parts. */
export interface RungRule {
  readonly mark: string;
  readonly stepSize: string;
  /** Smallest amount in USD or base units, as the leg is asked for (`minimumAmount` of slicing.ts). */
  readonly minimum: string;
}

export type LadderProblem =
  /** A rung's level would not be beyond the level before: the range is too narrow for so many rungs. */
  | { readonly kind: 'levels_coincide'; readonly index: number }
  | {
      readonly kind: 'below_minimum';
      readonly index: number;
      readonly legIndex: number;
      readonly symbol: string;
      readonly amount: string;
      readonly minimum: string;
      readonly unit: 'USD' | 'BASE';
    }
  | { readonly kind: 'already_crossed'; readonly indexes: readonly number[] };

export interface LadderRequest
  extends Pick<Ladder, 'legs' | 'start' | 'end' | 'distribution' | 'sizing' | 'direction'> {
  readonly totalUsd: string | null;
  /** Number of rungs, 2–50. */
  readonly levels: number;
  /** false: a level that is passed already is refused on path `start`. */
  readonly allowImmediate: boolean;
}

/**
 * The rungs by index, or the first problem with them.
 * @param value the metric now; null when it is not known, then no rung counts as crossed
 * @param ruleOf rule of a leg, by the leg's index
 */
export function planRungs(
  request: LadderRequest,
  value: string | null,
  ruleOf: (legIndex: number) => RungRule,
): Result<readonly PlannedRung[], LadderProblem> {
  const levels = rungLevels(request.start, request.end, request.levels, request.distribution);
  const way = dec(request.end).cmp(request.start);
  const stuck = levels.findIndex(
    (level, index) => index > 0 && (way === 0 || dec(level).cmp(levels[index - 1] ?? 0) !== way),
  );
  if (stuck !== -1) return fail({ kind: 'levels_coincide', index: stuck });
  const crossed = value === null ? [] : crossedRungs(levels, request.direction, value);
  if (crossed.length > 0 && !request.allowImmediate) {
    return fail({ kind: 'already_crossed', indexes: crossed });
  }
  const marks = new Map(request.legs.map((leg, legIndex) => [leg.symbol, ruleOf(legIndex).mark]));
  const ledger = openLedger(request.legs, request.totalUsd, (symbol) => marks.get(symbol) ?? '0');
  const shares = sizeShares(request.levels, request.sizing);
  const parts = ledger.map((leg, legIndex) =>
    splitByWeights(dec(leg.total), shares, unitStep(leg, ruleOf(legIndex).stepSize)),
  );
  for (const index of levels.keys()) {
    for (const [legIndex, leg] of ledger.entries()) {
      const amount = parts[legIndex]?.[index] ?? dec(0);
      const { minimum } = ruleOf(legIndex);
      if (amount.lt(minimum)) {
        const { symbol, unit } = leg;
        return fail({
          kind: 'below_minimum',
          index,
          legIndex,
          symbol,
          amount: text(amount),
          minimum,
          unit,
        });
      }
    }
  }
  return ok(
    levels.map((level, index) => {
      const amounts = ledger.map((_, legIndex) => parts[legIndex]?.[index] ?? dec(0));
      return {
        index,
        level,
        usd: text(sum(ledger.map((leg, at) => (amounts[at] ?? dec(0)).mul(leg.usdPerUnit)))),
        legs: ledger.map(({ symbol, side, unit }, at) => ({
          symbol,
          side,
          mode: unit,
          amount: text(amounts[at] ?? dec(0)),
        })),
      };
    }),
  );
}

/** `count` ≥ 2 levels from `start` to `end` (both > 0). */
export function rungLevels(
  start: string,
  end: string,
  count: number,
  distribution: LadderDistribution,
): readonly string[] {
  const from = new Levels(start);
  const to = new Levels(end);
  return Array.from({ length: count }, (_, index) => {
    if (index === 0) return text(dec(start));
    if (index === count - 1) return text(dec(end));
    const part = new Levels(index).div(count - 1);
    const level =
      distribution === 'LINEAR' ? from.plus(to.minus(from).mul(part)) : from.mul(to.div(from).pow(part));
    return text(dec(level.toSignificantDigits(FIGURES).toFixed()));
  });
}

/** Shares of the total, first rung first. */
export function sizeShares(count: number, sizing: LadderSizing): readonly Decimal[] {
  const rising = Array.from({ length: count }, (_, index) => dec(index + 1));
  switch (sizing) {
    case 'EQUAL':
      return rising.map(() => dec(1));
    case 'INCREASING':
      return rising;
    case 'DECREASING':
      return rising.reverse();
  }
}

/** Indexes of the levels that `value` is strictly beyond: these would fire at once. */
export function crossedRungs(
  levels: readonly string[],
  direction: Direction,
  value: string,
): readonly number[] {
  return levels.flatMap((level, index) => (isPast(value, direction, level) ? [index] : []));
}
