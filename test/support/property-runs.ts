/**
 * Number of runs of a property: a tenth, the same ones each time. With TANDEM_LONG=1 (`npm run test:long`): all, other
 * ones each time.
 */
import fc from 'fast-check';
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

type Values = [unknown, ...unknown[]];
type Drawn<Of extends Values> = { readonly [Index in keyof Of]: fc.Arbitrary<Of[Index]> };
type Check<Of extends Values, Answer> = (...values: Of) => Answer;
/** The check comes last; before it parameters of `fc.assert` where they are others than `propertyRuns()`. */
type Given<Of extends Values, Answer> = [Check<Of, Answer>] | [fc.Parameters<Of>, Check<Of, Answer>];

/** Fails the test unless the check passes for all that is drawn. */
export function forAll<Of extends Values>(drawn: Drawn<Of>, ...given: Given<Of, boolean | undefined>): void {
  const [runs, check] = given.length === 1 ? [propertyRuns(), given[0]] : given;
  fc.assert(fc.property<Of>(...drawn, check), runs);
}

/** Rejects unless the check passes for all that is drawn. */
export async function forAllAsync<Of extends Values>(
  drawn: Drawn<Of>,
  ...given: Given<Of, Promise<boolean> | Promise<void>>
): Promise<void> {
  const [runs, check] = given.length === 1 ? [propertyRuns(), given[0]] : given;
  await fc.assert(fc.asyncProperty<Of>(...drawn, check), runs);
}

/** Records as one choice of `fc.oneof`. */
export const weightedRecord = <Of>(
  weight: number,
  fields: { [Key in keyof Of]: fc.Arbitrary<Of[Key]> },
): fc.WeightedArbitrary<Of> => ({ weight, arbitrary: fc.record(fields) });
