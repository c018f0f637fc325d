/**
 * Earnings of simple strategies on pairs: mean reversion of the log price spread by its rolling z-score, over three
 * windows and two pairs of thresholds, and fading the distance from the first (list) price. Decided at the close of an
 * hour, held over the next one, 5.5 basis points a leg for every change.
 */
import { logReturnsOf } from './return-figures.ts';

export interface StrategyResult {
  readonly strategy: string;
  /** Share of the pairs that earned something after costs. */
  readonly profitable: number;
  /** Sharpe ratio, per year, of one portfolio that holds all pairs with equal weight. */
  readonly sharpe: number;
}

/** Hours of history that a z-score is computed on; enter beyond, leave inside. */
const Z_SCORES = [24, 72, 168].flatMap((window) => [
  { window, enter: 2, leave: 0.5 },
  { window, enter: 1.5, leave: 0 },
]);
const FADE_BEYOND = 0.05;
const COST_PER_LEG = 5.5e-4;
const HOURS_PER_YEAR = 8760;

type Positions = (spread: Float64Array) => Float64Array;

const STRATEGIES: readonly { readonly strategy: string; readonly positions: Positions }[] = [
  ...Z_SCORES.map(({ window, enter, leave }) => ({
    strategy: `z-score ${window} h, in ${enter}, out ${leave}`,
    positions: (spread: Float64Array) => reverting(zScores(spread, window), enter, leave),
  })),
  {
    strategy: `fade from the list price, ${FADE_BEYOND * 100} %`,
    positions: (spread) =>
      spread.map((value) => {
        const away = value - (spread[0] ?? 0);
        return Math.abs(away) > FADE_BEYOND ? -Math.sign(away) : 0;
      }),
  },
];

/** @param logs hourly log prices of each instrument, @param pairs numbers of instruments, long and short */
export function strategyGrid(
  logs: readonly Float64Array[],
  pairs: readonly (readonly [number, number])[],
): readonly StrategyResult[] {
  const spreads = pairs.map(([a, b]) => {
    const other = logs[b];
    return (logs[a] ?? new Float64Array()).map((value, hour) => value - (other?.[hour] ?? 0));
  });
  return STRATEGIES.map(({ strategy, positions }) => {
    const earned = spreads.map((spread) => profits(spread, positions(spread)));
    const portfolio = new Float64Array(earned[0]?.length ?? 0);
    for (const pair of earned)
      for (const [hour, profit] of pair.entries()) portfolio[hour] = (portfolio[hour] ?? 0) + profit;
    const profitable = earned.filter((pair) => sum(pair) > 0).length / earned.length;
    return { strategy, profitable, sharpe: sharpe(portfolio) };
  });
}

function profits(spread: Float64Array, positions: Float64Array): Float64Array {
  return logReturnsOf(spread).map((move, hour) => {
    const held = positions[hour] ?? 0;
    const traded = Math.abs(held - (positions[hour - 1] ?? 0));
    return held * move - traded * 2 * COST_PER_LEG;
  });
}

/** Against the rolling mean and standard deviation of the hours up to and with this one; 0 before there are enough. */
function zScores(spread: Float64Array, window: number): Float64Array {
  let total = 0;
  let squares = 0;
  return spread.map((value, hour) => {
    const gone = hour >= window ? (spread[hour - window] ?? 0) : 0;
    total += value - gone;
    squares += value * value - gone * gone;
    if (hour < window - 1) return 0;
    const variance = squares / window - (total / window) ** 2;
    return (value - total / window) / Math.sqrt(Math.max(variance, 1e-18));
  });
}

function reverting(zScore: Float64Array, enter: number, leave: number): Float64Array {
  let held = 0;
  return zScore.map((z) => {
    if ((held > 0 && z >= -leave) || (held < 0 && z <= leave)) held = 0;
    if (held === 0 && Math.abs(z) > enter) held = -Math.sign(z);
    return held;
  });
}

function sharpe(profit: Float64Array): number {
  const mean = sum(profit) / profit.length;
  const variance = sum(profit.map((value) => (value - mean) ** 2)) / profit.length;
  return variance > 0 ? (mean / Math.sqrt(variance)) * Math.sqrt(HOURS_PER_YEAR) : 0;
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}
