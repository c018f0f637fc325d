/** Co-movement of a pair's two legs over a look-back. */
import type { Answer } from '../../../gateway/client/client.ts';
import { useGet } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';

export type PairAnalytics = Answer<'GET /analytics/pair'>;
export type Lookback = PairAnalytics['lookback'];

export const LOOKBACKS = (['24h', '7d', '30d', '90d'] as const).map((value) => ({ value, label: value }));

const REFRESH_MS = 60_000;

/** @param long, short instrument ids */
export function usePairAnalytics(long: string, short: string, lookback: Lookback, isOn = true) {
  const { connector } = useAccount();
  return useGet(
    'GET /analytics/pair',
    { query: { connector, long, short, lookback } },
    { shared: true, keepPrevious: true, refetchEvery: REFRESH_MS, enabled: isOn },
  );
}
