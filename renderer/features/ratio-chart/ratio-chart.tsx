/**
 * The chart of a basket: candles of its price ratio, its weighted ratio or one leg's price, with lines for typed,
 * resting and held levels. The last candle follows the live prices.
 */
import { type ReactNode, useMemo } from 'react';
import type { CandleInterval } from '../../../gateway/domain/candle-intervals.ts';
import { useGet } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { CandleChart } from '../../components/chart.tsx';
import type { DrawingTools } from '../../components/chart-drawings.tsx';
import type { ChartIndicator } from '../../components/chart-indicator-values.ts';
import type { LegLine } from '../../components/chart-leg-lines.ts';
import type { ChartMoves, LevelLine } from '../../components/level-line.ts';
import type { ChartMark } from '../../components/mark-places.ts';
import { ErrorState, Skeleton } from '../../components/states.tsx';
import { basketQuery } from './basket-query.ts';
import type { LowerLine } from './chart-details.ts';
import { figureText } from './figure.ts';
import { useCandlesFrom, useShownIndicators } from './indicators.ts';
import { useLegLines } from './leg-closes.ts';
import { Levels, TONES, useUnnamed } from './level-legend.tsx';
import type { ChartLine } from './levels.ts';
import { PriceScaleChoice, usePriceScaleKind } from './price-scale-choice.tsx';
import css from './ratio-chart.module.css';
import { REFETCH_MS } from './refetch.ts';
import { PLAIN_SCALE } from './scale.ts';
import { type ChartSubject, subjectValue, type WeighedLeg } from './subject.ts';
import { useLivePrices } from './use-subject-value.ts';

const NO_LINES: readonly ChartLine[] = [];
const NO_LEGS: readonly WeighedLeg[] = [];
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
  /** Lines can be dragged and levels clicked; left out: the chart is read-only. */
  readonly moves?: ChartMoves | undefined;
  /** Prices of the legs beside open, high, low and close; left out: no readout. */
  readonly closes?: readonly LegLine[] | undefined;
  readonly marks?: readonly ChartMark[] | undefined;
  readonly lower?: LowerLine | null | undefined;
  /** True: shows the user's indicators and uses the chosen scale. */
  readonly hasIndicators?: boolean;
  /** The user's drawings. */
  readonly drawing?: DrawingTools | undefined;
  /** Layer over the picture. */
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
  children,
  ...rest
}: RatioChartProps) {
  const scale = usePriceScaleKind();
  const chosen = useShownIndicators();
  const indicators = hasIndicators ? chosen : NO_INDICATORS;
  const from = useCandlesFrom(indicators, interval, subject.metric === 'PRICE' ? 1 : legs.length);
  const { data, error, refetch } = useCandles(legs, subject, interval, from);
  const legLines = useLegLines(hasIndicators ? legs : NO_LEGS, interval, from);
  const priceOf = useLivePrices();
  const live = subjectValue(subject, legs, priceOf);
  const isRead = rest.moves === undefined;
  const levels = useMemo(() => lines.flatMap((line) => levelOf(line, isRead)), [lines, isRead]);
  const unnamed = useUnnamed(lines);
  if (data === undefined) {
    if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
    return <Skeleton rows={8} />;
  }
  const spoken = lines.map(({ label, value }) => `${label} ${figureText(Number(value))}`).join(', ');
  return (
    <div className={css['chart']}>
      {error !== null && <ErrorState compact error={error} onRetry={() => void refetch()} />}
      <Levels lines={isRead ? lines : unnamed.lines} />
      <CandleChart
        candles={data}
        live={live}
        lines={levels}
        label={`Chart of ${name}${spoken === '' ? '' : `: ${spoken}`}`}
        height={height}
        legs={closes?.map((leg) => ({ ...leg, live: priceOf(leg.id) }))}
        indicators={indicators}
        legLines={legLines}
        priceOf={priceOf}
        textOf={figureText}
        onUnnamed={unnamed.onUnnamed}
        scale={hasIndicators ? scale : 'linear'}
        {...rest}
      >
        {hasIndicators && <PriceScaleChoice />}
        {children}
      </CandleChart>
    </div>
  );
}

/** @param isRead true: the picture has no handles. The legend shows names then, which would cover the newest candles */
export function levelOf(line: ChartLine, isRead: boolean, scale = PLAIN_SCALE): readonly LevelLine[] {
  const { id, kind, value, short, name, isDraft, ladder, move, cancel } = line;
  const label = isRead && kind !== 'rung' ? '' : line.label;
  const level = Number(value);
  return Number.isFinite(level) && scale.isLevel(level)
    ? [
        {
          ...{ id, level, label, short, name, tone: TONES[kind], isDraft },
          oneOf: ladder,
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
  begin: string | undefined,
) {
  const { connector } = useAccount();
  const isPrice = subject.metric === 'PRICE';
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
