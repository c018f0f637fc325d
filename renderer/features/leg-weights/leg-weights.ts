/**
 * Legs of a position in the form of charts and conditions, with weights in whole millionths. A ratio at other weights is
 * another ratio: a thousandth of the weight moves that of BTC / ETH by two percent, so each figure has those that the gateway
 * reckons it with. For drawing only.
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

/** As the basket was asked for. */
export function askedLegs({ legs }: Legs): readonly WeighedLeg[] {
  return weighed(legs, ({ targetWeight }) => Number(targetWeight));
}

/**
 * As it was entered: the weights of a position's ratios, at entry and now, and of what watches one to close it. Of the legs
 * that are held; none is: as it was asked for.
 */
export function enteredLegs({ legs }: Legs): readonly WeighedLeg[] {
  const held = legs.filter(isHeld);
  if (held.length === 0) return askedLegs({ legs });
  return weighed(held, ({ quantity, entryPrice }) => Number(quantity) * Number(entryPrice));
}

/** Of the chart, which draws all legs: where one is not held, the position has no ratio that would be theirs. */
export function drawnLegs({ legs }: Legs): readonly WeighedLeg[] {
  return legs.every(isHeld) ? enteredLegs({ legs }) : askedLegs({ legs });
}

/** As it is held: the weights that a TWAP which closes it keeps from its first moment on. */
export function heldLegs({ legs }: Legs): readonly WeighedLeg[] {
  const held = legs.filter(isHeld);
  return held.length === 0 ? askedLegs({ legs }) : weighed(held, ({ notional }) => Number(notional));
}

/** So far apart, in millionths, the gains of a ratio's moves are still those of a position of other weights, to the first order. */
const NEAR_WEIGHT = 5_000;

/**
 * What a chart of the subject with these legs, which are those of the position, measures it by. A weighted ratio of other weights
 * is another figure, and whole steps of quantity alone make such of those that were asked for: its entry there is that of the
 * legs' own prices. null: a leg is not held, or has no entry price.
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
