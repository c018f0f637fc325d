/**
 * The chart of a basket: candles of its price ratio, its weighted ratio or one leg's price, with lines for typed,
 * resting and held levels. The last candle follows the live prices.
 */
import { type ReactNode, useMemo } from 'react';
import { useGet } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { CandleChart } from '../../components/chart.tsx';
import type { DrawingTools } from '../../components/chart-drawings.tsx';
import type { ChartIndicator } from '../../components/chart-indicator-values.ts';
import type { ChartMark } from '../../components/mark-places.ts';
import type { ChartMoves, LevelLine, LineTone } from '../../components/market-chart.tsx';
import { ErrorState, Skeleton } from '../../components/states.tsx';
import { basketQuery } from './basket-query.ts';
import type { LegCloses, LowerLine } from './chart-details.ts';
import { figureText } from './figure.ts';
import { useCandlesFrom, useShownIndicators } from './indicators.ts';
import type { CandleInterval } from './intervals.ts';
import type { ChartLine, LineKind } from './levels.ts';
import css from './ratio-chart.module.css';
import { type LevelScale, PLAIN_SCALE } from './scale.ts';
import { type ChartSubject, subjectValue, type WeighedLeg } from './subject.ts';
import { useLivePrices } from './use-subject-value.ts';

const TONES: Readonly<Record<LineKind, LineTone>> = {
  entry: 'quiet',
  trigger: 'warn',
  alert: 'alert',
  rung: 'series',
  'take-profit': 'profit',
  'stop-loss': 'loss',
  limit: 'warn',
};
/** Refetch intervals, short enough that a candle's final values appear soon after its end. */
const REFETCH_MS: Readonly<Record<CandleInterval, number>> = {
  '1m': 15_000,
  '5m': 30_000,
  '1h': 60_000,
  '1d': 300_000,
};
const NO_LINES: readonly ChartLine[] = [];
const NO_INDICATORS: readonly ChartIndicator[] = [];

export interface RatioChartProps {
  readonly legs: readonly WeighedLeg[];
  readonly subject: ChartSubject;
  readonly interval?: CandleInterval;
  readonly lines?: readonly ChartLine[];
  /** Name of the basket for screen readers: `BTC / ETH`. */
  readonly name: string;
  /** Pixels; left out: the height of the container. */
  readonly height?: number;
  /** Lines can be dragged, levels pressed; left out: the chart is only looked at. */
  readonly moves?: ChartMoves | undefined;
  /** Prices of the legs beside open, high, low and close; left out: no readout. */
  readonly closes?: readonly LegCloses[] | undefined;
  readonly marks?: readonly ChartMark[] | undefined;
  readonly lower?: LowerLine | null | undefined;
  /** With the reader's indicators. */
  readonly hasIndicators?: boolean;
  /** With the reader's drawings. */
  readonly drawing?: DrawingTools | undefined;
  /** Over the picture. */
  readonly children?: ReactNode;
}

export function RatioChart({
  legs,
  subject,
  interval = '5m',
  lines = NO_LINES,
  name,
  height,
  closes,
  hasIndicators = false,
  ...rest
}: RatioChartProps) {
  const chosen = useShownIndicators();
  const indicators = hasIndicators ? chosen : NO_INDICATORS;
  const { data, error, refetch } = useCandles(legs, subject, interval, indicators);
  const priceOf = useLivePrices();
  const live = subjectValue(subject, legs, priceOf);
  const isRead = rest.moves === undefined;
  const levels = useMemo(() => lines.flatMap((line) => levelOf(line, isRead)), [lines, isRead]);
  if (data === undefined) {
    if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
    return <Skeleton rows={8} />;
  }
  const spoken = lines.map(({ label, value }) => `${label} ${figureText(Number(value))}`).join(', ');
  return (
    <div className={css['chart']}>
      {error !== null && <ErrorState compact error={error} onRetry={() => void refetch()} />}
      <Levels lines={lines} />
      <CandleChart
        candles={data}
        live={live}
        lines={levels}
        label={`Chart of ${name}${spoken === '' ? '' : `: ${spoken}`}`}
        height={height}
        legs={closes?.map((leg) => ({ ...leg, live: priceOf(leg.id) }))}
        indicators={indicators}
        textOf={figureText}
        {...rest}
      />
    </div>
  );
}

/** The levels of the lines in words: one that is off the scale is read here. Rungs of a ladder have a table. */
export function Levels({
  lines,
  scale = PLAIN_SCALE,
}: {
  readonly lines: readonly ChartLine[];
  readonly scale?: LevelScale;
}) {
  const named = lines.filter(({ kind, value }) => kind !== 'rung' && scale.isLevel(Number(value)));
  if (named.length === 0) return null;
  return (
    <ul className={css['levels']} aria-label="Levels">
      {named.map(({ id, kind, label, value }) => (
        <li key={id} data-tone={TONES[kind]}>
          {label} <b>{scale.text(Number(value))}</b>
        </li>
      ))}
    </ul>
  );
}

/** @param isRead the picture has no handles: a name would stand over the newest candles, and the legend says it */
export function levelOf(line: ChartLine, isRead: boolean, scale = PLAIN_SCALE): readonly LevelLine[] {
  const { id, kind, value, short, name, isDraft, move, cancel } = line;
  const label = isRead && kind !== 'rung' ? '' : line.label;
  const level = Number(value);
  return Number.isFinite(level) && scale.isLevel(level)
    ? [
        {
          ...{ id, level, label, short, name, tone: TONES[kind], isDraft },
          isOneOfMany: kind === 'rung',
          isMovable: move !== undefined,
          isCancellable: cancel !== undefined,
        },
      ]
    : [];
}

function useCandles(
  legs: readonly WeighedLeg[],
  subject: ChartSubject,
  interval: CandleInterval,
  indicators: readonly ChartIndicator[],
) {
  const { connector } = useAccount();
  const isPrice = subject.metric === 'PRICE';
  const begin = useCandlesFrom(indicators, interval, isPrice ? 1 : legs.length);
  const from = begin === undefined ? {} : { from: begin };
  const options = { shared: true, keepPrevious: true, refetchEvery: REFETCH_MS[interval] };
  const instrument = useGet(
    'GET /candles',
    { query: { connector, symbol: isPrice ? subject.symbol : '', interval, ...from } },
    { ...options, enabled: isPrice },
  );
  const basket = useGet(
    'GET /candles/basket',
    { query: { connector, interval, ...from, ...basketQuery(legs, subject) } },
    { ...options, enabled: !isPrice && legs.length > 0 },
  );
  const { data, error, refetch } = isPrice ? instrument : basket;
  return { data: data?.candles, error, refetch };
}
