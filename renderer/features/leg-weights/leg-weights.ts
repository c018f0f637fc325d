/**
 * Legs of a position in the form of charts and conditions, with weights in whole millionths. Other weights make another
 * ratio: a weight changed by a thousandth moves that of BTC / ETH by two percent. So each figure uses the weights that
 * the gateway uses for it. For drawing only.
 */
import type { Row } from '../../../gateway/client/client.ts';
import { isSameWeight, normalise, weightNumber } from '../basket-weights/basket-weights.ts';
import { type EnteredPosition, type EntryFacts, positionFacts } from '../ratio-chart/levels.ts';
import { type ChartSubject, subjectValue, type WeighedLeg } from '../ratio-chart/subject.ts';

type Leg = Pick<
  Row<'GET /positions'>['legs'][number],
  'symbol' | 'side' | 'quantity' | 'entryPrice' | 'notional' | 'targetWeight'
>;
interface Legs {
  readonly legs: readonly Leg[];
}

const isHeld = ({ quantity }: Leg) => Number(quantity) > 0;

function weighed(legs: readonly Leg[], amountOf: (leg: Leg) => number): readonly WeighedLeg[] {
  const weights = normalise(legs.map(amountOf));
  return legs.map(({ symbol, side }, index) => ({ id: symbol, side, weight: weights[index] ?? 0 }));
}

/** Legs with their target weights. */
export function askedLegs({ legs }: Legs): readonly WeighedLeg[] {
  return weighed(legs, ({ targetWeight }) => Number(targetWeight));
}

/**
 * Held legs with their weights at entry: the weights of a position's ratios, at entry and now, and of the triggers that
 * close it by a ratio. If no leg is held: legs with their target weights.
 */
export function enteredLegs({ legs }: Legs): readonly WeighedLeg[] {
  const held = legs.filter(isHeld);
  if (held.length === 0) return askedLegs({ legs });
  return weighed(held, ({ quantity, entryPrice }) => Number(quantity) * Number(entryPrice));
}

/** Legs for the chart, which needs all of them: with target weights if one is not held, else with entry weights. */
export function drawnLegs({ legs }: Legs): readonly WeighedLeg[] {
  return legs.every(isHeld) ? enteredLegs({ legs }) : askedLegs({ legs });
}

/** Legs with the weights held now, which a TWAP that closes the position keeps from its start. */
export function heldLegs({ legs }: Legs): readonly WeighedLeg[] {
  const held = legs.filter(isHeld);
  return held.length === 0 ? askedLegs({ legs }) : weighed(held, ({ notional }) => Number(notional));
}

/** Largest weight difference, millionths, at which the ratio's moves still match gains, to the first order. */
const NEAR_WEIGHT = 5_000;

/**
 * Entry facts for a chart of the subject with these legs of the position. Weights may differ from the position's own
 * because quantities are whole steps. A weighted ratio at other weights is another figure, so its entry is computed
 * from the legs' own entry prices. null: a leg is not held, or has no entry price.
 */
export function factsOnChart(
  position: Legs & EnteredPosition,
  subject: ChartSubject,
  legs: readonly WeighedLeg[],
): EntryFacts | null {
  const facts = positionFacts(position, subject, legs);
  if (subject.metric !== 'WEIGHTED_RATIO') return facts;
  const weights = new Map(legs.map(({ id, weight }) => [id, weight]));
  const pairs = enteredLegs(position).map(
    ({ id, weight }) => [weights.get(id) ?? Number.NaN, weight] as const,
  );
  if (pairs.every(([a, b]) => isSameWeight(weightNumber(a), weightNumber(b)))) return facts;
  const prices = new Map(
    position.legs.filter(isHeld).map(({ symbol, entryPrice }) => [symbol, Number(entryPrice)]),
  );
  const entry = subjectValue(subject, legs, (id) => prices.get(id) ?? null);
  if (entry === null) return null;
  const isNear = pairs.every(([a, b]) => Math.abs(a - b) <= NEAR_WEIGHT);
  return { ...facts, entry, weights: isNear ? 'near' : 'far' };
}
