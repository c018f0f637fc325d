/** Depth, spread and activity of a market, from its traded volume and volatility. BTC is the yardstick. */
import type { PaperProfile } from './market-types.ts';
import type { Underlying } from './underlyings.ts';

const BTC_USD_PER_MINUTE = 3_115_053;
const BTC_SIGMA = 0.0006253;
const BTC_DEPTH_USD = 8_000_000;
/** Spread of BTC, a fraction of the mid: one tick of the on-chain venue. */
const BTC_SPREAD = 1e-5;

type Traits = Pick<Underlying, 'usdPerMinute' | 'sigma'>;

/** USD resting on one side within 1 % of the mid. Depth grows slower than volume and shrinks with volatility. */
export function depthUsd({ usdPerMinute, sigma }: Traits, profile: PaperProfile): number {
  const volume = (usdPerMinute / BTC_USD_PER_MINUTE) ** 0.65;
  return BTC_DEPTH_USD * volume * Math.sqrt(BTC_SIGMA / sigma) * profile.depth;
}

/** Half of the spread as a fraction of the mid; the grid makes the whole spread at least one tick. */
export function halfSpread(traits: Traits, profile: PaperProfile): number {
  return (calmSpread(traits) / 2) * profile.spread;
}

/** Probability that a step brings news to the quote; the least traded markets still move a few times a second. */
export function activity({ usdPerMinute }: Traits): number {
  return Math.min(1, 0.15 + 0.85 * (usdPerMinute / BTC_USD_PER_MINUTE) ** 0.25);
}

/** Standard deviation of the perp's basis to its index: arbitrage is as tight as the spread allows. */
export function basisDeviation(traits: Traits): number {
  return 6e-5 + 0.15 * calmSpread(traits);
}

function calmSpread({ usdPerMinute, sigma }: Traits): number {
  return BTC_SPREAD * Math.sqrt(BTC_USD_PER_MINUTE / usdPerMinute) * (sigma / BTC_SIGMA) ** 0.3;
}
