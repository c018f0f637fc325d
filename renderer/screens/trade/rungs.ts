/**
 * Preview of a ladder's rungs, for its table and the chart. The gateway's rules: LINEAR levels have equal distances,
 * GEOMETRIC ones equal ratios, 12 significant figures, the ends exactly as typed; amounts are split leg by leg in
 * whole cents, floor(total × W_i ÷ W) cumulated, so that they sum exactly.
 */
import Big from 'big.js';
import type { LadderDraft } from './ticket.ts';

export interface PlannedRung {
  readonly index: number;
  readonly level: string;
  /** Decimal string; null while no total is known. */
  readonly usd: string | null;
  /** The present value is strictly beyond the level: the rung would fire at once. */
  readonly isPassed: boolean;
}

const FIGURES = 12;
const NUMBER = /^\d{1,20}(\.\d{1,18})?$/;

/**
 * @param legUsd total notional of each leg, decimal strings; null: not known yet
 * @param now value of the metric; null: not known
 * @returns null while start, end or number of levels cannot be read
 */
export function plannedRungs(
  draft: LadderDraft,
  legUsd: readonly string[] | null,
  now: number | null,
): readonly PlannedRung[] | null {
  const [start, end] = [draft.start.trim(), draft.end.trim()];
  const count = /^\d{1,2}$/.test(draft.levels.trim()) ? Number(draft.levels) : 0;
  const isReadable = NUMBER.test(start) && NUMBER.test(end) && Number(start) > 0 && Number(end) > 0;
  if (!isReadable || count < 2 || count > 50 || new Big(start).eq(end)) return null;
  const sizes = legUsd === null ? null : rungSizes(draft.sizing, count, legUsd);
  return Array.from({ length: count }, (_, index) => {
    const level = levelAt(draft, start, end, index, count);
    const value = Number(level);
    const isPassed = now !== null && (draft.direction === 'LESS_THAN' ? now < value : now > value);
    return { index, level, usd: sizes?.[index] ?? null, isPassed };
  });
}

function levelAt(draft: LadderDraft, start: string, end: string, index: number, count: number): string {
  if (index === 0) return plain(new Big(start));
  if (index === count - 1) return plain(new Big(end));
  if (draft.distribution === 'LINEAR') {
    const step = new Big(end)
      .minus(start)
      .times(index)
      .div(count - 1);
    return plain(new Big(start).plus(step));
  }
  // A float is precise enough for a preview. The gateway computes with more digits and cuts the result to twelve.
  return plain(new Big(Number(start) * (Number(end) / Number(start)) ** (index / (count - 1))));
}

function plain(value: Big): string {
  return new Big(value.toPrecision(FIGURES)).toFixed();
}

function rungSizes(
  sizing: LadderDraft['sizing'],
  count: number,
  legUsd: readonly string[],
): readonly string[] {
  const rising = Array.from({ length: count }, (_, index) => index + 1);
  const shares = { EQUAL: rising.map(() => 1), INCREASING: rising, DECREASING: [...rising].reverse() }[
    sizing
  ];
  const whole = shares.reduce((sum, share) => sum + share, 0);
  const sums = shares.map(() => new Big(0));
  for (const total of legUsd) {
    let reached = 0;
    let given = new Big(0);
    for (const [index, share] of shares.entries()) {
      reached += share;
      const upTo =
        index === count - 1
          ? new Big(total)
          : new Big(total).times(reached).div(whole).round(2, Big.roundDown);
      sums[index] = (sums[index] ?? new Big(0)).plus(upTo.minus(given));
      given = upTo;
    }
  }
  return sums.map((sum) => sum.toFixed());
}
