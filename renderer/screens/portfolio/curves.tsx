/** Equity, drawdown and rolling risk over the days of the range, and the PnL of each time bucket. */
import { useCallback, useMemo, useState } from 'react';
import { useSettings } from '../../api/settings.ts';
import {
  formatCompactMoney,
  formatMoney,
  formatNumber,
  formatPercent,
  PERCENT_UNIT,
} from '../../components/format.ts';
import { LineChart } from '../../components/line-chart.tsx';
import type { Line } from '../../components/line-plot.ts';
import { Panel } from '../../components/page.tsx';
import { Segmented } from '../../components/radio.tsx';
import { EmptyState } from '../../components/states.tsx';
import { bucketTimes, widestOf } from './bucket-times.ts';
import { changeOf, equityBefore } from './day-change.ts';
import type { RollingWindow } from './range.ts';
import type { Portfolio, SeriesPoint } from './use-portfolio.ts';
import { whyRollingIsEmpty } from './why-missing.ts';

const TALL = 190;
const LOW = 120;
const timesOf = (series: readonly SeriesPoint[]) => series.map(({ date }) => Date.parse(date));
const DAY_MS = 86_400_000;

/** Times and figures of a daily curve. A single day starts at its previous value, because one point is no line. */
function dayCurve(
  series: readonly SeriesPoint[],
  figureOf: (point: SeriesPoint) => number,
  before: (point: SeriesPoint) => number,
): { readonly times: readonly number[]; readonly values: readonly number[] } {
  const [first] = series;
  const [times, values] = [timesOf(series), series.map(figureOf)];
  if (first === undefined || series.length > 1) return { times, values };
  return { times: [Date.parse(first.date) - DAY_MS, ...times], values: [before(first), ...values] };
}
const figure = (value: string | null) => (value === null ? null : Number(value));
/** A float of an axis as a decimal without an exponent. */
const plain = (value: number) => value.toFixed(10).replace(/\.?0+$/, '');

export function EquityAndDrawdown({ series }: { readonly series: readonly SeriesPoint[] }) {
  const settings = useSettings();
  const { times, equity, drawdown } = useMemo(() => {
    const own = dayCurve(
      series,
      (point) => Number(point.equity),
      (point) => Number(equityBefore(point)),
    );
    const fall = dayCurve(
      series,
      (point) => -Number(point.drawdown),
      () => 0,
    );
    const equityLine: Line = { id: 'equity', label: 'Equity', values: own.values };
    const fallLine: Line = {
      id: 'drawdown',
      label: 'Drawdown',
      colour: 'loss',
      filled: true,
      values: fall.values,
    };
    return { times: own.times, equity: [equityLine], drawdown: [fallLine] };
  }, [series]);
  /** Point of the series at an index of the curve, which may begin before the series. */
  const pointAt = useCallback(
    (index: number) => series[index - (times.length - series.length)],
    [series, times],
  );
  const money = useCallback((value: number) => formatCompactMoney(settings, plain(value)), [settings]);
  const percent = useCallback(
    (value: number) => `${formatNumber(settings, plain(value), { maxDigits: 2 })}${PERCENT_UNIT}`,
    [settings],
  );
  const readEquity = useCallback(
    (_line: Line, index: number) => {
      const point = pointAt(index);
      const [first] = series;
      if (point === undefined)
        return first === undefined ? '–' : `${formatMoney(settings, equityBefore(first))} when the day began`;
      const signed = (value: string) => formatMoney(settings, value, 'always');
      const parts = `${signed(point.pnl)} realised, net; ${signed(point.unrealizedPnl)} unrealised`;
      return `${formatMoney(settings, point.equity)} (${signed(changeOf(point))} that day: ${parts})`;
    },
    [series, pointAt, settings],
  );
  const readFall = useCallback(
    (_line: Line, index: number) =>
      `${formatNumber(settings, pointAt(index)?.drawdown ?? '0', { digits: 2 })}${PERCENT_UNIT} below the highest`,
    [pointAt, settings],
  );
  const last = series.at(-1);
  return (
    <>
      <LineChart
        label={`Equity by day${last === undefined ? '' : `, now ${formatMoney(settings, last.equity)}`}`}
        days
        times={times}
        lines={equity}
        axis={money}
        read={readEquity}
        height={TALL}
      />
      <LineChart
        label="Drawdown by day, percent below the highest equity so far"
        days
        times={times}
        lines={drawdown}
        axis={percent}
        read={readFall}
        height={LOW}
      />
    </>
  );
}

const ROLLING = [
  { value: 'rollingSharpe', label: 'Sharpe' },
  { value: 'rollingSortino', label: 'Sortino' },
  { value: 'rollingVolatility', label: 'Volatility' },
] as const;
type Rolling = (typeof ROLLING)[number]['value'];

export function RollingRisk({
  series,
  window,
}: {
  readonly series: readonly SeriesPoint[];
  readonly window: RollingWindow;
}) {
  const [shown, setShown] = useState<Rolling>('rollingSharpe');
  const settings = useSettings();
  const times = useMemo(() => timesOf(series), [series]);
  const name = ROLLING.find(({ value }) => value === shown)?.label ?? '';
  const lines = useMemo(
    (): readonly Line[] => [
      { id: shown, label: name, colour: 'series2', values: series.map((point) => figure(point[shown])) },
    ],
    [series, shown, name],
  );
  const text = useCallback(
    (value: string) =>
      shown === 'rollingVolatility'
        ? formatPercent(settings, value, 'auto', 1)
        : formatNumber(settings, value, { digits: 2 }),
    [settings, shown],
  );
  const axis = useCallback((value: number) => text(plain(value)), [text]);
  const read = useCallback(
    (_line: Line, index: number) => {
      const value = series[index]?.[shown] ?? null;
      return value === null ? '–' : text(value);
    },
    [series, shown, text],
  );
  const missing = whyRollingIsEmpty(
    series.map((point) => point[shown]),
    window,
    series.map((point) => point.rollingVolatility),
  );
  return (
    <Panel
      title={`Rolling risk, ${window} days`}
      actions={<Segmented label="Rolling figure" options={ROLLING} value={shown} onChange={setShown} />}
    >
      {missing === null ? (
        <LineChart
          label={`Rolling ${name} over ${window} days`}
          days
          times={times}
          lines={lines}
          axis={axis}
          read={read}
          height={TALL}
        />
      ) : (
        <EmptyState title="No rolling figure yet">{missing}</EmptyState>
      )}
    </Panel>
  );
}

const HOUR_MS = 3_600_000;

type Bucket = Portfolio['buckets'][number];

/** Unit of the buckets. */
function unitOf(buckets: readonly Bucket[]): 'hour' | 'day' | 'week' {
  const widest = widestOf(buckets);
  if (widest <= HOUR_MS) return 'hour';
  return widest <= DAY_MS ? 'day' : 'week';
}

export function PnlByTime({ buckets }: { readonly buckets: readonly Bucket[] }) {
  const settings = useSettings();
  const unit = unitOf(buckets);
  const times = useMemo(() => bucketTimes(buckets), [buckets]);
  const bars = useMemo((): readonly Line[] => {
    const values = buckets.map(({ pnl }) => Number(pnl));
    const only = (isWanted: (value: number) => boolean) =>
      values.map((value) => (isWanted(value) ? value : null));
    return [
      { id: 'profit', label: 'Profit', colour: 'profit', bars: true, values: only((value) => value >= 0) },
      { id: 'loss', label: 'Loss', colour: 'loss', bars: true, values: only((value) => value < 0) },
    ];
  }, [buckets]);
  const axis = useCallback((value: number) => formatCompactMoney(settings, plain(value)), [settings]);
  const read = useCallback(
    (_line: Line, index: number) => {
      const bucket = buckets[index];
      if (bucket === undefined) return '–';
      const trades = `${bucket.trades} ${bucket.trades === 1 ? 'position' : 'positions'} closed`;
      const net = formatMoney(settings, bucket.pnl, 'always');
      // The label names the first day of the week.
      const span = unit === 'week' ? ' that week' : '';
      return `${net}${span} after fees of ${formatMoney(settings, bucket.fees)}, ${trades}`;
    },
    [buckets, settings, unit],
  );
  return (
    <Panel title={`Net PnL by ${unit}`}>
      {buckets.length === 0 ? (
        <EmptyState title="Nothing in this range" />
      ) : (
        <LineChart
          label={`Net PnL by ${unit}, realised less fees, with funding`}
          days={unit !== 'hour'}
          times={times}
          lines={bars}
          axis={axis}
          read={read}
          height={TALL}
        />
      )}
    </Panel>
  );
}
