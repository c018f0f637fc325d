/** Times at which the buckets of a PnL chart begin. */
import type { Portfolio } from './use-portfolio.ts';

type Bucket = Pick<Portfolio['buckets'][number], 'start' | 'end'>;

/** Length of a whole bucket, ms. The first and last bucket may be cut to the range. */
export function widestOf(buckets: readonly Bucket[]): number {
  return Math.max(0, ...buckets.map(({ start, end }) => Date.parse(end) - Date.parse(start)));
}

/**
 * Epoch ms at which each bucket begins. The first bucket counts as a whole one: drawn at the beginning of the range,
 * half of its column would be hidden behind the second one.
 */
export function bucketTimes(buckets: readonly Bucket[]): readonly number[] {
  const widest = widestOf(buckets);
  return buckets.map(({ start, end }, index) =>
    index === 0 && buckets.length > 1 ? Date.parse(end) - widest : Date.parse(start),
  );
}
