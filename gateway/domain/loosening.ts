/**
 * Loosening of protection: a change after which a position may lose more, or lose it later, than before. Removing a
 * take-profit, stop-loss or trailing loosens, and so does a level further away, or less slippage, which leaves more unfilled.
 * Pure.
 *
 * Levels of one metric are compared as they are. DOLLAR, PERCENTAGE and POSITION_VALUE, and PRICE of a single leg, are
 * compared by the PnL at which they fire. Levels of any other two metrics are not comparable, and count as loosened.
 */
import { gainDirection } from './bracket.ts';
import { type BracketRecord, bracketSlippage } from './bracket-rounds.ts';
import { type Decimal, dec, sum } from './decimal.ts';
import { type Direction, isPast, opposite } from './measure.ts';
import type { PositionLeg, Side } from './model.ts';
import { type NotificationSubject, type NotificationText, subject } from './notification.ts';
import { armBracket, firingLevel, levelsOf } from './trailing.ts';
import type { ArmedBracket, Bracket, BracketKind, Trigger } from './trigger.ts';

export type ProtectedLeg = Pick<PositionLeg, 'side' | 'quantity' | 'entryNotional'>;

const NAMES = { TAKE_PROFIT: 'Take-profit', STOP_LOSS: 'Stop-loss' } as const;

/**
 * Protection of a position that is lost when `after` takes the place of `before`, in words; null: nothing.
 * @param after null: the bracket is removed
 * @param legs of the position; closed ones do not count
 */
export function loosenedBracket(
  before: Pick<BracketRecord, 'bracketType' | 'armed' | 'status'>,
  after: ArmedBracket | null,
  legs: readonly ProtectedLeg[],
): string | null {
  const { bracketType: kind, armed, status } = before;
  // A bracket that has fired is closing the position: a new one would wait for its level again.
  const isClosing = status === 'TRIGGERED' || armed.met !== undefined;
  const isLess = after === null || isClosing || isLooser(kind, armed, after, legs);
  return isLess ? changeWords(kind, armed.bracket, after?.bracket ?? null) : null;
}

/** The same for a bracket of a pending order without a position yet. */
export function loosenedPlan(
  kind: BracketKind,
  before: Bracket | null,
  after: Bracket | null,
  legs: readonly { readonly side: Side }[],
): string | null {
  if (before === null) return null;
  const armed = (bracket: Bracket) => armBracket(kind, bracket, gainDirection(bracket.type, legs), null);
  const planned = legs.map(({ side }) => ({ side, quantity: '0', entryNotional: '0' }));
  const isLess = after === null || isLooser(kind, armed(before), armed(after), planned);
  return isLess ? changeWords(kind, before, after) : null;
}

/** Protection that is lost with a change of a trigger that closes a position, in words; null: nothing. */
export function loosenedClose(before: Trigger, after: Trigger): string | null {
  const [was, is] = [before.condition, after.condition];
  if (was !== null && is !== null && isPast(is.value, was.direction, was.value))
    return `Closing trigger moved from ${was.value} to ${is.value}`;
  const isShorter =
    after.expiresAt !== null && (before.expiresAt === null || after.expiresAt < before.expiresAt);
  return isShorter ? 'Closing trigger ends earlier' : null;
}

/** Loosening by the cancellation or pause of a protecting trigger. */
export function endedWords(
  { bracketType, armed, condition }: Pick<Trigger, 'bracketType' | 'armed' | 'condition'>,
  what: 'removed' | 'paused',
): string {
  if (bracketType !== null && armed !== null)
    return `${NAMES[bracketType]} ${what} (${bracketWords(armed.bracket)})`;
  return `Closing trigger ${what} (${condition?.type ?? ''} ${condition?.value ?? ''})`;
}

function changeWords(kind: BracketKind, before: Bracket, after: Bracket | null): string {
  const name = NAMES[kind];
  return after === null
    ? `${name} removed (${bracketWords(before)})`
    : `${name} changed from ${bracketWords(before)} to ${bracketWords(after)}`;
}

export function bracketWords({ type, value, transform, trailing, slippage }: Bracket): string {
  const of = transform === undefined ? type : `${transform} of ${type}`;
  const from = trailing?.activation == null ? '' : ` from ${trailing.activation}`;
  const trails = trailing === null ? '' : `, trailing by ${trailing.delta}${from}`;
  return `${of} ${value}${trails}${slippage === undefined ? '' : `, slippage ${slippage}`}`;
}

/** Levels of a bracket on one scale; `gain`: direction in which its holder gains on the scale. */
interface Levels {
  readonly gain: Direction;
  /** Level at which it fires now; null: it cannot fire yet. */
  readonly fires: Decimal | null;
  /** null: it does not trail. */
  readonly delta: Decimal | null;
  /** null: it trails from the beginning, or has begun. */
  readonly begins: Decimal | null;
}

function isLooser(
  kind: BracketKind,
  before: ArmedBracket,
  after: ArmedBracket,
  legs: readonly ProtectedLeg[],
): boolean {
  const [was, is] = isSameMetric(before.bracket, after.bracket)
    ? [levels(kind, before, legs), levels(kind, after, legs)]
    : [inUsd(kind, before, legs), inUsd(kind, after, legs)];
  if (was === null || is === null) return true;
  if (dec(bracketSlippage(kind, after.bracket)).lt(bracketSlippage(kind, before.bracket))) return true;
  const { gain } = was;
  const isBeyond = (one: Decimal, other: Decimal, direction: Direction) =>
    isPast(one.toFixed(), direction, other.toFixed());
  // A stop-loss that begins to trail closes no later; such a take-profit waits beyond its level.
  if (was.delta !== null && is.delta === null) return true;
  if (kind === 'TAKE_PROFIT' && was.delta === null && is.delta !== null) return true;
  if (was.delta !== null && is.delta !== null) {
    if (is.delta.gt(was.delta)) return true;
    if (is.begins !== null && (was.begins === null || isBeyond(is.begins, was.begins, gain))) return true;
  }
  if (was.fires === null) return false;
  if (is.fires === null) return true;
  const isFirst = kind === 'TAKE_PROFIT' && was.delta === null;
  return isBeyond(is.fires, was.fires, isFirst ? gain : opposite(gain));
}

function isSameMetric(a: Bracket, b: Bracket): boolean {
  return a.type === b.type && a.transform === b.transform && a.lookback === b.lookback;
}

function levels(kind: BracketKind, armed: ArmedBracket, legs: readonly ProtectedLeg[]): Levels {
  const fires = firingLevel(kind, armed);
  const { delta, activation } = levelsOf(kind, armed);
  return {
    gain: gainDirection(armed.bracket.type, open(legs)),
    fires: fires === null ? null : dec(fires),
    delta: delta === null ? null : dec(delta),
    begins: activation === null || armed.peak !== null ? null : dec(activation),
  };
}

/** Levels as PnL of the position in USD; null: the bracket does not depend on PnL. */
function inUsd(kind: BracketKind, armed: ArmedBracket, legs: readonly ProtectedLeg[]): Levels | null {
  const { type, transform } = armed.bracket;
  const scale = transform === undefined ? scaleOf(type, open(legs)) : null;
  if (scale === null) return null;
  const { fires, delta, begins } = levels(kind, armed, legs);
  const { of, ofDistance } = scale;
  return {
    gain: 'MORE_THAN',
    fires: fires === null ? null : of(fires),
    delta: delta === null ? null : ofDistance(delta),
    begins: begins === null ? null : of(begins),
  };
}

interface UsdScale {
  readonly of: (level: Decimal) => Decimal;
  readonly ofDistance: (distance: Decimal) => Decimal;
}

function scaleOf(type: Bracket['type'], legs: readonly ProtectedLeg[]): UsdScale | null {
  const entry = sum(legs.map(({ entryNotional }) => dec(entryNotional)));
  const [only] = legs;
  if (only === undefined || entry.isZero()) return null;
  const same = (distance: Decimal) => distance;
  switch (type) {
    case 'DOLLAR':
      return { of: same, ofDistance: same };
    case 'PERCENTAGE': {
      const share = (percent: Decimal) => percent.mul(entry).div(100);
      return { of: share, ofDistance: share };
    }
    case 'POSITION_VALUE':
      return { of: (level) => level.minus(entry), ofDistance: same };
    case 'PRICE': {
      if (legs.length > 1) return null;
      const { quantity } = only;
      const worth = (price: Decimal) => price.mul(quantity);
      return {
        of: (price) => (only.side === 'BUY' ? worth(price).minus(entry) : entry.minus(worth(price))),
        ofDistance: worth,
      };
    }
    case 'PRICE_RATIO':
    case 'WEIGHTED_RATIO':
      return null;
  }
}

function open(legs: readonly ProtectedLeg[]): readonly ProtectedLeg[] {
  return legs.some(({ quantity }) => !dec(quantity).isZero())
    ? legs.filter(({ quantity }) => !dec(quantity).isZero())
    : legs;
}

/** Notification that an agent, or a program with a mandate, made the protection of a position smaller. */
export function loosenedNotification(about: NotificationSubject, reason: string): NotificationText {
  return { category: 'PROTECTION_LOOSENED', parameters: { ...subject(about), type: 'protection', reason } };
}
