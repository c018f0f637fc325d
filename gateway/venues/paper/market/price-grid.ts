/**
 * Prices and quantities as whole numbers of their smallest unit, so that stepping, rounding and writing them is exact.
 * A price of `units` means units × 10^−decimals. Where a venue limits significant figures the tick grows with the
 * price, but never beyond 1: whole prices are always allowed.
 */
import type { Decimal, DecimalString } from '../../../domain/decimal.ts';
import { dec } from '../../../domain/decimal.ts';
import type { Instrument } from '../../../domain/model.ts';

export interface PriceGrid {
  /** Decimals of one unit. */
  readonly decimals: number;
  /** Smallest step in units: 1, 2 or 5 where the venue's tick is no power of ten. */
  readonly tickUnits: number;
  readonly significantFigures: number | null;
}

export function priceGridOf(instrument: Pick<Instrument, 'tickSize' | 'maxSignificantFigures'>): PriceGrid {
  const tick = dec(instrument.tickSize);
  const decimals = tick.decimalPlaces();
  return {
    decimals,
    tickUnits: scaled(tick, decimals).toNumber(),
    significantFigures: instrument.maxSignificantFigures,
  };
}

/** Units between a price and the next one above it. */
export function tickAt(grid: PriceGrid, units: number): number {
  if (grid.significantFigures === null) return grid.tickUnits;
  let tick = 1;
  const whole = 10 ** grid.decimals;
  const limit = 10 ** grid.significantFigures;
  while (units >= limit * tick && tick < whole) tick *= 10;
  return Math.max(tick, grid.tickUnits);
}

export function roundDown(grid: PriceGrid, units: number): number {
  const tick = tickAt(grid, units);
  return Math.max(tick, Math.floor(units / tick) * tick);
}

export function roundUp(grid: PriceGrid, units: number): number {
  const tick = tickAt(grid, units);
  return Math.max(tick, Math.ceil(units / tick) * tick);
}

export function roundNearest(grid: PriceGrid, units: number): number {
  const tick = tickAt(grid, units);
  return Math.max(tick, Math.round(units / tick) * tick);
}

/** Float price to units, not yet on the grid. */
export function toUnits(price: number, decimals: number): number {
  return price * 10 ** decimals;
}

/** Canonical decimal text of units × 10^−decimals: no exponent, no trailing zeros. Exact below 2^53. */
export function unitsText(units: number, decimals: number): DecimalString {
  if (units < 0) return `-${unitsText(-units, decimals)}`;
  const digits = units.toString();
  if (decimals === 0) return digits;
  const padded = digits.length > decimals ? digits : digits.padStart(decimals + 1, '0');
  const point = padded.length - decimals;
  let end = padded.length;
  while (end > point && padded.charCodeAt(end - 1) === 48) end -= 1;
  return end === point ? padded.slice(0, point) : `${padded.slice(0, point)}.${padded.slice(point, end)}`;
}

/** Largest whole number of units not above `value`; beyond the exact range, the end of that range. */
export function unitsBelow(value: DecimalString, decimals: number): number {
  return bounded(scaled(dec(value), decimals).floor());
}

/** Smallest whole number of units not below `value`. */
export function unitsAbove(value: DecimalString, decimals: number): number {
  return bounded(scaled(dec(value), decimals).ceil());
}

function scaled(value: Decimal, decimals: number): Decimal {
  return value.mul(dec(10).pow(decimals));
}

function bounded(units: Decimal): number {
  if (units.gte(Number.MAX_SAFE_INTEGER)) return Number.MAX_SAFE_INTEGER;
  return units.lte(0) ? 0 : units.toNumber();
}
