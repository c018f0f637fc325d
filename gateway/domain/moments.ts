/**
 * Moments of a set of numbers, enough for its mean and its deviations; the moments of two sets can be combined without
 * looking at their numbers again. Nothing is ever subtracted from a sum, so that no digits are lost.
 * B. P. Welford, Technometrics 4 (1962); T. F. Chan, G. H. Golub and R. J. LeVeque, American Statistician 37 (1983).
 */
export interface Moments {
  readonly count: number;
  /** Mean; 0 for an empty set. */
  readonly mean: number;
  /** Σ(x − mean)². */
  readonly squares: number;
  /** Σ min(x, 0)². */
  readonly falls: number;
}

const NONE: Moments = { count: 0, mean: 0, squares: 0, falls: 0 };
/** A deviation below this share of the mean is a rounding error and counts as 0. */
const ROUNDING = 1e-12;

function withValue(moments: Moments, value: number): Moments {
  const count = moments.count + 1;
  const apart = value - moments.mean;
  const mean = moments.mean + apart / count;
  return {
    count,
    mean,
    squares: moments.squares + apart * (value - mean),
    falls: moments.falls + Math.min(value, 0) ** 2,
  };
}

function together(a: Moments, b: Moments): Moments {
  if (a.count === 0) return b;
  if (b.count === 0) return a;
  const count = a.count + b.count;
  const apart = b.mean - a.mean;
  return {
    count,
    mean: a.mean + (apart * b.count) / count,
    squares: a.squares + b.squares + (apart * apart * a.count * b.count) / count,
    falls: a.falls + b.falls,
  };
}

export function momentsOf(values: readonly number[]): Moments {
  return values.reduce(withValue, NONE);
}

/** Sample standard deviation: √(Σ(x − mean)² ÷ (n − 1)). null: fewer than two numbers. */
export function sampleDeviation({ count, mean, squares }: Moments): number | null {
  if (count < 2) return null;
  const deviation = Math.sqrt(squares / (count - 1));
  return deviation <= Math.abs(mean) * ROUNDING ? 0 : deviation;
}

/**
 * Moments of the `window` values that end with each value; nulls, and places before the first value, are not counted.
 *
 * The values are cut into blocks of one window. Every window is the end of a block and the beginning of the next, so it
 * takes one addition whatever its length.
 */
export function rollingMoments(values: readonly (number | null)[], window: number): readonly Moments[] {
  const next = (moments: Moments, value: number | null | undefined): Moments =>
    value === null || value === undefined ? moments : withValue(moments, value);
  /** Moments of the values from each value to the end of its block. */
  const ends: Moments[] = new Array(values.length).fill(NONE);
  let end = NONE;
  for (let index = values.length - 1; index >= 0; index -= 1) {
    if ((index + 1) % window === 0) end = NONE;
    end = next(end, values[index]);
    ends[index] = end;
  }
  let beginning = NONE;
  return values.map((value, index) => {
    beginning = next(index % window === 0 ? NONE : beginning, value);
    const isWholeBlock = (index + 1) % window === 0;
    return isWholeBlock ? beginning : together(ends[index + 1 - window] ?? NONE, beginning);
  });
}
