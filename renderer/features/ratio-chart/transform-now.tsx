/** "Now −0.34": where a basket's ratio stands among its own past, as a trigger with the same look-back compares it. */
import { maxBasketCandles } from '../../../gateway/contract/candles.ts';
import { LOOKBACK_HOURS, type TransformKind } from '../../../gateway/domain/metrics.ts';
import { useNow } from '../../api/clock.ts';
import { useGet } from '../../api/queries.ts';
import { useAccount } from '../../api/session.ts';
import { withMinus } from '../../components/format.ts';
import { basketQuery } from './basket-query.ts';
import type { ChartSubject, WeighedLeg } from './subject.ts';
import { useSubjectValue } from './use-subject-value.ts';

const HOUR_MS = 3_600_000;
const AGAIN_MS = 60_000;
/** A deviation below it is rounding errors of a constant ratio. */
const STANDS_STILL = 1e-12;

export interface Transformed {
  readonly transform: TransformKind;
  /** Full hours. */
  readonly lookback: number;
}

/** null: too few hours are known, none yet, or more than one answer has. Of the live prices, never sent. */
export function useTransformNow(
  subject: ChartSubject,
  legs: readonly WeighedLeg[],
  { transform, lookback }: Transformed,
): number | null {
  const { connector } = useAccount();
  const live = useSubjectValue(subject, legs);
  const isRead =
    subject.metric !== 'PRICE' &&
    legs.length > 0 &&
    Number.isInteger(lookback) &&
    lookback >= LOOKBACK_HOURS.least &&
    lookback <= Math.min(LOOKBACK_HOURS.most, maxBasketCandles(legs.length));
  // Mean and deviation stand still within an hour.
  const until = useNow(HOUR_MS);
  const range = { from: String(until - (isRead ? lookback : 0) * HOUR_MS), to: String(until) };
  const { data } = useGet(
    'GET /candles/basket',
    { query: { connector, interval: '1h', ...range, ...basketQuery(legs, subject) } },
    // The candle of the hour that is just over may come a moment later.
    { shared: true, enabled: isRead, freshForMs: AGAIN_MS, refetchEvery: AGAIN_MS },
  );
  if (!isRead || data === undefined || live === null) return null;
  return transformOf(
    transform,
    live,
    data.candles.map(({ close }) => Number(close)),
    lookback,
  );
}

/**
 * As `gateway/domain/transform.ts`, which brings a library of decimals along that a page has no room for.
 *
 * SPREAD: 100 × (ln(ratio) − m), percent; Z_SCORE: (ln(ratio) − m) ÷ s, with mean m and sample standard deviation s of the
 * logarithms of the hours, as the condition's contract says.
 * @returns null: fewer than half of the hours are known, or the ratio stood still
 */
export function transformOf(
  transform: TransformKind,
  ratio: number,
  closes: readonly number[],
  lookback: number,
): number | null {
  const logs = closes.map((close) => Math.log(close));
  const known = logs.length;
  if (known < 2 || known < lookback / 2) return null;
  const mean = logs.reduce((sum, log) => sum + log, 0) / known;
  const apart = Math.log(ratio) - mean;
  if (transform === 'SPREAD') return 100 * apart;
  const deviation = Math.sqrt(logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (known - 1));
  return deviation > STANDS_STILL ? apart / deviation : null;
}

export function TransformNow({
  subject,
  legs,
  isInline = false,
  ...of
}: Transformed & {
  readonly subject: ChartSubject;
  readonly legs: readonly WeighedLeg[];
  /** Within a sentence: `now −0.34`. */
  readonly isInline?: boolean;
}) {
  const now = useTransformNow(subject, legs, of);
  const unit = of.transform === 'SPREAD' ? '\u00a0%' : '';
  const figure = now === null ? '–' : `${withMinus(now.toFixed(2))}${unit}`;
  return (
    <span>
      {isInline ? 'now' : 'Now'} {figure}
    </span>
  );
}
