/** Co-movement of a pair's two instruments, over a look-back that the reader chooses. */
import { useMemo, useState } from 'react';
import { useSettings } from '../../api/settings.ts';
import { NoFigure } from '../../components/amount.tsx';
import { ValueChart } from '../../components/chart.tsx';
import { formatNumber } from '../../components/format.ts';
import { Segmented } from '../../components/radio.tsx';
import { EmptyState, Loaded } from '../../components/states.tsx';
import {
  LOOKBACKS,
  type Lookback,
  type PairAnalytics,
  usePairAnalytics,
  Z_LINES,
} from '../../features/ratio-chart/pair-analytics.ts';
import css from './markets.module.css';
import {
  cointegrationWords,
  hoursText,
  type PairFigure,
  pairWarning,
  whyPairFigureIsMissing,
} from './pair-words.ts';

const CHART_PX = 160;

export function PairStatistics({
  long,
  short,
  name,
}: {
  readonly long: string;
  readonly short: string;
  readonly name: string;
}) {
  const [lookback, setLookback] = useState<Lookback>('30d');
  const query = usePairAnalytics(long, short, lookback);
  return (
    <section className={css['section']}>
      <div className={css['sectionHead']}>
        <h3>Z-score of the spread</h3>
        <Segmented label="Look-back" options={LOOKBACKS} value={lookback} onChange={setLookback} />
      </div>
      <Loaded query={query}>{(pair) => <Drawn pair={pair} name={name} />}</Loaded>
    </section>
  );
}

function Drawn({ pair, name }: { readonly pair: PairAnalytics; readonly name: string }) {
  const points = useMemo(
    () =>
      pair.history.flatMap(({ time, zScore }) => (zScore === null ? [] : [{ time, value: Number(zScore) }])),
    [pair],
  );
  const number = useNumber();
  const warning = pairWarning(pair);
  return (
    <>
      {warning !== null && <p role="note">{warning}</p>}
      {points.length === 0 ? (
        <EmptyState title="Not enough common prices yet">{whyPairFigureIsMissing('zScore', pair)}</EmptyState>
      ) : (
        <ValueChart
          points={points}
          lines={Z_LINES}
          height={CHART_PX}
          label={`Z-score of ${name}, now ${points.at(-1)?.value.toFixed(2)}`}
        />
      )}
      <dl className={css['figures']}>
        <Figure name="Z-score now" pair={pair} figure="zScore" text={number(pair.zScore)} />
        <Figure name="Correlation" pair={pair} figure="correlation" text={number(pair.correlation)} />
        <Figure name="Beta" pair={pair} figure="beta" text={number(pair.beta)} />
        <Figure name="Hedge ratio" pair={pair} figure="hedgeRatio" text={number(pair.hedgeRatio)} />
        <Figure
          name="Half-life"
          pair={pair}
          figure="halfLifeHours"
          text={pair.halfLifeHours === null ? null : hoursText(pair.halfLifeHours)}
        />
        <Figure name="Cointegration" pair={pair} figure="cointegration" text={cointegrationWords(pair)}>
          {pair.cointegration !== null &&
            `Engle–Granger ${number(pair.cointegration.statistic)}, 5 % at ${number(pair.cointegration.criticalValues['0.05'])}`}
        </Figure>
      </dl>
    </>
  );
}

function useNumber(): (value: string | null) => string | null {
  const settings = useSettings();
  return (value) => (value === null ? null : formatNumber(settings, value, { digits: 3 }));
}

function Figure({
  name,
  pair,
  figure,
  text,
  children,
}: {
  readonly name: string;
  readonly pair: PairAnalytics;
  readonly figure: PairFigure;
  readonly text: string | null;
  readonly children?: string | false;
}) {
  const why = whyPairFigureIsMissing(figure, pair);
  const note = why ?? (children === false ? undefined : children);
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {text ?? <NoFigure why="" />}
        {note !== undefined && <span className={css['why']}>{note}</span>}
      </dd>
    </div>
  );
}
