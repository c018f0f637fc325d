/** Closing prices of a basket's legs beside the candles of its ratio. */
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { Answer } from '../../../gateway/client/client.ts';
import type { CandleInterval } from '../../../gateway/domain/candle-intervals.ts';
import { useTicker } from '../../api/market.ts';
import { queryKey } from '../../api/queries.ts';
import { useAccount, useClient } from '../../api/session.ts';
import type { LegLine } from '../../components/chart-leg-lines.ts';
import { useIndicatorChoice } from './indicators.ts';
import { REFETCH_MS } from './refetch.ts';
import type { WeighedLeg } from './subject.ts';

/** Largest basket with leg prices in the readout: more would not fit, and every leg is a read of its own. */
const MOST_IN_READOUT = 4;
/** Number of lines that can be told apart: four colours, each solid and dashed. */
const MOST_LINES = 8;
const NO_LEGS: readonly WeighedLeg[] = [];

/** Closing prices of each leg, for baskets of up to four legs. They keep their identity until one is read again. */
export function useLegCloses(legs: readonly WeighedLeg[], interval: CandleInterval): readonly LegLine[] {
  const isFew = legs.length > 1 && legs.length <= MOST_IN_READOUT;
  return useCloses(isFew ? legs : NO_LEGS, interval, undefined);
}

/**
 * Legs drawn among the candles of a basket, if the user wants that; of a large basket, the legs with the largest
 * weights. They keep their identity until one is read again.
 * @param from start of the candles, ISO; undefined: the default
 */
export function useLegLines(
  legs: readonly WeighedLeg[],
  interval: CandleInterval,
  from: string | undefined,
): readonly LegLine[] {
  const isOn = useIndicatorChoice(({ showsLegs }) => showsLegs) && legs.length > 1;
  const drawn = useMemo(() => {
    if (!isOn) return NO_LEGS;
    const heaviest = legs.toSorted((a, b) => b.weight - a.weight).slice(0, MOST_LINES);
    return legs.filter((leg) => heaviest.includes(leg));
  }, [isOn, legs]);
  return useCloses(drawn, interval, from);
}

function useCloses(
  legs: readonly WeighedLeg[],
  interval: CandleInterval,
  from: string | undefined,
): readonly LegLine[] {
  const { connector } = useAccount();
  // Compared by content: the legs of a position are new objects with each price.
  const asked = JSON.stringify(legs.map(({ id }) => id));
  const ids = useMemo(() => JSON.parse(asked) as readonly string[], [asked]);
  const client = useClient();
  const tickerOf = useTicker();
  const combine = useCallback(
    (reads: readonly UseQueryResult<Answer<'GET /candles'>>[]) =>
      reads.map(({ data }, index): LegLine => {
        const id = ids[index] ?? '';
        const rows = (data?.candles ?? []).map(({ start, close }) => ({
          time: Date.parse(start) / 1_000,
          close: Number(close),
        }));
        const closes = new Map(rows.slice(0, -1).map(({ time, close }) => [time, close]));
        return { id, name: tickerOf(id), closes, running: rows.at(-1) ?? null };
      }),
    [ids, tickerOf],
  );
  return useQueries({
    queries: ids.map((id) => {
      const request = {
        query: { connector, symbol: id, interval, ...(from === undefined ? {} : { from }) },
      };
      return {
        queryKey: queryKey(null, 'GET /candles', request),
        queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
          client.call('GET /candles', { ...request, signal }),
        refetchInterval: REFETCH_MS[interval],
      };
    }),
    combine,
  });
}
