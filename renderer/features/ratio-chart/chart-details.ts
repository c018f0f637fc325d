/** What the Trade screen's chart shows beside its candles: prices of the legs, fills as arrows, z-score or spread below. */

import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTicker } from '../../api/market.ts';
import { queryKey, useGet } from '../../api/queries.ts';
import { useAccount, useClient } from '../../api/session.ts';
import type { ChartMark } from '../../components/mark-places.ts';
import { type HeldLegs, marksOf } from './fill-marks.ts';
import { CANDLE_SECONDS, type CandleInterval } from './intervals.ts';
import { type Lookback, usePairAnalytics } from './pair-analytics.ts';
import { SPREAD_Z } from './spread-words.ts';
import type { WeighedLeg } from './subject.ts';

/** Of larger baskets the readout would not fit, and every leg is a read of its own. */
const MOST_LEGS = 4;

export interface LegCloses {
  /** Instrument id. */
  readonly id: string;
  readonly name: string;
  /** Closing price by the start of a candle, epoch seconds. */
  readonly closes: ReadonlyMap<number, number>;
}
const NO_LEGS: readonly LegCloses[] = [];

/** Closing prices of each leg, of a basket of up to four. */
export function useLegCloses(legs: readonly WeighedLeg[], interval: CandleInterval): readonly LegCloses[] {
  const { connector } = useAccount();
  const client = useClient();
  const tickerOf = useTicker();
  const isFew = legs.length > 1 && legs.length <= MOST_LEGS;
  return useQueries({
    queries: (isFew ? legs : []).map(({ id }) => {
      const request = { query: { connector, symbol: id, interval } };
      return {
        queryKey: queryKey(null, 'GET /candles', request),
        queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
          client.call('GET /candles', { ...request, signal }),
        refetchInterval: 60_000,
      };
    }),
    combine: (reads) => {
      if (reads.length === 0) return NO_LEGS;
      return reads.map(({ data }, index) => ({
        id: legs[index]?.id ?? '',
        name: tickerOf(legs[index]?.id ?? ''),
        closes: new Map(
          (data?.candles ?? []).map(({ start, close }) => [
            Math.floor(Date.parse(start) / 1_000),
            Number(close),
          ]),
        ),
      }));
    },
  });
}

const NO_MARKS: readonly ChartMark[] = [];
const MOST_FILLS = 500;

/** Fills of a position, those of one moment together: up where the basket was bought, down where it was sold. */
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
    const every = CANDLE_SECONDS[interval];
    // On the grid of the candles: a time of its own would be a gap among them.
    const points = new Map<number, number>();
    for (const { time, zScore } of data.history) {
      const value = zScore === null ? Number.NaN : Number(zScore) * deviation;
      if (Number.isFinite(value)) points.set(Math.floor(Date.parse(time) / 1_000 / every) * every, value);
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
