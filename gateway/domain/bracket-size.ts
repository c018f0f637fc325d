/**
 * Levels of a bracket while the size of its position changes. A change of size at constant prices never fires one.
 *
 *   POSITION_VALUE       a reduction lowers the level by the same share as the value; an addition adds
 *                        `level ÷ entry` per USD added, or `level ÷ value` if it would begin beyond the level
 *   DOLLAR, PERCENTAGE   a reduction moves the level by the jump of the PnL, so realised gains and losses of a partial
 *                        close still count; an addition has no PnL yet and keeps the level, unless it is past 0
 *   WEIGHTED_RATIO,      weights are the exponents of the prices: a change multiplies the metric, often many times, and
 *   PRICE of several     the level is multiplied by the same. A level of a transform stays, and watches
 *                        the ratio by the weights from before the first change
 *   PRICE_RATIO and      the level stays
 *   PRICE of one leg
 *
 * The peak of a trailing bracket moves with every jump of its metric, so its distance to the metric stays. The trailing
 * distance is multiplied together with the level, and unchanged if the level is not multiplied.
 *
 * An addition also moves the average entry, and with it the price at which a PERCENTAGE or POSITION_VALUE fires. A
 * DOLLAR level gets further from the market as the position shrinks. If only the user may loosen protection
 * (`staysNear`), a stop-loss fires no further from the market than without the additions of guests (`users`). Removing
 * an addition undoes the approach that it has caused, and no more, at any result of it.
 */
import { type BracketLeg, bracketMeasure } from './bracket.ts';
import { Decimal, dec, sum, text, textRounded } from './decimal.ts';
import { type Direction, isPast, type MarketFacts, measureValue } from './measure.ts';
import type { SizedLevels } from './sized-levels.ts';
import { levelsOf } from './trailing.ts';
import type { ArmedBracket, Bracket, BracketKind } from './trigger.ts';
import { type ChangedLegs, changedBy, heldOf, leastOf, quantityIn } from './users-legs.ts';

/**
 * The bracket after a change of its position; the same object if nothing of it changes.
 * @param staysNear the change moves a stop-loss no further from the market
 */
export function resized(
  kind: BracketKind,
  armed: ArmedBracket,
  legs: ChangedLegs,
  facts: MarketFacts,
  staysNear = false,
): ArmedBracket {
  const natural = resizedAlone(kind, armed, legs, facts);
  const isNever = kind === 'TAKE_PROFIT' || isUnmoved(armed.bracket, legs.before);
  if (isNever || (!staysNear && armed.sized?.users === undefined)) return natural;
  return besideGuests(armed, natural, legs, facts, staysNear);
}

/** Levels as if only the user had changed the position. */
function resizedAlone(kind: BracketKind, armed: ArmedBracket, legs: ChangedLegs, facts: MarketFacts) {
  return isRatio(armed.bracket) ? weighed(kind, armed, legs, facts) : resizedInUsd(kind, armed, legs, facts);
}

/** As many as answers show of a level. */
const LOSS_DIGITS = 12;

/** A loss in USD that replaces the level of a stop-loss (`stand-in.ts`), after a change of the held legs. */
export function resizedLoss(
  { standIn, sized }: { readonly standIn: string; readonly sized?: SizedLevels },
  legs: ChangedLegs,
  facts: MarketFacts,
  staysNear: boolean,
): Pick<SizedLevels, 'level' | 'users'> {
  const bracket = { type: 'DOLLAR', value: '0', trailing: null } as const;
  const levels = { ...sized, level: standIn, delta: null, activation: null };
  const armed = { bracket, direction: 'LESS_THAN', peak: null, sized: levels } as const;
  const next = resized('STOP_LOSS', armed, legs, facts, staysNear);
  const level = dec(levelsOf('STOP_LOSS', next).level).toSignificantDigits(LOSS_DIGITS);
  return { level: text(level), ...(next.sized?.users && { users: next.sized.users }) };
}

/** The same stop-loss with another part of its user; undefined: the user owns all of it. */
export function withUsers(armed: ArmedBracket, users: SizedLevels['users']): ArmedBracket {
  if (armed.sized?.users === users) return armed;
  const { users: _, ...sized } = levelsOf('STOP_LOSS', armed);
  return { ...armed, sized: users === undefined ? sized : { ...sized, users } };
}

/** True: no change of the legs moves its level, or its distance from the market. */
function isUnmoved({ type, transform }: Bracket, legs: readonly BracketLeg[]): boolean {
  return transform !== undefined || type === 'PRICE_RATIO' || (type === 'PRICE' && legs.length < 2);
}

function isRatio({ type }: Bracket): boolean {
  return type === 'PRICE' || type === 'PRICE_RATIO' || type === 'WEIGHTED_RATIO';
}

function resizedInUsd(
  kind: BracketKind,
  armed: ArmedBracket,
  legs: ChangedLegs,
  facts: MarketFacts,
): ArmedBracket {
  const { type } = armed.bracket;
  const reduced = withoutAdditions(legs.before, legs.after);
  const [was, between, is] = [legs.before, reduced, legs.after].map((held) => seen(type, held, facts));
  if (type === 'POSITION_VALUE') {
    const share =
      shareLeft(was ?? null, between ?? null) ?? shareLeft(entryOf(legs.before), entryOf(reduced));
    const smaller = scaled(kind, armed, share ?? dec(1));
    const held = { entry: entryOf(reduced), value: between ?? null };
    const larger = enlarged(kind, smaller, held, added(reduced, legs.after));
    return withPeak(larger, difference(between, is));
  }
  const isPnl = type === 'DOLLAR' || type === 'PERCENTAGE';
  const jump = difference(was, between);
  const moves = isPnl && jump !== null && !jump.isZero();
  const moved = moves ? withLevels(kind, armed, (level) => level.plus(jump), dec(1)) : armed;
  const grown =
    type === 'PERCENTAGE' ? diluted(kind, moved, entryOf(reduced), added(reduced, legs.after)) : moved;
  return withPeak(grown, difference(was, is));
}

/** Scales a new bracket to the present position, because its level was asked for a position of another size. */
export function scaledTo(
  kind: BracketKind,
  armed: ArmedBracket,
  asked: string,
  legs: readonly BracketLeg[],
  facts: MarketFacts,
): ArmedBracket {
  const value = seen('POSITION_VALUE', legs, facts) ?? entryOf(legs);
  return scaled(kind, armed, shareLeft(dec(asked), value) ?? dec(1));
}

/**
 * Adjusts a new bracket whose level was asked for legs of other weights: rounding to lots, or a partial fill, has
 * changed its metric.
 */
export function weighed(
  kind: BracketKind,
  armed: ArmedBracket,
  { before, after }: ChangedLegs,
  facts: MarketFacts,
): ArmedBracket {
  const { type, transform } = armed.bracket;
  if (!isRatio(armed.bracket) || !isSameBasket(before, after)) return armed;
  if (transform !== undefined) return type === 'WEIGHTED_RATIO' ? withWeights(kind, armed, before) : armed;
  // Without a mark the entry is near enough: a price counts only as far as its weight has changed. A leg that was not
  // held before has one only now.
  const entries = new Map([...before, ...after].map((leg) => [leg.symbol, entryPrice(leg)]));
  const known: MarketFacts = {
    price: (symbol, source) => facts.price(symbol, source) ?? entries.get(symbol),
    figure: (name) => facts.figure(name),
  };
  const [was, is] = [before, after].map((held) => seen(type, held, known));
  return scaled(kind, armed, shareLeft(was ?? null, is ?? null) ?? dec(1));
}

/** Weights of a transform, kept from its first change on. */
function withWeights(kind: BracketKind, armed: ArmedBracket, legs: readonly BracketLeg[]): ArmedBracket {
  const cost = entryOf(legs);
  if (armed.sized?.weights !== undefined || cost.isZero()) return armed;
  const weights = Object.fromEntries(
    legs.map(({ symbol, entryNotional }) => [symbol, digits(dec(entryNotional).div(cost))]),
  );
  return { ...armed, sized: { ...levelsOf(kind, armed), weights } };
}

/** A metric of fewer legs is another one, and no multiple. */
function isSameBasket(before: readonly BracketLeg[], after: readonly BracketLeg[]): boolean {
  const isOpen = (leg: BracketLeg | undefined) => leg !== undefined && leg.quantity !== '0';
  const symbols = new Set([...before, ...after].map(({ symbol }) => symbol));
  const of = (legs: readonly BracketLeg[], symbol: string) => legs.find((leg) => leg.symbol === symbol);
  return [...symbols].every((symbol) => isOpen(of(before, symbol)) === isOpen(of(after, symbol)));
}

function entryPrice({ quantity, entryNotional }: BracketLeg): string | undefined {
  return quantity === '0' ? undefined : textRounded(dec(entryNotional).div(quantity), 18);
}

/** A stop-loss after a change, no further from the market than it would be without the additions of guests. */
function besideGuests(
  was: ArmedBracket,
  is: ArmedBracket,
  legs: ChangedLegs,
  facts: MarketFacts,
  isByGuest: boolean,
): ArmedBracket {
  const { bracket, direction } = was;
  const part = was.sized?.users ?? { legs: heldOf(legs.before), level: levelsOf('STOP_LOSS', was).level };
  const change = {
    before: part.legs,
    after: isByGuest ? leastOf(part.legs, legs.after) : changedBy(part.legs, legs),
  };
  const plain = { ...bracket, trailing: null };
  const sized = { level: part.level, delta: null, activation: null };
  const alone = resizedAlone('STOP_LOSS', { bracket: plain, direction, peak: null, sized }, change, facts);
  const own = levelsOf('STOP_LOSS', alone).level;
  const level = isByGuest ? nearer(direction, own, atDistance(plain, part.level, change, facts)) : own;
  const isWhole = legs.after.every(({ symbol, quantity }) => quantityIn(change.after, symbol) === quantity);
  const users = isWhole ? undefined : { legs: change.after, level };
  if (!isByGuest) return withUsers(is, users);
  const most = atDistance(plain, level, { before: change.after, after: legs.after }, facts);
  const next = levelsOf('STOP_LOSS', is);
  const joint = nearer(direction, next.level, most);
  const near = joint === next.level ? is : { ...is, sized: { ...next, level: joint } };
  return withUsers(nearTrailing(was, near, legs, facts, part.legs), users);
}

/** Level at an unchanged distance from the market, a share of gross notional or of the ratio; null: not known. */
function atDistance(bracket: Bracket, level: string, legs: ChangedLegs, facts: MarketFacts): Decimal | null {
  if (isRatio(bracket)) {
    const [was, is] = [legs.before, legs.after].map((held) => seen(bracket.type, held, facts));
    const share = shareLeft(was ?? null, is ?? null);
    return share === null ? null : dec(level).mul(share);
  }
  const [before, after] = [legs.before, legs.after].map((held) => shareOfGross(bracket.type, held, facts));
  if (before == null || after == null) return null;
  return after.now.plus(dec(level).minus(before.now).mul(before.unit).div(after.unit));
}

/** The level that is met first on the way in `direction`. @param other null: not known */
function nearer(direction: Direction, level: string, other: Decimal | null): string {
  return other === null || isPast(text(other), direction, level) ? level : digits(other);
}

/**
 * The stop-loss after a guest's change, its trailing distance no longer and its best value no further off.
 * @param users legs of the part that no guest brought
 */
function nearTrailing(
  was: ArmedBracket,
  is: ArmedBracket,
  legs: ChangedLegs,
  facts: MarketFacts,
  users: readonly BracketLeg[],
): ArmedBracket {
  const { type } = was.bracket;
  const [old, next] = [levelsOf('STOP_LOSS', was), levelsOf('STOP_LOSS', is)];
  if (old.delta === null || next.delta === null || isRatio(was.bracket)) return is;
  const [before, after, part] = [legs.before, legs.after, users].map((held) =>
    shareOfGross(type, held, facts),
  );
  if (before == null || after == null) return is;
  const growth = before.unit.div(after.unit);
  // A reduction gives back what additions before it have brought a distance in USD nearer.
  const added = type === 'DOLLAR' && part != null ? part.unit.div(before.unit) : dec(1);
  const distance = growth.mul(Decimal.max(1, Decimal.min(added, dec(1).div(growth))));
  const at = (level: string | Decimal) => after.now.plus(dec(level).minus(before.now).mul(distance));
  const delta = digits(Decimal.min(next.delta, dec(old.delta).mul(distance)));
  const activation =
    next.activation && old.activation && digits(Decimal.min(next.activation, at(old.activation)));
  const least = was.peak && at(dec(was.peak).minus(old.delta)).plus(delta);
  // Behind a peak that stayed a shorter distance would fire at once, and a longer one be met further away.
  const isMoved = least && is.peak !== null && (delta !== next.delta || least.gt(is.peak));
  return { ...is, sized: { ...next, delta, activation }, peak: isMoved ? digits(least) : is.peak };
}

/** The metric now, and how much of the gross notional 1 of it is; null: a price is not known. */
function shareOfGross(type: Bracket['type'], legs: readonly BracketLeg[], facts: MarketFacts) {
  const now = seen(type, legs, facts);
  const open = legs.filter(({ quantity }) => quantity !== '0');
  const gross = sum(open.map(({ symbol, quantity }) => dec(facts.price(symbol, 'MARK') ?? 0).mul(quantity)));
  if (now === null || gross.isZero()) return null;
  const usd = type === 'PERCENTAGE' ? entryOf(open).div(100) : dec(1);
  return { now, unit: usd.div(gross) };
}

/** Legs after the reductions of a change, without its additions. */
function withoutAdditions(
  before: readonly BracketLeg[],
  after: readonly BracketLeg[],
): readonly BracketLeg[] {
  return before.map((leg) => {
    const next = after.find(({ symbol }) => symbol === leg.symbol);
    if (next === undefined) return { ...leg, quantity: '0', entryNotional: '0' };
    return dec(next.quantity).lt(leg.quantity) ? next : leg;
  });
}

/** Entry notional that a change adds, USD. */
function added(reduced: readonly BracketLeg[], after: readonly BracketLeg[]): Decimal {
  return sum(
    after.map((leg) => {
      const before = reduced.find(({ symbol }) => symbol === leg.symbol);
      const isAdded = dec(leg.quantity).gt(before?.quantity ?? 0);
      return isAdded ? dec(leg.entryNotional).minus(before?.entryNotional ?? 0) : dec(0);
    }),
  );
}

function entryOf(legs: readonly BracketLeg[]): Decimal {
  return sum(legs.map(({ entryNotional }) => dec(entryNotional)));
}

function seen(type: Bracket['type'], legs: readonly BracketLeg[], facts: MarketFacts): Decimal | null {
  const measure = bracketMeasure(type, legs);
  const value = measure.ok ? measureValue(measure.value, facts) : null;
  return value === null ? null : dec(value);
}

/** null: not known, or one of them cannot be the base of a share. */
function shareLeft(before: Decimal | null, after: Decimal | null): Decimal | null {
  return before === null || after === null || before.lte(0) || after.lte(0) ? null : after.div(before);
}

function difference(before: Decimal | null | undefined, after: Decimal | null | undefined): Decimal | null {
  return before == null || after == null ? null : after.minus(before);
}

function scaled(kind: BracketKind, armed: ArmedBracket, share: Decimal): ArmedBracket {
  if (share.eq(1)) return armed;
  const next = withLevels(kind, armed, (level) => level.mul(share), share);
  return next.peak === null ? next : { ...next, peak: digits(dec(next.peak).mul(share)) };
}

/**
 * @param held entry and value before the addition, USD; value null: not known
 * @param entry of the addition, USD
 */
function enlarged(
  kind: BracketKind,
  armed: ArmedBracket,
  held: { readonly entry: Decimal; readonly value: Decimal | null },
  entry: Decimal,
): ArmedBracket {
  if (entry.isZero() || held.entry.lte(0)) return armed;
  const raised = (level: Decimal, isAbove: boolean) => {
    // Added units begin at their entry. Where that is beyond the level, the level keeps its share of the value instead.
    const isBeyond = isAbove ? level.lte(held.entry) : level.gte(held.entry);
    const base = held.value?.gt(0) && isBeyond ? held.value : held.entry;
    return level.plus(level.div(base).mul(entry));
  };
  return withLevels(kind, armed, raised, held.entry.plus(entry).div(held.entry));
}

/**
 * An addition draws the PnL in percent towards 0. A level moved past 0 by partial closes is drawn as much.
 * @param held entry before the addition of `entry`, USD
 */
function diluted(kind: BracketKind, armed: ArmedBracket, held: Decimal, entry: Decimal): ArmedBracket {
  const level = dec(levelsOf(kind, armed).level);
  const isPast = kind === 'TAKE_PROFIT' ? level.lt(0) : level.gt(0);
  if (!isPast || entry.isZero() || held.isZero()) return armed;
  const share = held.div(held.plus(entry));
  return withLevels(kind, armed, (one) => one.mul(share), dec(1));
}

/**
 * @param move gives the new level; `isAbove`: it is met from below
 * @param share of the new distance that trailing keeps in the old one
 */
function withLevels(
  kind: BracketKind,
  armed: ArmedBracket,
  move: (level: Decimal, isAbove: boolean) => Decimal,
  share: Decimal,
): ArmedBracket {
  const { level, delta, activation } = levelsOf(kind, armed);
  const sized: SizedLevels = {
    ...armed.sized,
    level: digits(move(dec(level), kind === 'TAKE_PROFIT')),
    delta: delta === null ? null : digits(dec(delta).mul(share)),
    activation: activation === null ? null : digits(move(dec(activation), true)),
  };
  return { ...armed, sized };
}

function withPeak(armed: ArmedBracket, jump: Decimal | null): ArmedBracket {
  if (jump === null || jump.isZero() || armed.peak === null) return armed;
  return { ...armed, peak: digits(dec(armed.peak).plus(jump)) };
}

const digits = (value: Decimal): string => textRounded(value, 18);
