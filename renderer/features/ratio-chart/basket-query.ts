/** What `GET /candles/basket` is asked for of a chart's subject. */
import { weightText } from '../basket/basket.ts';
import type { ChartSubject, WeighedLeg } from './subject.ts';

export function basketQuery(legs: readonly WeighedLeg[], { metric }: ChartSubject) {
  const longs = legs.filter((leg) => leg.side === 'BUY');
  const shorts = legs.filter((leg) => leg.side === 'SELL');
  const weights = [...longs, ...shorts].map((leg) => weightText(leg.weight));
  // The price ratio of single-leg sides does not depend on weights: typing weights then causes no new read.
  const isSingle = longs.length <= 1 && shorts.length <= 1 && metric === 'PRICE_RATIO';
  const isWeighed = !isSingle && weights.every((weight) => weight !== '0');
  return {
    metric: metric === 'PRICE' ? ('PRICE_RATIO' as const) : metric,
    ...(longs.length === 0 ? {} : { long: longs.map(({ id }) => id) }),
    ...(shorts.length === 0 ? {} : { short: shorts.map(({ id }) => id) }),
    ...(isWeighed ? { weights } : {}),
  };
}
