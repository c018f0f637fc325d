/**
 * Panel with the chart of the basket being built: price, z-score, spread; with lines for typed, resting and held
 * levels.
 */

import { Crosshair, Maximize2, Minimize2 } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'wouter';
import type { CandleInterval } from '../../../gateway/domain/candle-intervals.ts';
import { isPair } from '../../../gateway/domain/condition-table.ts';
import { useTicker } from '../../api/market.ts';
import { IconButton } from '../../components/button.tsx';
import layout from '../../components/layout.module.css';
import { Segmented } from '../../components/radio.tsx';
import { Select } from '../../components/select.tsx';
import { EmptyState, Fresh, Skeleton } from '../../components/states.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { Tooltip } from '../../components/tooltip.tsx';
import { type Basket, legsOn } from '../../features/basket/basket.ts';
import { useFillMarks, useLowerLine } from '../../features/ratio-chart/chart-details.ts';
import { IndicatorButton } from '../../features/ratio-chart/indicator-button.tsx';
import { IntervalChoice } from '../../features/ratio-chart/interval-choice.tsx';
import { useLegCloses } from '../../features/ratio-chart/leg-closes.ts';
import type { ChartLine } from '../../features/ratio-chart/levels.ts';
import { LOOKBACKS, type Lookback } from '../../features/ratio-chart/pair-analytics.ts';
import { RatioChart } from '../../features/ratio-chart/ratio-chart.tsx';
import {
  RATIO_Z,
  SPREAD,
  SPREAD_Z,
  WHY_RATIO_Z,
  WHY_SPREAD,
  WHY_SPREAD_Z,
} from '../../features/ratio-chart/spread-words.ts';
import { amongOf, type ChartSubject } from '../../features/ratio-chart/subject.ts';
import { useDrawing } from '../../features/ratio-chart/use-drawing.tsx';
import type { HeldPosition } from './chart-lines.ts';
import { leftOut } from './held-on-chart.ts';
import css from './trade.module.css';
import type { MovesOnChart } from './use-chart-moves.tsx';
import type { LargeChart } from './use-large-chart.ts';
import type { RatioView } from './use-ratio-view.tsx';

const PairChart = lazy(async () => ({
  default: (await import('../../features/ratio-chart/pair-chart.tsx')).PairChart,
}));

export type ChartView = 'price' | 'ratio-z' | 'z-score' | 'spread';

type Lower = 'none' | 'z-score' | 'spread';

const LOWER = [
  { value: 'none', label: 'Candles only' },
  { value: 'z-score', label: 'With spread z' },
  { value: 'spread', label: 'With spread %' },
] as const;

const named = (name: string, why: string) => (
  <Tooltip text={why}>
    <span>{name}</span>
  </Tooltip>
);

const TABS = [
  { value: 'price', label: 'Price' },
  { value: 'ratio-z', label: named(RATIO_Z, WHY_RATIO_Z) },
  { value: 'z-score', label: named(SPREAD_Z, WHY_SPREAD_Z) },
  { value: 'spread', label: named(SPREAD, WHY_SPREAD) },
] as const;

export function ChartPanel({
  basket,
  view,
  onView,
  among,
  subject,
  subjects,
  onSubject,
  lines,
  name,
  held,
  drags,
  large: { isLarge, set: setLarge, button },
}: {
  readonly basket: Basket;
  readonly view: ChartView;
  readonly onView: (view: ChartView) => void;
  /** View of the ratio among its own past. */
  readonly among: RatioView;
  readonly subject: ChartSubject;
  /** Subjects to choose from. */
  readonly subjects: readonly ChartSubject[];
  readonly onSubject: (subject: ChartSubject) => void;
  readonly lines: readonly ChartLine[];
  readonly name: string;
  /** The open position in the basket, whose fills are marked; null: there is none. */
  readonly held: HeldPosition | null;
  readonly drags: MovesOnChart;
  readonly large: LargeChart;
}) {
  const [interval, setInterval] = useState<CandleInterval>('5m');
  const [lookback, setLookback] = useState<Lookback>('30d');
  const [lower, setLower] = useState<Lower>('none');
  const tickerOf = useTicker();
  const pair = isPair(basket.legs)
    ? { long: legsOn(basket, 'BUY')[0]?.id ?? '', short: legsOn(basket, 'SELL')[0]?.id ?? '' }
    : null;
  const closes = useLegCloses(basket.legs, interval);
  const marks = useFillMarks(held);
  const line = useLowerLine(pair, lower, lookback, interval);
  const drawn = view === 'price' ? subject : view === 'ratio-z' ? among.subject : null;
  const drawing = useDrawing(subject, basket.legs);
  const options = subjects.map((one) => ({ value: subjectKey(one), label: subjectName(one, tickerOf) }));
  const setLevel = drags.setLevel !== null && (
    <IconButton
      label="Set a level"
      icon={<Crosshair />}
      aria-haspopup="dialog"
      aria-expanded={drags.isSetting}
      onClick={drags.setLevel}
    />
  );
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
        {pair !== null && (
          <Select quiet label="Below the candles" options={LOWER} value={lower} onChange={setLower} />
        )}
        {setLevel}
        {basket.legs.length > 0 && (
          <>
            <IndicatorButton />
            {drawing.button}
          </>
        )}
        <IntervalChoice value={interval} onChange={setInterval} />
      </>
    ) : view === 'ratio-z' ? (
      <>
        {among.tools}
        {setLevel}
      </>
    ) : (
      <Segmented label="Look-back" options={LOOKBACKS} value={lookback} onChange={setLookback} />
    );
  return (
    <section
      className={css['chart']}
      aria-label="Chart"
      data-large={(isLarge && basket.legs.length > 0) || undefined}
    >
      <Tabs
        tabs={TABS}
        value={view}
        onChange={onView}
        label="Chart"
        after={
          <div className={css['tools']}>
            {after}
            <IconButton
              ref={button}
              label={isLarge ? 'Smaller chart' : 'Larger chart'}
              icon={isLarge ? <Minimize2 /> : <Maximize2 />}
              aria-keyshortcuts="F"
              onClick={() => setLarge(!isLarge)}
            />
          </div>
        }
      >
        <Fresh className={layout['fill'] ?? ''}>
          <OtherWeights {...{ held, basket }} subject={drawn} />
          {basket.legs.length === 0 ? (
            <EmptyState title="No basket yet">
              Add a long and a short leg above to see their ratio.
            </EmptyState>
          ) : view === 'price' ? (
            <RatioChart
              legs={basket.legs}
              subject={subject}
              interval={interval}
              lines={lines}
              name={name}
              moves={drags.moves}
              closes={closes}
              marks={marks}
              lower={line}
              hasIndicators
              drawing={drawing.tools}
            >
              {drags.over}
            </RatioChart>
          ) : view === 'ratio-z' ? (
            among.drawn(lines, drags, name)
          ) : pair !== null ? (
            <Suspense fallback={<Skeleton rows={8} />}>
              <PairChart {...pair} view={view} lookback={lookback} name={name} />
            </Suspense>
          ) : (
            <EmptyState title="Only of a pair">A spread is of exactly one long and one short leg.</EmptyState>
          )}
        </Fresh>
      </Tabs>
      {drags.dialog}
    </section>
  );
}

const AND = new Intl.ListFormat('en-GB');

/** Reason why lines of the position are missing on the chart. */
function OtherWeights({
  held,
  subject,
  basket,
}: {
  readonly held: HeldPosition | null;
  /** null: no levels are drawn. */
  readonly subject: ChartSubject | null;
  readonly basket: Basket;
}) {
  const names = subject === null ? [] : leftOut(held, subject, basket);
  if (held === null || subject === null || names.length === 0) return null;
  return (
    <p className={css['other-weights']}>
      Your position was entered at other weights than these: its {AND.format(names)}{' '}
      {names.length === 1 ? 'is' : 'are'} on{' '}
      <Link href={`/positions/${held.id}`}>its own {amongOf(subject) === null ? 'chart' : 'page'}</Link>.
    </p>
  );
}

export function subjectKey(subject: ChartSubject): string {
  return subject.metric === 'PRICE' ? `PRICE ${subject.symbol}` : subject.metric;
}

function subjectName(subject: ChartSubject, tickerOf: (id: string) => string): string {
  if (subject.metric === 'PRICE') return `${tickerOf(subject.symbol)} price`;
  return subject.metric === 'PRICE_RATIO' ? 'Price ratio' : 'Weighted ratio';
}
