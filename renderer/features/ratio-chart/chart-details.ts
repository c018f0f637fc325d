/** Additions to the Trade screen's chart: fills as arrows, and z-score or spread below the candles. */

import { useMemo } from 'react';
import type { CandleInterval } from '../../../gateway/domain/candle-intervals.ts';
import { useGet } from '../../api/queries.ts';
import type { ChartMark } from '../../components/mark-places.ts';
import { type HeldLegs, marksOf } from './fill-marks.ts';
import { candleSeconds } from './intervals.ts';
import { type Lookback, usePairAnalytics } from './pair-analytics.ts';
import { SPREAD_Z } from './spread-words.ts';

const NO_MARKS: readonly ChartMark[] = [];
const MOST_FILLS = 500;

/** Fills of a position, grouped by moment: up where the basket was bought, down where it was sold. */
export function useFillMarks(position: HeldLegs | null): readonly ChartMark[] {
  const { data } = useGet(
    'GET /fills/{positionId}',
    { params: { positionId: position?.id ?? '' }, query: { limit: MOST_FILLS } },
    { enabled: position !== null },
  );
  const legs = position?.legs;
  return useMemo(
    () => (data === undefined || legs === undefined ? NO_MARKS : marksOf(data.fills, legs)),
    [data, legs],
  );
}

export interface LowerLine {
  readonly points: readonly { readonly time: number; readonly value: number }[];
  readonly bands: readonly { readonly level: number; readonly label: string }[];
  readonly name: string;
  readonly digits: number;
}

/** Z-score or spread of a pair as a line under candles of `interval`, with bands at two deviations; null: none. */
export function useLowerLine(
  pair: { readonly long: string; readonly short: string } | null,
  kind: 'z-score' | 'spread' | 'none',
  lookback: Lookback,
  interval: CandleInterval,
): LowerLine | null {
  const isOn = pair !== null && kind !== 'none';
  const { data } = usePairAnalytics(pair?.long ?? '', pair?.short ?? '', lookback, isOn);
  return useMemo(() => {
    if (!isOn || data === undefined) return null;
    const deviation = kind === 'z-score' ? 1 : Number(data.spreadDeviation ?? Number.NaN) * 100;
    // Times are rounded to the candles': other times would make gaps between candles.
    const points = new Map<number, number>();
    for (const { time, zScore } of data.history) {
      const value = zScore === null ? Number.NaN : Number(zScore) * deviation;
      if (Number.isFinite(value)) points.set(candleSeconds(interval, time), value);
    }
    if (points.size === 0) return null;
    return {
      points: [...points].map(([time, value]) => ({ time, value })),
      bands: [
        { level: 2 * deviation, label: '+2 σ' },
        { level: 0, label: 'mean' },
        { level: -2 * deviation, label: '−2 σ' },
      ],
      name: kind === 'z-score' ? `${SPREAD_Z.toLowerCase()} ${lookback}` : `spread % ${lookback}`,
      digits: 2,
    };
  }, [isOn, data, kind, interval, lookback]);
}
