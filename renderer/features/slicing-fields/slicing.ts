/**
 * A TWAP's slices as typed, as sent, and as a preview by the gateway's own rules: duration ÷ interval slices (rounded
 * down, at least one), equally spaced, the first at once; amounts in whole cents, with rounding remainders carried
 * into the next slices.
 */
import Big from 'big.js';
import type { LimitMeasure } from './limit-measure.ts';

export type MissedSlicePolicy = 'CATCH_UP' | 'SKIP' | 'PAUSE';

export interface SlicingDraft {
  /** A whole number of `durationUnit`. */
  readonly duration: string;
  readonly durationUnit: 'minutes' | 'hours';
  /** Interval between slices, seconds. */
  readonly interval: string;
  readonly randomize: boolean;
  /** Empty: no limit. */
  readonly limitRatio: string;
  /** Measure in which the limit was typed. */
  readonly limitMeasure: LimitMeasure;
  readonly missedSlicePolicy: MissedSlicePolicy;
}

export const NEW_SLICING: SlicingDraft = {
  duration: '10',
  durationUnit: 'minutes',
  interval: '60',
  randomize: false,
  limitRatio: '',
  limitMeasure: 'WEIGHTED_RATIO',
  missedSlicePolicy: 'CATCH_UP',
};

const SECONDS = { minutes: 60, hours: 3_600 } as const;

/** Slicing fields of the body, with the limit unchanged; NaN for text that is no number, which the schema refuses. */
export function slicingInput(draft: SlicingDraft) {
  const limitRatio = draft.limitRatio.trim();
  return {
    durationSeconds: durationSeconds(draft),
    intervalSeconds: numberOf(draft.interval),
    randomize: draft.randomize,
    missedSlicePolicy: draft.missedSlicePolicy,
    ...(limitRatio === '' ? {} : { limitRatio }),
  };
}

function durationSeconds({ duration, durationUnit }: SlicingDraft): number {
  // Rounding to milliseconds: 1.1 hours are 3960 seconds, not 3960.0000000000005.
  return Math.round(numberOf(duration) * SECONDS[durationUnit] * 1_000) / 1_000;
}

function numberOf(text: string): number {
  return /^\s*\d{1,6}(\.\d{1,4})?\s*$/.test(text) ? Number(text) : Number.NaN;
}

export interface PlannedSlice {
  readonly index: number;
  /** Time of the slice, seconds after the start. */
  readonly atSeconds: number;
  /** Decimal string; null while no total is known. */
  readonly usd: string | null;
}

/** Maximum number of slices that a preview computes. */
const LONGEST = 20_000;

/**
 * @param legUsd total notional of each leg, decimal strings; null: not known yet
 * @returns null while duration or interval is not a number, or the plan exceeds the gateway's bounds
 */
export function plannedSlices(
  draft: SlicingDraft,
  legUsd: readonly string[] | null,
): readonly PlannedSlice[] | null {
  const duration = durationSeconds(draft);
  const interval = numberOf(draft.interval);
  if (!(duration >= 60 && duration <= 86_400 && interval >= 5 && interval <= duration)) return null;
  const count = Math.min(LONGEST, Math.max(1, Math.floor(duration / interval)));
  const remaining = legUsd?.map((usd) => new Big(usd)) ?? null;
  return Array.from({ length: count }, (_, index) => ({
    index,
    atSeconds: (index * duration) / count,
    usd: remaining === null ? null : takeSlice(remaining, count - index),
  }));
}

/** Takes the next slice from each leg's remaining notional; the last slice takes all. */
function takeSlice(remaining: Big[], left: number): string {
  let usd = new Big(0);
  for (const [index, rest] of remaining.entries()) {
    const part = left <= 1 ? rest : rest.div(left).round(2, Big.roundDown);
    remaining[index] = rest.minus(part);
    usd = usd.plus(part);
  }
  return usd.toFixed();
}

/** Seconds with their units: 90 → "1 min 30 s", 3700 → "1 h 1 min 40 s". */
export function delayText(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [
    [Math.floor(whole / 3_600), 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`);
  return said.length === 0 ? '0 s' : said.join(' ');
}
