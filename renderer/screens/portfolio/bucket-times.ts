/** Places of the buckets of a result over time. */
import type { Portfolio } from './use-portfolio.ts';

type Bucket = Pick<Portfolio['buckets'][number], 'start' | 'end'>;

/** ms of a whole bucket: the first and the last may be cut to the range. */
export function widestOf(buckets: readonly Bucket[]): number {
  return Math.max(0, ...buckets.map(({ start, end }) => Date.parse(end) - Date.parse(start)));
}

/**
 * Epoch ms at which each bucket begins. The first one as if it were whole: at the beginning of the range its column would
 * stand half behind that of the second.
 */
export function bucketTimes(buckets: readonly Bucket[]): readonly number[] {
  const widest = widestOf(buckets);
  return buckets.map(({ start, end }, index) =>
    index === 0 && buckets.length > 1 ? Date.parse(end) - widest : Date.parse(start),
  );
}
