/**
 * Z-score and spread of a ratio against its own past. Same arithmetic as `gateway/domain/transform.ts`, whose decimal
 * library is too large for a page. Figures for drawing and reading: floats, never sent.
 *
 * SPREAD: 100 × (ln(ratio) − m), percent; Z_SCORE: (ln(ratio) − m) ÷ s, with mean m and sample standard deviation s of
 * the logarithms of the last full hours, as the condition's contract says.
 */
import { maxBasketCandles } from '../../../gateway/contract/candles.ts';
import { LOOKBACK_HOURS, type TransformKind } from '../../../gateway/domain/metrics.ts';
import { withMinus } from '../../components/format.ts';

const HOUR_MS = 3_600_000;
/** Smaller deviations are rounding errors of a constant ratio. */
const STANDS_STILL = 1e-12;

/** Default look-back, hours. */
export const USUAL_HOURS = 240;

export interface Transformed {
  readonly transform: TransformKind;
  /** Full hours. */
  readonly lookback: number;
}

/** Largest number of hours that one answer has for these legs. */
export const mostHours = (legs: readonly unknown[]) =>
  Math.min(LOOKBACK_HOURS.most, maxBasketCandles(legs.length));

export const canLookBack = (hours: number, legs: readonly unknown[]) =>
  Number.isInteger(hours) && hours >= LOOKBACK_HOURS.least && hours <= mostHours(legs);

/** Mean and deviation of a ratio's logarithms. */
export interface RatioWindow {
  readonly mean: number;
  /** 0: the ratio stood still. */
  readonly deviation: number;
}

/** A ratio at the end of an hour. */
export interface HourClose {
  /** Start of the hour, ISO. */
  readonly start: string;
  /** Decimal string. */
  readonly close: string;
}

/** @returns null: fewer than half of the hours are known */
export function windowOf(closes: readonly HourClose[], lookback: number): RatioWindow | null {
  return ofLogs(closes.map(logOf), 0, closes.length, lookback);
}

const logOf = ({ close }: HourClose) => Math.log(Number(close));

function ofLogs(logs: readonly number[], from: number, to: number, lookback: number): RatioWindow | null {
  const known = to - from;
  if (known < 2 || known < lookback / 2) return null;
  let [sum, squares] = [0, 0];
  for (let at = from; at < to; at += 1) sum += logs[at] ?? 0;
  const mean = sum / known;
  for (let at = from; at < to; at += 1) squares += ((logs[at] ?? 0) - mean) ** 2;
  const deviation = Math.sqrt(squares / (known - 1));
  return { mean, deviation: deviation > STANDS_STILL ? deviation : 0 };
}

/** One unit of the transform in the ratio's logarithm; null: the ratio did not move. */
function unitOf(transform: TransformKind, { deviation }: RatioWindow): number | null {
  if (transform === 'SPREAD') return 0.01;
  return deviation > 0 ? deviation : null;
}

/** The transform of a ratio; null: the ratio did not move, and has no z-score. */
export function levelOfRatio(transform: TransformKind, ratio: number, window: RatioWindow): number | null {
  const unit = unitOf(transform, window);
  return unit === null || !(ratio > 0) ? null : (Math.log(ratio) - window.mean) / unit;
}

/** Ratio at which the transform has this level, until the hour ends; null: as above. */
export function ratioOfLevel(transform: TransformKind, level: number, window: RatioWindow): number | null {
  const unit = unitOf(transform, window);
  return unit === null ? null : Math.exp(window.mean + level * unit);
}

/**
 * Transform at the end of each hour: its close against the `lookback` hours before it. Leaves out hours with fewer than
 * half of those known, or whose past was not requested.
 * @param closes oldest first @param from epoch ms of the first requested hour @returns by start of the hour, as candles
 */
export function pastOf(
  { transform, lookback }: Transformed,
  closes: readonly HourClose[],
  from: number,
): readonly { readonly time: string; readonly value: number }[] {
  const times = closes.map(({ start }) => Date.parse(start));
  const logs = closes.map(logOf);
  let first = 0;
  return closes.flatMap(({ start, close }, at) => {
    const begin = (times[at] ?? 0) - lookback * HOUR_MS;
    if (begin < from) return [];
    while ((times[first] ?? 0) < begin) first += 1;
    const window = ofLogs(logs, first, at, lookback);
    const value = window === null ? null : levelOfRatio(transform, Number(close), window);
    return value === null ? [] : [{ time: start, value }];
  });
}

/** `−0.34`; for a spread `−0.34 %`. */
export function transformFigure(transform: TransformKind, value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '–';
  const text = value.toFixed(2);
  return `${Number(text) === 0 ? '0.00' : withMinus(text)}${transform === 'SPREAD' ? '\u00a0%' : ''}`;
}
