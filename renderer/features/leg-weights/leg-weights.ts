/**
 * Legs of a position in the form of charts and conditions, with weights in whole millionths. A ratio at other weights is
 * another ratio: a thousandth of the weight moves that of BTC / ETH by two percent, so each figure has those that the gateway
 * reckons it with. For drawing only.
 */
import type { Row } from '../../../gateway/client/client.ts';
import { isSameWeight, normalise, weightNumber } from '../basket-weights/basket-weights.ts';
import type { ChartSubject, WeighedLeg } from '../ratio-chart/subject.ts';

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

/**
 * Whether a chart of the subject with these legs, which are those of the position, can show its entry and brackets: a weighted
 * ratio of other weights is another figure. Whole steps of quantity alone make other weights of those that were asked for.
 */
export function isOfChart(position: Legs, subject: ChartSubject, legs: readonly WeighedLeg[]): boolean {
  if (subject.metric !== 'WEIGHTED_RATIO') return true;
  const weights = new Map(legs.map(({ id, weight }) => [id, weight]));
  return enteredLegs(position).every(({ id, weight }) =>
    isSameWeight(weightNumber(weights.get(id) ?? Number.NaN), weightNumber(weight)),
  );
}
