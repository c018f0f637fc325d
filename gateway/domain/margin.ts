/** Initial and maintenance margin, by the tiers of an instrument. */
import { type Decimal, dec } from './decimal.ts';
import type { Instrument, LeverageTier } from './model.ts';

/** The highest leverage of an instrument without a setting. */
export const MOST_BY_DEFAULT = 5;

/** Leverage of an instrument without a setting: min(5, its maximum). */
export function defaultLeverage(instrument: Pick<Instrument, 'maxLeverage'>): number {
  return Math.min(MOST_BY_DEFAULT, instrument.maxLeverage);
}

/** The tier that holds a position of `notional` USD; undefined above the last one. */
export function tierFor(tiers: readonly LeverageTier[], notional: Decimal): LeverageTier | undefined {
  return tiers.find((tier) => tier.maxNotional === null || notional.lte(tier.maxNotional));
}

/**
 * The setting, bounded by the tier of the resulting position; undefined: the venue allows no position so large.
 */
export function effectiveLeverage(
  instrument: Instrument,
  setting: number,
  notional: Decimal,
): number | undefined {
  if (instrument.leverageTiers.length === 0) return Math.min(setting, instrument.maxLeverage);
  const tier = tierFor(instrument.leverageTiers, notional);
  return tier === undefined ? undefined : Math.min(setting, tier.maxLeverage);
}

/** Maintenance margin of a position of `notional` USD, as a fraction of it; above the last tier by that one. */
export function maintenanceRate(
  { leverageTiers, maxLeverage }: Pick<Instrument, 'leverageTiers' | 'maxLeverage'>,
  notional: Decimal,
): Decimal {
  const tier = tierFor(leverageTiers, notional) ?? leverageTiers.at(-1);
  // Without tiers: half of the initial margin at the highest leverage, the usual rule of on-chain venues.
  return tier === undefined ? dec('0.5').div(maxLeverage) : dec(tier.maintenanceRate);
}

/**
 * Extra initial margin in USD of trading `delta` (signed base units) at `price` on top of `net` (signed): only the
 * growth of the absolute position needs margin; a reduction needs none.
 */
export function marginForOrder(net: Decimal, delta: Decimal, price: Decimal, leverage: number): Decimal {
  const growth = net.plus(delta).abs().minus(net.abs());
  return growth.lte(0) ? dec(0) : growth.mul(price).div(leverage);
}
