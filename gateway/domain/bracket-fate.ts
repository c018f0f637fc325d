/**
 * Effect of an order on a position's take-profit and stop-loss: an addition with brackets of its own keeps or replaces
 * the present ones; a reversal carries the brackets over to the opposite position or drops them.
 *
 * Carried over are brackets relative to the entry (PERCENTAGE, DOLLAR), because the opposite position has an entry of
 * its own, and a trailing stop-loss of any metric. The trailing stop-loss begins at its distance from the metric's
 * present value; where the metric inverts with the legs (a ratio becomes its inverse), the distance stays the same
 * share of the metric. Levels of a price, a ratio or a value mean something else on the other side, so they are
 * dropped, and so is a trailing take-profit that begins at such a level.
 */
import type { BracketRecord } from './bracket-rounds.ts';
import { Decimal, dec, textRounded } from './decimal.ts';
import type { DROPPED_BRACKET_REASONS } from './enumerations.ts';
import type { Direction } from './measure.ts';
import type { Placed } from './model.ts';
import { pausedBy } from './pause.ts';
import type { PositionSetup } from './position-setup.ts';
import type { Bracket, BracketKind } from './trigger.ts';

export interface OpeningBrackets {
  readonly kind: 'opening';
  /**
   * Present brackets that the position keeps although the order brings one of the same kind, and those of an agent
   * that stay on what its user adds.
   */
  readonly kept: readonly BracketRecord[];
  /** Present brackets that the order's brackets replace. */
  readonly replaced: readonly BracketRecord[];
  /** Brackets that are set with the first fills. */
  readonly set: readonly { readonly kind: BracketKind; readonly bracket: Bracket }[];
}

export type DropReason = (typeof DROPPED_BRACKET_REASONS)[number];

export interface ReversalBrackets {
  readonly kind: 'reversal';
  readonly carried: readonly { readonly from: BracketRecord; readonly to: Bracket }[];
  readonly dropped: readonly {
    readonly from: BracketRecord;
    readonly reason: DropReason;
    /**
     * Bracket for the opposite position, used if that position's own bracket has ended by the time the reversal adds
     * to it; null: none.
     */
    readonly reserve: Bracket | null;
  }[];
}

/** Brackets as a request names them; left out or null: none. */
export interface AskedBrackets {
  readonly takeProfit?: Bracket | null;
  readonly stopLoss?: Bracket | null;
}

const KINDS = [
  ['TAKE_PROFIT', 'takeProfit'],
  ['STOP_LOSS', 'stopLoss'],
] as const;

/** The requested brackets, each with the name of its field. */
export function askedBrackets(asked: AskedBrackets) {
  return KINDS.flatMap(([kind, path]) => {
    const bracket = asked[path] ?? null;
    return bracket === null ? [] : [{ path, kind, bracket }];
  });
}

/** True: a present bracket gives way to one that an order brings, although the order does not ask for that. */
export type GivesWay = (present: Placed) => boolean;

/**
 * True: `bracket` may replace `present`. A bracket that is closing the position is never replaced: an addition must not
 * take the protection away.
 */
export function mayReplace(
  bracket: Bracket,
  present: Pick<BracketRecord, 'status' | keyof Placed>,
  givesWay: GivesWay = () => false,
): boolean {
  return (bracket.replaces === true || givesWay(present)) && present.status !== 'TRIGGERED';
}

/**
 * True: a take-profit that gives way to an order with a stop-loss but none of its own. It was set for what an agent held
 * and would close all that the user adds. A stop-loss stays, because it protects.
 */
export function givesWayWhole(
  asked: AskedBrackets,
  present: Pick<BracketRecord, 'bracketType' | 'status' | keyof Placed>,
  givesWay: GivesWay,
): boolean {
  const hasStopAlone = asked.stopLoss != null && asked.takeProfit == null;
  const isIdle = present.bracketType === 'TAKE_PROFIT' && present.status !== 'TRIGGERED';
  return hasStopAlone && isIdle && givesWay(present);
}

/**
 * @param present the brackets of the position that the order adds to; none where the order opens a position
 */
export function openingBrackets(
  asked: AskedBrackets,
  present: readonly BracketRecord[],
  givesWay: GivesWay = () => false,
): OpeningBrackets {
  const brought = askedBrackets(asked);
  const beside = present.filter((one) => !brought.some(({ kind }) => kind === one.bracketType));
  const ends = (one: BracketRecord) => givesWayWhole(asked, one, givesWay);
  const all = brought.map(({ kind, bracket }) => {
    return { kind, bracket, old: present.filter((one) => one.bracketType === kind) };
  });
  const keeps = ({ bracket, old }: (typeof all)[number]) =>
    old.some((one) => !mayReplace(bracket, one, givesWay));
  return {
    kind: 'opening',
    kept: [
      ...all.filter(keeps).flatMap(({ old }) => old),
      ...beside.filter((one) => givesWay(one) && !ends(one)),
    ],
    replaced: [...all.filter((one) => !keeps(one)).flatMap(({ old }) => old), ...beside.filter(ends)],
    set: all.filter((one) => !keeps(one)).map(({ kind, bracket }) => ({ kind, bracket })),
  };
}

/** Present brackets that a change names, to replace or to remove (null). */
export function namedBrackets<One extends BracketRecord>(
  change: AskedBrackets,
  present: readonly One[],
): readonly One[] {
  const named = KINDS.flatMap(([kind, field]) => (change[field] === undefined ? [] : [kind]));
  return present.filter(({ bracketType }) => named.some((kind) => kind === bracketType));
}

/** Brackets paused by the user that the requested ones would replace. */
export function pausedOfReplaced(
  asked: AskedBrackets,
  present: readonly BracketRecord[],
): readonly BracketRecord[] {
  return openingBrackets(asked, present).replaced.filter((one) => pausedBy(one) === 'USER');
}

/** Brackets that the opening execution of a reversal sets; null: none. */
export function setupOfReversal({ carried, dropped }: ReversalBrackets): PositionSetup | null {
  const of = (kind: BracketKind) =>
    carried.find(({ from }) => from.bracketType === kind)?.to ??
    dropped.find(({ from }) => from.bracketType === kind)?.reserve ??
    null;
  const [takeProfit, stopLoss] = [of('TAKE_PROFIT'), of('STOP_LOSS')];
  return takeProfit === null && stopLoss === null ? null : { takeProfit, stopLoss, autoRebalance: null };
}

/**
 * A metric's value on the present and on the reversed position (null: unknown), and the direction in which it gains
 * on the reversed one.
 */
export interface MetricTurned {
  readonly before: string | null;
  readonly after: string | null;
  readonly gain: Direction;
}

/**
 * A stop-loss that is carried over, no further from the market than it was.
 * @param reach distance from the metric to the level at which it fires now, in the metric of the opposite position; ≥ 0
 */
export function noFurther(stop: Bracket, reach: Decimal): Bracket {
  const isPnl = stop.type === 'PERCENTAGE' || stop.type === 'DOLLAR';
  // A level of 0 is not allowed: this one is met by the next tick with a loss.
  const most = Decimal.max(reach, LEAST_REACH);
  const least = (asked: string) =>
    most.gte(asked) ? asked : textRounded(most.toSignificantDigits(12, Decimal.ROUND_DOWN), 18);
  const value = isPnl ? least(stop.value) : stop.value;
  const trailing = stop.trailing === null ? null : { ...stop.trailing, delta: least(stop.trailing.delta) };
  return { ...stop, value, trailing };
}

const LEAST_REACH = dec('0.000001');

/** The bracket in the form for the opposite position; null: the bracket cannot be carried over. */
export function carriedOver(kind: BracketKind, bracket: Bracket, turned: MetricTurned): Bracket | null {
  const { replaces: _, ...terms } = bracket;
  if (bracket.type === 'PERCENTAGE' || bracket.type === 'DOLLAR') return terms;
  if (bracket.trailing === null || kind === 'TAKE_PROFIT') return null;
  const [before, after] = [dec(turned.before ?? 0), dec(turned.after ?? 0)];
  if (before.lte(0) || after.lte(0)) return null;
  const delta = dec(bracket.trailing.delta).mul(after).div(before);
  const level = turned.gain === 'MORE_THAN' ? after.minus(delta) : after.plus(delta);
  if (level.lte(0)) return null;
  const digits = (value: typeof delta) => textRounded(value.toSignificantDigits(12), 18);
  const sizedFor = bracket.type === 'POSITION_VALUE' ? { sizedFor: digits(after) } : {};
  return {
    ...terms,
    value: digits(level),
    trailing: { delta: digits(delta), activation: null },
    ...sizedFor,
  };
}
