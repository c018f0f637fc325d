/** Query parameters: a basket's legs for candles and funding, a chart's subject for `GET /candles/basket`. */
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

/** False: a weight is 0, which requests do not accept; without weights the answer would be for other weights. */
export function hasPast(legs: readonly WeighedLeg[], { metric }: ChartSubject): boolean {
  return metric !== 'WEIGHTED_RATIO' || legs.every(({ weight }) => weightText(weight) !== '0');
}

/** @param isWeighed false: equal weights, which are also used while a weight is 0: routes do not accept 0 */
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
