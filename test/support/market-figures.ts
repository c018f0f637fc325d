/** Figures of the recorded markets, as they are kept in `test/data/market-figures.json`, and how they are made. */
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CALIBRATED_MARKETS } from '../../gateway/venues/paper/market/calibration.ts';
import { recordedLogs } from './recordings.ts';
import { logReturnsOf, median, type ReturnFigures, returnFigures } from './return-figures.ts';
import { strategyGrid } from './strategy-grid.ts';

export type Scale = '1m' | '1h' | '1d';

export interface StrategyRange {
  readonly strategy: string;
  /** Smallest and largest of the windows. */
  readonly profitable: readonly [number, number];
  readonly sharpe: readonly [number, number];
}

export interface MarketFigures {
  /** Figures computed by the recordings' publisher; none at `1d`. */
  readonly calibration: Readonly<Partial<Record<Scale, ReturnFigures>>>;
  readonly recorded: Readonly<Record<Scale, ReturnFigures>>;
  readonly strategies: readonly StrategyRange[];
}

/** Returns in one recording of each scale: what is compared with it has as many. */
export const RETURNS: Readonly<Record<Scale, number>> = { '1m': 6_719, '1h': 5_570, '1d': 232 };
/** A strategy is tried on so many hours at a time: 58 days. */
export const STRATEGY_HOURS = 1_392;
const WINDOWS_OVERLAP = 4;
export const TICKERS = CALIBRATED_MARKETS.map(({ ticker }) => ticker);

const FILE = resolve(import.meta.dirname, '..', 'data', 'market-figures.json');

export async function keptFigures(): Promise<MarketFigures> {
  return JSON.parse(await readFile(FILE, 'utf8'));
}

export async function keepFigures(figures: MarketFigures): Promise<void> {
  await writeFile(FILE, `${JSON.stringify(figures, null, 2)}\n`);
}

/** @param folder of the recorded candles */
export async function figuresOfRecordings(folder: string): Promise<MarketFigures> {
  const minutes = await recordedLogs(join(folder, 'candles-1m-20250721-20250726.csv.gz'), TICKERS);
  const hours = await recordedLogs(join(folder, 'candles-1h-20241206-20250726.csv.gz'), TICKERS);
  const figuresOf = (logs: readonly Float64Array[], every = 1) =>
    returnFigures(logs.map((log) => logReturnsOf(log, every)));
  const published = JSON.parse(await readFile(join(folder, 'calibration.json'), 'utf8'));
  return {
    calibration: { '1m': publishedFigures(published['1m']), '1h': publishedFigures(published['1h']) },
    recorded: { '1m': figuresOf(minutes), '1h': figuresOf(hours), '1d': figuresOf(hours, 24) },
    strategies: strategyRanges(hours),
  };
}

function strategyRanges(hours: readonly Float64Array[]): readonly StrategyRange[] {
  const pairs = TICKERS.flatMap((_, i) => TICKERS.slice(0, i).map((_other, j) => [i, j] as const));
  const length = hours[0]?.length ?? 0;
  const windows: ReturnType<typeof strategyGrid>[] = [];
  for (let from = 0; from + STRATEGY_HOURS <= length; from += STRATEGY_HOURS / WINDOWS_OVERLAP)
    windows.push(
      strategyGrid(
        hours.map((log) => log.subarray(from, from + STRATEGY_HOURS)),
        pairs,
      ),
    );
  return (windows[0] ?? []).map(({ strategy }, k) => {
    const range = (of: 'profitable' | 'sharpe') => {
      const values = windows.map((results) => results[k]?.[of] ?? 0);
      return [Math.min(...values), Math.max(...values)] as const;
    };
    return { strategy, profitable: range('profitable'), sharpe: range('sharpe') };
  });
}

interface Published {
  readonly corr: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly per: Readonly<
    Record<string, { readonly sigma: number; readonly kurtosis: number; readonly ac1_abs: number }>
  >;
}

function publishedFigures({ corr, per }: Published): ReturnFigures {
  const [btc = '', ...alts] = TICKERS;
  const of = (name: 'sigma' | 'kurtosis' | 'ac1_abs') => alts.map((alt) => per[alt]?.[name] ?? 0);
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
  return {
    volatilityBtc: per[btc]?.sigma ?? 0,
    volatilityAlts: Math.exp(mean(of('sigma').map(Math.log))),
    correlationBtcAlt: mean(alts.map((alt) => corr[btc]?.[alt] ?? 0)),
    correlationAltAlt: mean(alts.flatMap((a, i) => alts.slice(0, i).map((b) => corr[a]?.[b] ?? 0))),
    kurtosisBtc: per[btc]?.kurtosis ?? 0,
    kurtosisAlts: median(of('kurtosis')),
    clusteringBtc: per[btc]?.ac1_abs ?? 0,
    clusteringAlts: median(of('ac1_abs')),
  };
}
