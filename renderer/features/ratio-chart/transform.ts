/**
 * Where a ratio stands among its own past, by the arithmetic of `gateway/domain/transform.ts`, which brings a library of
 * decimals along that a page has no room for. Figures for drawing and reading: floats, never sent.
 *
 * SPREAD: 100 × (ln(ratio) − m), percent; Z_SCORE: (ln(ratio) − m) ÷ s, with mean m and sample standard deviation s of the
 * logarithms of the last full hours, as the condition's contract says.
 */
import { maxBasketCandles } from '../../../gateway/contract/candles.ts';
import { LOOKBACK_HOURS, type TransformKind } from '../../../gateway/domain/metrics.ts';
import { withMinus } from '../../components/format.ts';

const HOUR_MS = 3_600_000;
/** A deviation below it is rounding errors of a constant ratio. */
const STANDS_STILL = 1e-12;

/** Hours looked back on until others are chosen. */
export const USUAL_HOURS = 240;

export interface Transformed {
  readonly transform: TransformKind;
  /** Full hours. */
  readonly lookback: number;
}

/** The most hours that one answer has of these legs. */
export const mostHours = (legs: readonly unknown[]) =>
  Math.min(LOOKBACK_HOURS.most, maxBasketCandles(legs.length));

export const canLookBack = (hours: number, legs: readonly unknown[]) =>
  Number.isInteger(hours) && hours >= LOOKBACK_HOURS.least && hours <= mostHours(legs);

/** Of the logarithms of a ratio. */
export interface RatioWindow {
  readonly mean: number;
  /** 0: the ratio stood still. */
  readonly deviation: number;
}

/** A ratio at the end of an hour. */
export interface HourClose {
  /** When the hour began, ISO. */
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

/** One of the transform in the logarithm of the ratio; null: the ratio stood still. */
function unitOf(transform: TransformKind, { deviation }: RatioWindow): number | null {
  if (transform === 'SPREAD') return 0.01;
  return deviation > 0 ? deviation : null;
}

/** The transform of a ratio; null: the ratio stood still, and has no z-score. */
export function levelOfRatio(transform: TransformKind, ratio: number, window: RatioWindow): number | null {
  const unit = unitOf(transform, window);
  return unit === null || !(ratio > 0) ? null : (Math.log(ratio) - window.mean) / unit;
}

/** The ratio at which the transform has this level until the hour is over; null: as above. */
export function ratioOfLevel(transform: TransformKind, level: number, window: RatioWindow): number | null {
  const unit = unitOf(transform, window);
  return unit === null ? null : Math.exp(window.mean + level * unit);
}

/**
 * What was compared at the end of each hour: its close with the `lookback` hours before it. Hours before which fewer than
 * half of those are known are left out, and those whose past was not asked for.
 * @param closes oldest first @param from epoch ms of the first hour that was asked for @returns by the time at which the hour began, as candles are drawn
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

/** `−0.34`, of a spread `−0.34 %`. */
export function transformFigure(transform: TransformKind, value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '–';
  const text = value.toFixed(2);
  return `${Number(text) === 0 ? '0.00' : withMinus(text)}${transform === 'SPREAD' ? '\u00a0%' : ''}`;
}
