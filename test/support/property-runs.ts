/**
 * Number of runs of a property: a tenth, the same ones each time. With TANDEM_LONG=1 (`npm run test:long`): all, other
 * ones each time.
 */
import { IS_LONG } from './long-run.ts';

const SEED = 1;
/** A tenth of the usual hundred finds too little, and so many take no time. */
const FEWEST = 25;

/**
 * Parameters of `fc.assert`.
 * @param all runs with TANDEM_LONG=1
 * @param some runs without, for a property whose runs are slow
 */
export function propertyRuns(
  all = 100,
  some = Math.min(all, Math.max(FEWEST, Math.ceil(all / 10))),
): { readonly numRuns: number; readonly seed?: number } {
  return IS_LONG ? { numRuns: all } : { numRuns: some, seed: SEED };
}
