/**
 * Chart of a ratio's z-score or spread against its own past: hourly values as a trigger compared them, up to now, with
 * pending orders as lines. `pair-chart.tsx` shows the spread by the hedge ratio instead, which no order watches.
 */
import { type ReactNode, useMemo } from 'react';
import { CONDITIONS, transformText } from '../../../gateway/domain/condition-table.ts';
import { ValueChart } from '../../components/chart.tsx';
import { Facts } from '../../components/facts.tsx';
import { PERCENT_UNIT } from '../../components/format.ts';
import type { ChartMoves } from '../../components/level-line.ts';
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx';
import { hasPast } from './basket-query.ts';
import { figureText } from './figure.ts';
import { spreadLines, Z_LINES } from './guide-lines.ts';
import { Levels, useUnnamed } from './level-legend.tsx';
import type { ChartLine } from './levels.ts';
import { whyNoPast } from './past-words.ts';
import css from './ratio-chart.module.css';
import { levelOf } from './ratio-chart.tsx';
import type { LevelScale } from './scale.ts';
import { TRANSFORM_HELP } from './spread-words.ts';
import type { ChartSubject, WeighedLeg } from './subject.ts';
import { pastOf, type Transformed } from './transform.ts';
import type { RatioPast } from './use-ratio-past.ts';
import { useSubjectValue } from './use-subject-value.ts';

export function PastChart({
  subject,
  among,
  legs,
  past,
  scale,
  lines,
  moves,
  name,
  children,
}: {
  readonly subject: ChartSubject;
  readonly among: Transformed;
  readonly legs: readonly WeighedLeg[];
  /** Hours of the look-back, and as many before as the picture shows. */
  readonly past: RatioPast;
  readonly scale: LevelScale;
  readonly lines: readonly ChartLine[];
  readonly moves: ChartMoves;
  readonly name: string;
  /** Layer over the picture. */
  readonly children?: ReactNode;
}) {
  const { closes, window, from, error, refetch } = past;
  const { transform, lookback } = among;
  const points = useMemo(
    () => (closes === undefined ? [] : pastOf({ transform, lookback }, closes, from)),
    [closes, from, transform, lookback],
  );
  const ratio = useSubjectValue(subject, legs);
  const now = ratio === null ? null : scale.levelOf(ratio);
  const deviation = 100 * (window?.deviation ?? 0);
  const levels = useMemo(
    () => [
      ...(transform === 'SPREAD' ? spreadLines(deviation) : Z_LINES),
      ...lines.flatMap((line) => levelOf(line, false, scale)),
    ],
    [lines, scale, transform, deviation],
  );
  const unnamed = useUnnamed(lines);
  if (!hasPast(legs, subject))
    return (
      <EmptyState title="A leg has no weight">
        The past of a weighted ratio is of weights above 0: give each leg one, or take it out.
      </EmptyState>
    );
  if (closes === undefined) {
    if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
    return <Skeleton rows={8} />;
  }
  const why = whyNoPast(among, closes, past);
  const called = transformText(among, CONDITIONS[metricOf(subject)].name);
  const spoken = lines.map(({ label, value }) => `, ${label} ${scale.text(Number(value))}`).join('');
  return (
    <div className={css['chart']}>
      <Levels lines={points.length === 0 ? lines : unnamed.lines} scale={scale} />
      {points.length === 0 ? (
        <EmptyState title={why.title}>{why.reason}</EmptyState>
      ) : (
        <ValueChart
          points={points}
          live={now === null ? null : { time: new Date(past.until).toISOString(), value: now }}
          digits={2}
          unit={transform === 'SPREAD' ? PERCENT_UNIT : ''}
          lines={levels}
          moves={moves}
          onUnnamed={unnamed.onUnnamed}
          label={`${called} of ${name}, now ${scale.text(now ?? Number.NaN)}${spoken}`}
        >
          {children}
        </ValueChart>
      )}
      <Facts
        className={css['figures']}
        of={{
          [called]: <span title={TRANSFORM_HELP[transform]}>{scale.text(now ?? Number.NaN)}</span>,
          'Mean of the ratio': window === null ? '–' : figureText(Math.exp(window.mean)),
          'One deviation': window === null ? '–' : `${deviation.toFixed(2)}${PERCENT_UNIT}`,
        }}
      />
    </div>
  );
}

const metricOf = ({ metric }: ChartSubject) =>
  metric === 'WEIGHTED_RATIO' ? ('WEIGHTED_RATIO' as const) : ('PRICE_RATIO' as const);
