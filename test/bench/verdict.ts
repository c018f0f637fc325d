/** Verdict of a measure against its goal. */
import { median, pairedRatio, type RatioFigure, spread } from './statistics.ts';

export type Verdict = 'PASS' | 'FAIL' | 'NOISY' | 'SKIPPED' | 'INFO';

/** Above this the machine was too busy with other things for a judgement either way. */
export const NOISY_SPREAD = 0.3;

export interface Goal {
  readonly bound: 'at least' | 'at most';
  readonly value: number;
}

export interface Measure {
  /** `ack/64/durable-vs-uncommitted` */
  readonly name: string;
  /** Measured value, or dividend and divisor of a ratio, in one sentence. */
  readonly about: string;
  readonly unit: string;
  readonly value: number | null;
  readonly goal: Goal | null;
  readonly verdict: Verdict;
  /** Ratio over the rounds; null where the value is no ratio. */
  readonly ratio: RatioFigure | null;
  /** Interquartile range ÷ median of the base's rounds; null where there is no base. */
  readonly baseSpread: number | null;
  /** Everything else worth keeping: rates, latencies, CPU. */
  readonly figures: Readonly<Record<string, number | string | null | readonly number[]>>;
}

export function meets(goal: Goal, value: number): boolean {
  return goal.bound === 'at least' ? value >= goal.value : value <= goal.value;
}

export function judge(goal: Goal | null, value: number, baseSpread: number | null): Verdict {
  if (goal === null) return 'INFO';
  if (baseSpread !== null && baseSpread > NOISY_SPREAD) return 'NOISY';
  return meets(goal, value) ? 'PASS' : 'FAIL';
}

/** A ratio of two alternated series, the same rounds in both. */
export function ratioMeasure(
  about: Pick<Measure, 'name' | 'about' | 'goal' | 'figures'>,
  base: readonly number[],
  variant: readonly number[],
): Measure {
  const ratio = pairedRatio(base, variant);
  const baseSpread = spread(base);
  return {
    ...about,
    unit: '×',
    value: ratio.median,
    verdict: judge(about.goal, ratio.median, baseSpread),
    ratio,
    baseSpread,
    figures: {
      base: median(base),
      variant: median(variant),
      baseRounds: base,
      variantRounds: variant,
      ...about.figures,
    },
  };
}

/**
 * A value on its own (a latency, a count): there is no base to divide by. `disturbance`, in the unit of the value, is how
 * long the machine kept a process waiting that had next to nothing to do; where that is more than the noisy share of the
 * goal, the value says more about the machine than about the gateway.
 */
export function valueMeasure(
  about: Pick<Measure, 'name' | 'about' | 'goal' | 'figures' | 'unit'>,
  value: number,
  disturbance = 0,
): Measure {
  const noise = about.goal === null || disturbance === 0 ? null : disturbance / about.goal.value;
  return { ...about, value, verdict: judge(about.goal, value, noise), ratio: null, baseSpread: null };
}

export function skippedMeasure(name: string, why: string): Measure {
  return {
    name,
    about: why,
    unit: '',
    value: null,
    goal: null,
    verdict: 'SKIPPED',
    ratio: null,
    baseSpread: null,
    figures: {},
  };
}
