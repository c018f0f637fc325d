/** Co-movement of a pair's two legs: z-score or spread over time, with the figures of the same look-back. */
import { useMemo } from 'react';
import { useTicker } from '../../api/market.ts';
import { Ratio } from '../../components/amount.tsx';
import { ValueChart } from '../../components/chart.tsx';
import { axisFigure } from '../../components/chart-axes.ts';
import { Facts } from '../../components/facts.tsx';
import { PERCENT_UNIT } from '../../components/format.ts';
import { EmptyState, Loaded } from '../../components/states.tsx';
import { cointegrationWord, evidenceWords, spanWords } from '../cointegration/cointegration-words.ts';
import { HalfLife } from '../half-life/half-life.tsx';
import { spreadLines, Z_LINES } from './guide-lines.ts';
import { type Lookback, type PairAnalytics, usePairAnalytics } from './pair-analytics.ts';
import css from './ratio-chart.module.css';
import { SPREAD_Z } from './spread-words.ts';

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
  const shortTicker = useTicker()(short);
  return (
    <Loaded query={query}>
      {(pair) => <Drawn pair={pair} view={view} name={name} shortTicker={shortTicker} />}
    </Loaded>
  );
}

function Drawn({
  pair,
  view,
  name,
  shortTicker,
}: {
  readonly pair: PairAnalytics;
  readonly view: 'z-score' | 'spread';
  readonly name: string;
  readonly shortTicker: string;
}) {
  const points = useMemo(() => pointsOf(pair, view), [pair, view]);
  const spread = useMemo(() => spreadLines(Number(pair.spreadDeviation ?? 0) * PERCENT), [pair]);
  const last = points.at(-1)?.value;
  const now = last === undefined ? undefined : axisFigure(last, view === 'z-score' ? 3 : 2);
  return (
    <div className={css['chart']}>
      {points.length === 0 ? (
        <EmptyState title="Not enough common prices yet">
          {pair.observations} of the 30 observations that a spread needs.
        </EmptyState>
      ) : (
        <ValueChart
          points={points}
          digits={2}
          unit={view === 'z-score' ? '' : PERCENT_UNIT}
          lines={view === 'z-score' ? Z_LINES : spread}
          label={
            view === 'z-score' ? `${SPREAD_Z} of ${name}, now ${now}` : `Spread of ${name}, now ${now} %`
          }
        />
      )}
      <Facts
        className={css['figures']}
        of={{
          [SPREAD_Z]: <Ratio value={pair.zScore} figures={4} />,
          Correlation: <Ratio value={pair.correlation} figures={4} />,
          [`Beta to ${shortTicker}`]: <Ratio value={pair.beta} figures={4} />,
          'Hedge ratio': <Ratio value={pair.hedgeRatio} figures={4} />,
          'Half-life': <HalfLife of={pair} />,
          Cointegration: <Cointegration pair={pair} />,
        }}
      />
    </div>
  );
}

function Cointegration({ pair }: { readonly pair: PairAnalytics }) {
  if (pair.cointegration === null) return '–';
  const { pValue } = pair.cointegration;
  return `${cointegrationWord(pValue)} (${evidenceWords(pValue, spanWords(pair))})`;
}

/** The spread is a difference of logarithms: a hundredth is about one percent. */
const PERCENT = 100;

/** The spread is a residual with mean 0, so it is its z-score times its deviation. Figures for drawing only. */
function pointsOf(pair: PairAnalytics, view: 'z-score' | 'spread') {
  const deviation = Number(pair.spreadDeviation ?? Number.NaN) * PERCENT;
  return pair.history.flatMap(({ time, zScore }) => {
    if (zScore === null) return [];
    const value = view === 'z-score' ? Number(zScore) : Number(zScore) * deviation;
    return Number.isFinite(value) ? [{ time, value }] : [];
  });
}
