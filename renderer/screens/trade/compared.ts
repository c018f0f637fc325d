/** Comparisons of a basket's ratio with its own past, and the levels that use each of them. */
import { CONDITIONS, isPair } from '../../../gateway/domain/condition-table.ts';
import type { Transformation } from '../../../gateway/domain/metrics.ts';
import { isOnChartOf } from '../../features/alerts/alert.ts';
import { transformOf as bracketTransform } from '../../features/brackets-form/bracket-draft.ts';
import type { WeighedLeg } from '../../features/ratio-chart/subject.ts';
import { canLookBack, type Transformed, USUAL_HOURS } from '../../features/ratio-chart/transform.ts';
import { hoursOf, transformOf } from '../../features/watch-fields/watch.ts';
import type { LineSources } from './chart-lines.ts';
import { isOfChart } from './held-on-chart.ts';
import { hasBrackets } from './ticket.ts';

type RatioMetric = 'PRICE_RATIO' | 'WEIGHTED_RATIO';

export interface Compared extends Transformed {
  readonly metric: RatioMetric;
}

/** Look-backs that are always offered, hours. */
const OFFERED_HOURS = [24, 168, USUAL_HOURS, 720] as const;

/** Measures of a basket for conditions. Only a pair has a price ratio. */
export const metricsOf = (legs: readonly WeighedLeg[]): readonly RatioMetric[] =>
  isPair(legs) ? ['PRICE_RATIO', 'WEIGHTED_RATIO'] : ['WEIGHTED_RATIO'];

/** Comparisons of the ratio with its past, from all typed, held and pending levels, most important first. */
export function comparedBy({
  ticket,
  basket,
  held,
  resting,
  alerts,
}: Pick<LineSources, 'ticket' | 'basket' | 'held' | 'resting' | 'alerts'>): readonly Compared[] {
  const { watch } = ticket;
  const transform = transformOf(watch);
  const typed = ticket.kind === 'TRIGGER' && transform !== '';
  const conditions = [
    ...resting.map(({ condition }) => condition),
    ...alerts.filter((alert) => isOnChartOf(alert, basket)).map(({ condition }) => condition),
  ];
  const drafts = hasBrackets(ticket) ? [ticket.takeProfit, ticket.stopLoss] : [];
  return [
    ...(typed ? of({ type: watch.type, transform, lookback: hoursOf(watch.lookback) }) : []),
    ...drafts
      .filter(({ isOn }) => isOn)
      .flatMap((draft) => of({ type: draft.type, ...bracketTransform(draft) })),
    ...[held?.takeProfit ?? null, held?.stopLoss ?? null]
      .flatMap(of)
      .filter(({ metric }) => isOfChart(held, { metric }, basket)),
    ...conditions.flatMap(of),
  ].filter(
    ({ metric, lookback }) => metricsOf(basket.legs).includes(metric) && canBeDrawn(lookback, basket.legs),
  );
}

function of(asked: ({ readonly type: string } & Transformation) | null): readonly Compared[] {
  if (asked === null || asked.transform === undefined || asked.lookback === undefined) return [];
  const { type, transform, lookback } = asked;
  if (type !== 'PRICE_RATIO' && type !== 'WEIGHTED_RATIO') return [];
  return [{ metric: type, transform, lookback }];
}

/** True: the line covers at least a day, since each of its hours is compared with as many before it. */
const canBeDrawn = (lookback: number, legs: readonly WeighedLeg[]) =>
  canLookBack(lookback, legs) && canLookBack(lookback + 24, legs);

/** Default comparison of the chart: that of the ticket, the position or the first pending order. */
export function usualCompared(legs: readonly WeighedLeg[], waiting: readonly Compared[]): Compared {
  return (
    waiting[0] ?? {
      metric: metricsOf(legs)[0] ?? 'WEIGHTED_RATIO',
      transform: 'Z_SCORE',
      lookback: USUAL_HOURS,
    }
  );
}

/** Look-backs to choose from, each with its number of levels. */
export function lookbacks(
  { metric, transform, lookback }: Compared,
  waiting: readonly Compared[],
  legs: readonly WeighedLeg[],
): readonly { readonly hours: number; readonly levels: number }[] {
  const own = waiting.filter((one) => one.metric === metric && one.transform === transform);
  const all = new Set([...OFFERED_HOURS, lookback, ...own.map((one) => one.lookback)]);
  return [...all]
    .filter((hours) => canBeDrawn(hours, legs))
    .sort((a, b) => a - b)
    .map((hours) => ({ hours, levels: own.filter((one) => one.lookback === hours).length }));
}

export const comparedKey = ({ metric, transform }: Compared) => `${metric} ${transform}`;

/** `Price ratio z`, `Weighted ratio spread`. */
export function comparedName(metric: RatioMetric, transform: Transformed['transform']): string {
  return `${CONDITIONS[metric].name} ${transform === 'Z_SCORE' ? 'z' : 'spread'}`;
}
