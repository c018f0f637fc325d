/** Co-movement of a pair's two legs over a look-back. */
import type { Answer } from '../../../gateway/client/client.ts';
import { useGet } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import type { LevelLine } from '../../components/market-chart.tsx';

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

/** Lines across the chart of the spread's z-score. */
export const Z_LINES: readonly LevelLine[] = [
  { id: 'high', level: 2, label: '+2 σ', tone: 'quiet', isDraft: true },
  { id: 'mean', level: 0, label: 'mean', tone: 'quiet' },
  { id: 'low', level: -2, label: '−2 σ', tone: 'quiet', isDraft: true },
];
