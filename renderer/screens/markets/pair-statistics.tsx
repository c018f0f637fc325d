/** Co-movement of a pair's two instruments, over a look-back that the reader chooses. */
import { type ReactNode, useMemo, useState } from 'react';
import { useSettings } from '../../api/settings.ts';
import { ValueChart } from '../../components/chart.tsx';
import { Figure } from '../../components/figure.tsx';
import { formatNumber } from '../../components/format.ts';
import { Segmented } from '../../components/radio.tsx';
import { EmptyState, Loaded } from '../../components/states.tsx';
import {
  cointegrationWord,
  evidenceWords,
  spanWords,
} from '../../features/cointegration/cointegration-words.ts';
import { HalfLife } from '../../features/half-life/half-life.tsx';
import { Z_LINES } from '../../features/ratio-chart/guide-lines.ts';
import {
  LOOKBACKS,
  type Lookback,
  type PairAnalytics,
  usePairAnalytics,
} from '../../features/ratio-chart/pair-analytics.ts';
import css from './markets.module.css';
import { type PairFigure, pairWarning, whyPairFigureIsMissing } from './pair-words.ts';

const CHART_PX = 160;
/** Trading from this drawer uses the weights of the legs, whatever these figures say. */
const OF_SIZE = 'the ticket can size by it';

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
  const { cointegration } = pair;
  const figure = (of: PairFigure, name: string, text: ReactNode, note?: string) => (
    <Figure small name={name} missing={whyPairFigureIsMissing(of, pair)} note={note}>
      {text}
    </Figure>
  );
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
          digits={2}
          label={`Z-score of ${name}, now ${points.at(-1)?.value.toFixed(2)}`}
        />
      )}
      <dl className={css['figures']}>
        {figure('zScore', 'Z-score now', number(pair.zScore))}
        {figure('correlation', 'Correlation', number(pair.correlation))}
        {figure('beta', 'Beta', number(pair.beta), `of returns; ${OF_SIZE}`)}
        {figure('hedgeRatio', 'Hedge ratio', number(pair.hedgeRatio), `of prices; ${OF_SIZE}`)}
        {figure('halfLifeHours', 'Half-life', <HalfLife of={pair} />)}
        {figure(
          'cointegration',
          'Cointegration',
          cointegration === null ? null : cointegrationWord(cointegration.pValue),
          cointegration === null
            ? undefined
            : `${evidenceWords(cointegration.pValue, spanWords(pair))}. Engle–Granger ${number(cointegration.statistic)}, 5 % at ${number(cointegration.criticalValues['0.05'])}`,
        )}
      </dl>
    </>
  );
}

function useNumber(): (value: string | null) => string | null {
  const settings = useSettings();
  return (value) => (value === null ? null : formatNumber(settings, value, { digits: 3 }));
}
