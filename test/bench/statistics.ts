/** Figures over the rounds of a measurement. All inputs are non-empty lists of finite numbers. */

/** Middle value; between the two middle ones where the count is even. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Linear interpolation between the two nearest ranks (type 7 of Hyndman and Fan). `share` from 0 to 1. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = share * (sorted.length - 1);
  const below = sorted[Math.floor(rank)];
  const above = sorted[Math.ceil(rank)];
  if (below === undefined || above === undefined) throw new RangeError('no values to take a quantile of');
  return below + (above - below) * (rank - Math.floor(rank));
}

/**
 * Interquartile range as a fraction of the median. Like the median that it belongs to, it is not moved by one round in
 * which the machine did something else; lowest and highest are reported beside it.
 */
export function spread(values: readonly number[]): number {
  return (quantile(values, 0.75) - quantile(values, 0.25)) / median(values);
}

export interface RatioFigure {
  /** Median of the ratios of the rounds. */
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

/**
 * Each round's variant is divided by the base measured next to it, so that what disturbed the machine for a while falls
 * on both and cancels out.
 */
export function pairedRatio(base: readonly number[], variant: readonly number[]): RatioFigure {
  if (base.length !== variant.length) throw new RangeError('base and variant need the same number of rounds');
  const ratios = variant.map((value, round) => value / (base[round] ?? Number.NaN));
  return { median: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) };
}
