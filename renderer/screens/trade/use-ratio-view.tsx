/** View of the basket's ratio among its own past: the comparison, its hours, and the scale of its levels. */
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { Select } from '../../components/select.tsx';
import { Skeleton } from '../../components/states.tsx';
import { keyOfBasket } from '../../features/basket/basket.ts';
import type { ChartLine } from '../../features/ratio-chart/levels.ts';
import { type LevelScale, transformScale } from '../../features/ratio-chart/scale.ts';
import type { ChartSubject } from '../../features/ratio-chart/subject.ts';
import { useRatioPast } from '../../features/ratio-chart/use-ratio-past.ts';
import type { LineSources } from './chart-lines.ts';
import {
  type Compared,
  comparedBy,
  comparedKey,
  comparedName,
  lookbacks,
  metricsOf,
  usualCompared,
} from './compared.ts';
import type { MovesOnChart } from './use-chart-moves.tsx';

const PastChart = lazy(async () => ({
  default: (await import('../../features/ratio-chart/past-chart.tsx')).PastChart,
}));

/** A week, the least that the chart shows, hours. */
const LEAST_SHOWN = 168;

export interface RatioView {
  readonly subject: ChartSubject;
  readonly scale: LevelScale;
  /** Shown beside the tabs. */
  readonly tools: ReactNode;
  readonly drawn: (lines: readonly ChartLine[], drags: MovesOnChart, name: string) => ReactNode;
}

/** @param isShown false: nothing is read */
export function useRatioView(
  isShown: boolean,
  sources: Pick<LineSources, 'ticket' | 'basket' | 'held' | 'resting' | 'alerts'>,
): RatioView {
  const { legs } = sources.basket;
  const key = keyOfBasket(sources.basket);
  const [choice, setChoice] = useState<{ readonly for: string | null; readonly compared: Compared } | null>(
    null,
  );
  const waiting = isShown ? comparedBy(sources) : [];
  const usual = usualCompared(legs, waiting);
  const compared = choice?.for === key ? choice.compared : usual;
  const { metric, transform, lookback } = compared;
  const subject = useMemo(
    () => ({ metric, among: { transform, lookback } }) as const,
    [metric, transform, lookback],
  );
  const past = useRatioPast(
    subject,
    legs,
    isShown ? subject.among : null,
    lookback + Math.max(lookback, LEAST_SHOWN),
  );
  const { window } = past;
  const scale = useMemo(() => transformScale(subject.among, window), [subject, window]);
  const choose = (patch: Partial<Compared>) => setChoice({ for: key, compared: { ...compared, ...patch } });
  const choices = metricsOf(legs).flatMap((one) =>
    (['Z_SCORE', 'SPREAD'] as const).map((kind) => ({ metric: one, transform: kind, lookback })),
  );
  const hours = lookbacks(compared, waiting, legs).map(({ hours: value, levels }) => ({
    value: String(value),
    label: `${value} h`,
    ...(levels === 0 ? {} : { hint: levels === 1 ? '1 level' : `${levels} levels` }),
  }));
  return {
    subject,
    scale,
    tools: (
      <>
        <Select
          quiet
          label="What is compared"
          options={choices.map((one) => ({
            value: comparedKey(one),
            label: comparedName(one.metric, one.transform),
          }))}
          value={comparedKey(compared)}
          onChange={(next) => {
            const found = choices.find((one) => comparedKey(one) === next);
            if (found !== undefined) choose(found);
          }}
        />
        <Select
          quiet
          label="Looks back"
          options={hours}
          value={String(lookback)}
          onChange={(next) => choose({ lookback: Number(next) })}
        />
      </>
    ),
    drawn: (lines, drags, name) => (
      <Suspense fallback={<Skeleton rows={8} />}>
        <PastChart {...{ subject, legs, past, scale, lines, name }} among={subject.among} moves={drags.moves}>
          {drags.over}
        </PastChart>
      </Suspense>
    ),
  };
}
