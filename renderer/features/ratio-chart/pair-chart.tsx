/** Co-movement of a pair's two legs: z-score or spread over time, with the figures of the same look-back. */
import { useMemo } from 'react';
import { Ratio } from '../../components/amount.tsx';
import { ValueChart } from '../../components/chart.tsx';
import { Facts } from '../../components/facts.tsx';
import type { LevelLine } from '../../components/market-chart.tsx';
import { EmptyState, Loaded } from '../../components/states.tsx';
import { type Lookback, type PairAnalytics, usePairAnalytics, Z_LINES } from './pair-analytics.ts';
import css from './ratio-chart.module.css';

/** Bands of the spread at two of its deviations: those of the z-score in its unit. */
function spreadLines(deviation: number): readonly LevelLine[] {
  return Z_LINES.map((line) => ({ ...line, level: line.level * deviation }));
}

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
  const query = usePairAnalytics(long, short, lookback);
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
  const spread = useMemo(() => spreadLines(Number(pair.spreadDeviation ?? 0)), [pair]);
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
          lines={view === 'z-score' ? Z_LINES : spread}
          label={`${view === 'z-score' ? 'Z-score' : 'Spread'} of ${name}, now ${points.at(-1)?.value.toFixed(3)}`}
        />
      )}
      <Facts
        className={css['figures']}
        of={{
          'Z-score': <Ratio value={pair.zScore} figures={4} />,
          Correlation: <Ratio value={pair.correlation} figures={4} />,
          Beta: <Ratio value={pair.beta} figures={4} />,
          'Hedge ratio': <Ratio value={pair.hedgeRatio} figures={4} />,
          'Half-life':
            pair.halfLifeHours === null ? (
              '–'
            ) : (
              <>
                <Ratio value={pair.halfLifeHours} figures={4} /> h
              </>
            ),
          Cointegration: pair.cointegration === null ? '–' : `p ${pair.cointegration.pValueBand}`,
        }}
      />
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
