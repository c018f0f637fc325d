/**
 * Panel with the chart of the basket being built: price, z-score, spread; with lines for typed, resting and held
 * levels.
 */
import { lazy, Suspense, useState } from 'react';
import { isPair } from '../../../gateway/domain/condition-table.ts';
import { useTicker } from '../../api/market.ts';
import layout from '../../components/layout.module.css';
import { Segmented } from '../../components/radio.tsx';
import { Select } from '../../components/select.tsx';
import { EmptyState, Fresh, Skeleton } from '../../components/states.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { type Basket, legsOn } from '../../features/basket/basket.ts';
import type { ChartLine } from '../../features/ratio-chart/levels.ts';
import { LOOKBACKS, type Lookback } from '../../features/ratio-chart/pair-analytics.ts';
import { type CandleInterval, INTERVALS, RatioChart } from '../../features/ratio-chart/ratio-chart.tsx';
import type { ChartSubject } from '../../features/ratio-chart/subject.ts';
import css from './trade.module.css';

const PairChart = lazy(async () => ({
  default: (await import('../../features/ratio-chart/pair-chart.tsx')).PairChart,
}));

type View = 'price' | 'z-score' | 'spread';

const TABS = [
  { value: 'price', label: 'Price' },
  { value: 'z-score', label: 'Z-score' },
  { value: 'spread', label: 'Spread' },
] as const;

export function ChartPanel({
  basket,
  subject,
  subjects,
  onSubject,
  lines,
  name,
}: {
  readonly basket: Basket;
  readonly subject: ChartSubject;
  /** Subjects to choose from. */
  readonly subjects: readonly ChartSubject[];
  readonly onSubject: (subject: ChartSubject) => void;
  readonly lines: readonly ChartLine[];
  readonly name: string;
}) {
  const [view, setView] = useState<View>('price');
  const [interval, setInterval] = useState<CandleInterval>('5m');
  const [lookback, setLookback] = useState<Lookback>('30d');
  const tickerOf = useTicker();
  const options = subjects.map((one) => ({ value: subjectKey(one), label: subjectName(one, tickerOf) }));
  const after =
    view === 'price' ? (
      <>
        <Select
          quiet
          label="What the chart shows"
          options={options}
          value={subjectKey(subject)}
          onChange={(key) => {
            const chosen = subjects.find((one) => subjectKey(one) === key);
            if (chosen !== undefined) onSubject(chosen);
          }}
        />
        <Segmented label="Candles of" options={INTERVALS} value={interval} onChange={setInterval} />
      </>
    ) : (
      <Segmented label="Look-back" options={LOOKBACKS} value={lookback} onChange={setLookback} />
    );
  return (
    <section className={css['chart']} aria-label="Chart">
      <Tabs
        tabs={TABS}
        value={view}
        onChange={setView}
        label="Chart"
        after={<div className={css['tools']}>{after}</div>}
      >
        <Fresh className={layout['fill'] ?? ''}>
          {basket.legs.length === 0 ? (
            <EmptyState title="No basket yet">
              Add a long and a short leg above to see their ratio.
            </EmptyState>
          ) : view === 'price' ? (
            <RatioChart legs={basket.legs} subject={subject} interval={interval} lines={lines} name={name} />
          ) : isPair(basket.legs) ? (
            <Suspense fallback={<Skeleton rows={8} />}>
              <PairChart
                long={legsOn(basket, 'BUY')[0]?.id ?? ''}
                short={legsOn(basket, 'SELL')[0]?.id ?? ''}
                view={view}
                lookback={lookback}
                name={name}
              />
            </Suspense>
          ) : (
            <EmptyState title="Only of a pair">
              {view === 'z-score' ? 'A z-score' : 'A spread'} is of exactly one long and one short leg.
            </EmptyState>
          )}
        </Fresh>
      </Tabs>
    </section>
  );
}

export function subjectKey(subject: ChartSubject): string {
  return subject.metric === 'PRICE' ? `PRICE ${subject.symbol}` : subject.metric;
}

function subjectName(subject: ChartSubject, tickerOf: (id: string) => string): string {
  if (subject.metric === 'PRICE') return `${tickerOf(subject.symbol)} price`;
  return subject.metric === 'PRICE_RATIO' ? 'Price ratio' : 'Weighted ratio';
}
