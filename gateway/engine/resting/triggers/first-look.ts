/** First check of a trigger that begins to be watched. */
import type { Late } from '../../../domain/trigger.ts';

/**
 * First check of a trigger passed to `watch`: with the next tick of its feeds; at once; or at once and treated as after
 * a gap in watching or a pause.
 */
export type FirstLook = 'next_tick' | 'now' | 'after_gap' | 'after_pause';

/** Null: a condition met at the first check is not late. */
export function lateOf(firstLook: FirstLook): Late | null {
  if (firstLook === 'after_gap') return 'gap';
  return firstLook === 'after_pause' ? 'pause' : null;
}
