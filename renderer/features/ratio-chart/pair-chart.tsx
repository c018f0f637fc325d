/** How the two legs of a pair move together: z-score or spread over time, with the figures of the same look-back. */
import { useMemo } from 'react';
import type { Answer } from '../../../gateway/client/client.ts';
import { useGet } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { Ratio } from '../../components/amount.tsx';
import { ValueChart } from '../../components/chart.tsx';
import type { LevelLine } from '../../components/market-chart.ts';
import { EmptyState, Loaded } from '../../components/states.tsx';
import css from './ratio-chart.module.css';

type PairAnalytics = Answer<'GET /analytics/pair'>;
export type Lookback = PairAnalytics['lookback'];

const Z_LINES: readonly LevelLine[] = [
  { id: 'high', level: 2, label: '+2 σ', tone: 'quiet', isDraft: true },
  { id: 'mean', level: 0, label: 'mean', tone: 'quiet' },
  { id: 'low', level: -2, label: '−2 σ', tone: 'quiet', isDraft: true },
];
const SPREAD_LINES: readonly LevelLine[] = [{ id: 'mean', level: 0, label: 'mean', tone: 'quiet' }];

export function PairChart({
  long,
  short,
  view,
  lookback,
  name,
}: {
  /** Instrument ids. */
  readonly long: string;
  readonly short: string;
  readonly view: 'z-score' | 'spread';
  readonly lookback: Lookback;
  readonly name: string;
}) {
  const { connector } = useAccount();
  const query = useGet(
    'GET /analytics/pair',
    { query: { connector, long, short, lookback } },
    { shared: true, keepPrevious: true, refetchEvery: 60_000 },
  );
  return <Loaded query={query}>{(pair) => <Drawn pair={pair} view={view} name={name} />}</Loaded>;
}

function Drawn({
  pair,
  view,
  name,
}: {
  readonly pair: PairAnalytics;
  readonly view: 'z-score' | 'spread';
  readonly name: string;
}) {
  const points = useMemo(() => pointsOf(pair, view), [pair, view]);
  return (
    <div className={css['chart']}>
      {points.length === 0 ? (
        <EmptyState title="Not enough common prices yet">
          {pair.observations} of the 30 observations that a spread needs.
        </EmptyState>
      ) : (
        <ValueChart
          points={points}
          {...(view === 'z-score' ? { digits: 2 } : {})}
          lines={view === 'z-score' ? Z_LINES : SPREAD_LINES}
          label={`${view === 'z-score' ? 'Z-score' : 'Spread'} of ${name}, now ${points.at(-1)?.value.toFixed(3)}`}
        />
      )}
      <dl className={css['figures']}>
        <Figure name="Z-score" value={pair.zScore} />
        <Figure name="Correlation" value={pair.correlation} />
        <Figure name="Beta" value={pair.beta} />
        <Figure name="Hedge ratio" value={pair.hedgeRatio} />
        <Figure name="Half-life, h" value={pair.halfLifeHours} />
        <div>
          <dt>Not cointegrated, p</dt>
          <dd>{pair.cointegration?.pValueBand ?? '–'}</dd>
        </div>
      </dl>
    </div>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string | null }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Ratio value={value} figures={4} />
      </dd>
    </div>
  );
}

/** The spread is a residual with mean 0, so it is its z-score times its deviation. Figures for drawing only. */
function pointsOf(pair: PairAnalytics, view: 'z-score' | 'spread') {
  const deviation = Number(pair.spreadDeviation ?? Number.NaN);
  return pair.history.flatMap(({ time, zScore }) => {
    if (zScore === null) return [];
    const value = view === 'z-score' ? Number(zScore) : Number(zScore) * deviation;
    return Number.isFinite(value) ? [{ time, value }] : [];
  });
}
