/** Levels of a chart's lines: orders, rungs, take-profit and stop-loss in the unit of the chart's subject. */
import { CONDITIONS, type ConditionType } from '../../../gateway/domain/condition-table.ts';
import type { Transformation } from '../../../gateway/domain/metrics.ts';
import type { Bracket, BracketSide } from '../brackets-form/bracket-text.ts';
import { amongOf, type ChartSubject, pnlShare, sameSubject, type WeighedLeg } from './subject.ts';

export type LineKind = 'entry' | 'trigger' | 'alert' | 'rung' | 'take-profit' | 'stop-loss' | 'limit';

/** Subject of a line's move: a bracket of the position, a pending order or alert, or typed values. */
export type LineMove =
  | { readonly of: 'entry' }
  | { readonly of: 'bracket' | 'typed-bracket'; readonly side: BracketSide }
  | { readonly of: 'trigger' | 'alert' | 'typed-trigger' | 'typed-limit' }
  | { readonly of: 'typed-rung'; readonly end: 'start' | 'end' };

/** Order or alert that a line stands for, if it can be cancelled. */
export interface LineCancel {
  readonly what: 'trigger' | 'rung' | 'alert';
  /** Id of the trigger, or of the alert. */
  readonly triggerId: string;
  /** True: it protects a position. */
  readonly protects: boolean;
  /** Name in the question, among others of the basket: `stop-loss`, `rung 2`. */
  readonly called: string;
  /** The level at which it fires, in words: `−3 %`, `31.2000`. */
  readonly at: string;
}

export interface ChartLine {
  readonly id: string;
  readonly kind: LineKind;
  /** Decimal string, or a figure that was computed for the chart. */
  readonly value: string;
  readonly label: string;
  /** Shorter label, for where the label does not fit. */
  readonly short?: string | undefined;
  /** Part of the label that is true at any level; left out: all of it. */
  readonly name?: string;
  /** true: the level is typed, but not sent yet. */
  readonly isDraft?: boolean;
  /** Ladder of a rung: its id, or a substitute for a typed ladder. */
  readonly ladder?: string | undefined;
  /** undefined: the line cannot be moved. */
  readonly move?: LineMove | undefined;
  /** Left out: it cannot be cancelled from the chart. */
  readonly cancel?: LineCancel | undefined;
}

/** A bracket in the contract's terms, typed or resting. */
export type BracketLevel = Pick<Bracket, 'type' | 'value' | 'transform' | 'lookback'>;

export interface EntryFacts {
  readonly subject: ChartSubject;
  readonly legs: readonly WeighedLeg[];
  /** Value of the subject at entry; null: not known. */
  readonly entry: number | null;
  /** Gross notional at entry, USD. */
  readonly gross: number | null;
  /**
   * Left out: the subject has the weights of the position's own ratio. Otherwise no bracket is compared with it; with
   * `near`, its moves still give the position's gains, to the first order.
   */
  readonly weights?: 'near' | 'far';
}

/** Facts of a position for its lines; amounts and prices are decimal strings. */
export interface EnteredPosition {
  readonly legs: readonly {
    readonly symbol: string;
    readonly quantity: string;
    readonly entryPrice: string;
  }[];
  readonly entryPrice: string | null;
  readonly entryRatio: string | null;
}

/**
 * Value of the subject at the position's entry; null: it is not known, or a leg is not held. With some legs missing,
 * the position's entry price covers the held legs only, which is not a ratio of the chart.
 */
export function positionEntry(position: EnteredPosition, subject: ChartSubject): string | null {
  const isHeld = ({ quantity }: EnteredPosition['legs'][number]) => Number(quantity) > 0;
  if (subject.metric === 'PRICE') {
    return position.legs.find((leg) => leg.symbol === subject.symbol && isHeld(leg))?.entryPrice ?? null;
  }
  if (!position.legs.every(isHeld)) return null;
  return subject.metric === 'PRICE_RATIO' ? position.entryPrice : position.entryRatio;
}

export function positionFacts(
  position: EnteredPosition,
  subject: ChartSubject,
  legs: readonly WeighedLeg[],
): EntryFacts {
  const entry = positionEntry(position, subject);
  const gross = position.legs.reduce((sum, leg) => sum + Number(leg.quantity) * Number(leg.entryPrice), 0);
  return { subject, legs, entry: entry === null ? null : Number(entry), gross };
}

/** Facts of the future position: held and added parts together, because a bracket covers the whole position. */
export function wholeFacts(held: EntryFacts | null, added: EntryFacts): EntryFacts {
  if (held === null) return added;
  const { entry, gross } = added;
  // Facts of one part would be wrong: a bracket's dollars refer to the whole position.
  if (held.gross === null || gross === null) return { ...added, entry: null, gross: null };
  const whole = held.gross + gross;
  if (held.entry === null || entry === null) return { ...added, entry: null, gross: whole };
  // Mean of the logarithms, as the gain is logarithmic: to the first order.
  const mean = Math.exp((held.gross * Math.log(held.entry) + gross * Math.log(entry)) / whole);
  return { ...added, entry: mean, gross: whole };
}

/**
 * Level of a bracket in terms of the subject. Exact for a bracket that watches the subject itself; PnL brackets to
 * the first order (marked by `isNear`). null: the bracket cannot be drawn on this subject.
 */
export function bracketLevel(
  side: 'take-profit' | 'stop-loss',
  bracket: BracketLevel,
  facts: EntryFacts,
): { readonly value: string; readonly isNear: boolean } | null {
  if (!isDrawnAmong(bracket, facts.subject)) return null;
  if (bracket.transform !== undefined)
    return bracket.type === facts.subject.metric && facts.weights === undefined && isFigure(bracket.value)
      ? { value: bracket.value, isNear: false }
      : null;
  const asSubject = bracketSubject(bracket.type);
  if (asSubject !== null) {
    if (!isComparedWith(asSubject, facts)) return null;
    return {
      value: isTurned(bracket.type, facts.legs) ? levelText(1 / Number(bracket.value)) : bracket.value,
      isNear: false,
    };
  }
  const gain = gainShare(side, bracket, facts.gross);
  const share = gainOf(facts);
  if (gain === null || share === null || facts.entry === null) return null;
  const level = facts.entry * Math.exp(gain / share);
  return Number.isFinite(level) && level > 0 ? { value: String(level), isNear: true } : null;
}

/**
 * Signed gain at which a bracket fires, as a share of the gross notional at entry; to the first order for a bracket
 * that watches the subject. null: not known.
 */
export function bracketGain(
  side: 'take-profit' | 'stop-loss',
  bracket: BracketLevel,
  facts: EntryFacts,
): number | null {
  if (bracket.transform !== undefined) return null;
  const asSubject = bracketSubject(bracket.type);
  if (asSubject === null) return gainShare(side, bracket, facts.gross);
  const share = gainOf(facts);
  const level = isTurned(bracket.type, facts.legs) ? 1 / Number(bracket.value) : Number(bracket.value);
  if (share === null || facts.entry === null || !isComparedWith(asSubject, facts) || !(level > 0))
    return null;
  return Math.log(level / facts.entry) * share;
}

/**
 * Value of a bracket of this type at a level of the subject: the inverse of `bracketLevel`, rounded as a person would
 * type it. null: the type cannot be set by a level of the subject, or the level is on the wrong side of the entry.
 */
export function bracketValueAt(
  side: 'take-profit' | 'stop-loss',
  type: BracketLevel['type'],
  level: number,
  facts: EntryFacts,
): string | null {
  if (!(level > 0)) return null;
  const asSubject = bracketSubject(type);
  if (asSubject !== null) {
    if (!isComparedWith(asSubject, facts)) return null;
    return levelText(isTurned(type, facts.legs) ? 1 / level : level);
  }
  const share = gainOf(facts);
  if (share === null || facts.entry === null) return null;
  const gain = Math.log(level / facts.entry) * share;
  const size = side === 'take-profit' ? gain : -gain;
  if (type === 'POSITION_VALUE') return facts.gross === null ? null : (facts.gross * (1 + gain)).toFixed(2);
  if (!(size > 0)) return null;
  if (type === 'PERCENTAGE') return String(Number((size * 100).toFixed(3)));
  return facts.gross === null ? null : (size * facts.gross).toFixed(2);
}

/** Gain per rise of the subject's logarithm by 1, as a share of gross; null: the subject does not follow the gains. */
export const gainOf = ({ subject, legs, weights }: EntryFacts): number | null =>
  weights === 'far' ? null : pnlShare(subject, legs);

const isComparedWith = (watched: ChartSubject, { subject, weights }: EntryFacts): boolean =>
  weights === undefined && sameSubject(watched, subject);

/** Six significant figures in plain notation, the contract's form of a level. */
export function levelText(level: number): string {
  const size = Math.floor(Math.log10(level));
  return level.toFixed(Math.min(12, Math.max(0, 5 - size)));
}

/** True: the measure starts at the entry, so the bracket has a level wherever gains have one. */
export const isByGain = (type: BracketLevel['type']): boolean => bracketSubject(type) === null;

function bracketSubject(type: BracketLevel['type']): ChartSubject | null {
  if (type === 'WEIGHTED_RATIO') return { metric: 'WEIGHTED_RATIO' };
  return type === 'PRICE' || type === 'PRICE_RATIO' ? { metric: 'PRICE_RATIO' } : null;
}

/** PRICE of a shorts-only basket is the plain price; the chart's ratio is its inverse. */
function isTurned(type: BracketLevel['type'], legs: readonly WeighedLeg[]): boolean {
  return type === 'PRICE' && legs.length > 0 && legs.every(({ side }) => side === 'SELL');
}

/** Signed gain at which the bracket fires, as a share of the gross notional at entry. */
function gainShare(
  side: 'take-profit' | 'stop-loss',
  { type, value }: BracketLevel,
  gross: number | null,
): number | null {
  const size = Number(value);
  if (value.trim() === '' || !Number.isFinite(size)) return null;
  const sign = side === 'take-profit' ? 1 : -1;
  if (type === 'PERCENTAGE') return (sign * size) / 100;
  if (gross === null || gross <= 0) return null;
  return type === 'DOLLAR' ? (sign * size) / gross : size / gross - 1;
}

/**
 * True: the chart shows the level's own transform, or none if it has none. A transform's level stands for another ratio
 * each hour, and differs with the look-back.
 */
function isDrawnAmong({ transform, lookback }: Transformation, subject: ChartSubject): boolean {
  const among = amongOf(subject);
  return among?.transform === transform && among?.lookback === lookback;
}

const isFigure = (value: string) => value.trim() !== '' && Number.isFinite(Number(value));

/** A condition's level; null: the condition does not watch what the chart shows. */
export function conditionLine(
  condition: {
    readonly type: ConditionType;
    readonly value: string;
    readonly symbol?: string | undefined;
  } & Transformation,
  subject: ChartSubject,
): string | null {
  const { type, value, symbol } = condition;
  if (CONDITIONS[type].chart !== subject.metric || !isDrawnAmong(condition, subject)) return null;
  if (condition.transform !== undefined) return isFigure(value) ? value : null;
  if (!(Number(value) > 0)) return null;
  return subject.metric !== 'PRICE' || subject.symbol === symbol ? value : null;
}
