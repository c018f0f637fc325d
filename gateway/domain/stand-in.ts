/**
 * Stand-in for a stop-loss whose level cannot be compared: one at a price or ratio of a basket of which a leg is not
 * held, because it did not fill or was closed elsewhere. A ratio of one leg alone is that leg's price, so its level means
 * nothing. Until every leg is held, the stop-loss fires at a loss in USD on what is held, counted from now:
 *
 *   loss = share × notional
 *   share      how far the metric of the whole basket would have to move from its present value to the level
 *   notional   WEIGHTED_RATIO: of all legs, as its weights are shares of them; PRICE, PRICE_RATIO: of the larger side
 *
 * A leg that is not held counts with its target weight. A take-profit waits for the leg: nothing is lost meanwhile.
 */
import { type BracketLeg, bracketMeasure } from './bracket.ts';
import { type Decimal, dec, sum, text, textRounded, ZERO } from './decimal.ts';
import { type MarketFacts, measureValue } from './measure.ts';
import type { Side } from './model.ts';
import { firingLevel } from './trailing.ts';
import type { ArmedBracket, BracketKind, BracketMetric } from './trigger.ts';

const OF_ALL_LEGS: ReadonlySet<BracketMetric> = new Set(['PRICE', 'PRICE_RATIO', 'WEIGHTED_RATIO']);
/** Share of the notional if the true share is unknown: a price is missing, or the level is a z-score or spread. */
const UNKNOWN_SHARE = '0.1';
/** USD. */
const LEAST_LOSS = '0.01';

type WeighedLeg = BracketLeg & { readonly targetWeight: string };

/** True: the bracket's metric needs a leg that is not held. `legs` are those that the bracket was armed for. */
export function lacksLeg(
  bracket: { readonly armed: ArmedBracket; readonly legs: readonly { readonly symbol: string }[] },
  held: readonly Pick<BracketLeg, 'symbol' | 'quantity'>[],
): boolean {
  if (!OF_ALL_LEGS.has(bracket.armed.bracket.type)) return false;
  const open = new Set(held.filter(({ quantity }) => quantity !== '0').map(({ symbol }) => symbol));
  return bracket.legs.some(({ symbol }) => !open.has(symbol));
}

/**
 * PnL in USD of the held legs, below which the stop-loss fires.
 * @param legs all legs of the position
 * @param staysNear only held legs count: the weight of a leg that the user does not hold may be that of others
 */
export function standInLevel(
  kind: BracketKind,
  armed: ArmedBracket,
  legs: readonly WeighedLeg[],
  facts: MarketFacts,
  staysNear = false,
): string {
  const whole = wholeBasket(legs, facts);
  const { type } = armed.bracket;
  const notionalOf = (side: Side) =>
    sum(whole.filter((leg) => leg.side === side).map(({ entryNotional }) => dec(entryNotional)));
  const [long, short] = [notionalOf('BUY'), notionalOf('SELL')];
  const larger = long.gt(short) ? long : short;
  const ofWhole = type === 'WEIGHTED_RATIO' ? long.plus(short) : larger;
  const ofHeld = sum(legs.map(({ entryNotional }) => dec(entryNotional)));
  const notional = staysNear && ofHeld.lt(ofWhole) ? ofHeld : ofWhole;
  const loss = notional.mul(shareToLevel(kind, armed, whole, facts));
  const least = loss.lt(LEAST_LOSS) ? dec(LEAST_LOSS) : loss;
  const measure = bracketMeasure('DOLLAR', legs);
  const pnl = measure.ok ? measureValue(measure.value, facts) : null;
  return textRounded(dec(pnl ?? '0').minus(least), 2);
}

/**
 * The legs as if all were held: a missing one at its present price, with its target weight. Without a price it is at 1:
 * its weight counts all the same, and whoever compares two such baskets takes the price of the one that holds it.
 */
export function wholeBasket(legs: readonly WeighedLeg[], facts: MarketFacts): readonly BracketLeg[] {
  const held = legs.filter(({ quantity }) => quantity !== '0');
  const gross = sum(held.map(({ entryNotional }) => dec(entryNotional)));
  const weight = sum(held.map(({ targetWeight }) => dec(targetWeight)));
  return legs.map((leg) => {
    const price = facts.price(leg.symbol, 'MARK') ?? '1';
    if (leg.quantity !== '0' || weight.isZero()) return leg;
    const notional = gross.mul(leg.targetWeight).div(weight);
    return { ...leg, quantity: text(notional.div(price)), entryNotional: text(notional) };
  });
}

function shareToLevel(
  kind: BracketKind,
  armed: ArmedBracket,
  whole: readonly BracketLeg[],
  facts: MarketFacts,
): Decimal {
  const measure = bracketMeasure(armed.bracket.type, whole);
  const value = measure.ok ? measureValue(measure.value, facts) : null;
  const level = firingLevel(kind, armed);
  const isWhole = whole.every(({ quantity }) => quantity !== '0');
  if (!isWhole || value === null || level === null || armed.bracket.transform !== undefined)
    return dec(UNKNOWN_SHARE);
  const moved = dec(level).div(value).minus(1);
  const share = armed.direction === 'LESS_THAN' ? moved.neg() : moved;
  return share.gt(0) ? share : ZERO;
}
