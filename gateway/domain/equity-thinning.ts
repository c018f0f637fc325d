/**
 * Thins equity samples without changing a drawdown. Of a period remain its last sample, its deposits and withdrawals,
 * and for each source of results: the highest and the lowest value of the index, and the peak and the trough of the
 * deepest fall. A drawdown over several periods falls from a highest to a lowest value, or lies within one period.
 */
import { type IndexScale, indexWalk, LEAST_CAPITAL } from './equity-curve.ts';
import { type PathMark, pathMarkOf } from './equity-mark.ts';
import type { EquitySample, HistorySource } from './portfolio.ts';

const SOURCES: readonly (HistorySource | null)[] = [null, 'gateway', 'external'];

/** @param samples of one period, oldest first @returns those to delete */
export function needlessSamples(samples: readonly EquitySample[]): readonly EquitySample[] {
  const needed = new Set<number>();
  for (const source of SOURCES) {
    const marks = samples.map((sample) => pathMarkOf(sample, source));
    for (const [number, { flow }] of marks.entries()) if (flow !== 0n) needed.add(number);
    needed.add(samples.length - 1);
    for (const number of extremes(marks, needed)) needed.add(number);
  }
  return samples.filter((_, number) => !needed.has(number));
}

/** @param kept of several equal values, one that is kept anyway is chosen */
function extremes(marks: readonly PathMark[], kept: ReadonlySet<number>): readonly number[] {
  const { indexes } = indexWalk(scaleAt(marks), marks);
  const value = (number: number) => indexes[number] ?? 0;
  const isBetter = (number: number, than: number, isBeyond: boolean) =>
    isBeyond || (value(number) === value(than) && kept.has(number) && !kept.has(than));
  let [high, low, peak] = [0, 0, 0];
  let fall = { peak: 0, trough: 0, share: 0 };
  for (const number of marks.keys()) {
    if (isBetter(number, high, value(number) > value(high))) high = number;
    if (isBetter(number, low, value(number) < value(low))) low = number;
    if (value(number) > value(peak)) peak = number;
    const share = value(peak) > 0 ? 1 - value(number) / value(peak) : 0;
    if (share > fall.share || (share === fall.share && isBetter(number, fall.trough, false)))
      fall = { peak, trough: number, share };
  }
  return fall.share > 0 ? [high, low, fall.peak, fall.trough] : [high, low];
}

function scaleAt([first]: readonly PathMark[]): IndexScale {
  const hasCapital = first === undefined || first.deposits + first.pnl - first.flow >= LEAST_CAPITAL;
  return { factor: 1, held: hasCapital ? null : 1 };
}
