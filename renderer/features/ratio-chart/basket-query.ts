/** Legs of a basket as its candles and its funding are asked for, and what `GET /candles/basket` is asked of a chart's subject. */
import { weightText } from '../basket/basket.ts';
import type { ChartSubject, WeighedLeg } from './subject.ts';

export function basketQuery(legs: readonly WeighedLeg[], { metric }: ChartSubject) {
  const isSingle = (side: WeighedLeg['side']) => legs.filter((leg) => leg.side === side).length <= 1;
  return {
    metric: metric === 'PRICE' ? ('PRICE_RATIO' as const) : metric,
    // The price ratio of single-leg sides does not depend on weights: typing weights then causes no new read.
    ...legsQuery(legs, !(isSingle('BUY') && isSingle('SELL') && metric === 'PRICE_RATIO')),
  };
}

/** False: weights of which one is 0 cannot be asked for, and the answer would be of other ones. */
export function hasPast(legs: readonly WeighedLeg[], { metric }: ChartSubject): boolean {
  return metric !== 'WEIGHTED_RATIO' || legs.every(({ weight }) => weightText(weight) !== '0');
}

/** @param isWeighed false: each leg as much as any other; so it is too while a weight is 0, which a route does not take */
export function legsQuery(legs: readonly WeighedLeg[], isWeighed: boolean) {
  const longs = legs.filter((leg) => leg.side === 'BUY');
  const shorts = legs.filter((leg) => leg.side === 'SELL');
  const weights = [...longs, ...shorts].map((leg) => weightText(leg.weight));
  return {
    ...(longs.length === 0 ? {} : { long: longs.map(({ id }) => id) }),
    ...(shorts.length === 0 ? {} : { short: shorts.map(({ id }) => id) }),
    ...(isWeighed && weights.every((weight) => weight !== '0') ? { weights } : {}),
  };
}
