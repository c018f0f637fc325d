/**
 * The simulated market against the recorded one: how volatile, how correlated, how fat-tailed and how clustered minutes,
 * hours and days are, live and imagined; and what simple strategies earn on either. A sample of it takes seconds;
 * TANDEM_LONG=1 looks at several times as many windows. Both print what they found.
 *
 * TANDEM_WRITE_FIGURES=1 writes `test/data/market-figures.json` anew from the recordings beside the checkout.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { CALIBRATED_MARKETS } from '../../gateway/venues/paper/market/calibration.ts';
import { IndexHistory } from '../../gateway/venues/paper/market/index-history.ts';
import { PriceProcess, STEP_MS } from '../../gateway/venues/paper/market/price-process.ts';
import { Random } from '../../gateway/venues/paper/market/random.ts';
import { UNDERLYINGS } from '../../gateway/venues/paper/market/underlyings.ts';
import { IS_LONG } from '../support/long-run.ts';
import { recordedLogs, recordingsFolder } from '../support/recordings.ts';
import {
  FIGURES,
  logReturnsOf,
  median,
  medianFigures,
  type ReturnFigures,
  returnFigures,
} from '../support/return-figures.ts';
import { strategyGrid } from '../support/strategy-grid.ts';

type Scale = '1m' | '1h' | '1d';

interface StrategyRange {
  readonly strategy: string;
  /** Smallest and largest of the windows. */
  readonly profitable: readonly [number, number];
  readonly sharpe: readonly [number, number];
}

interface MarketFigures {
  /** Figures computed by the recordings' publisher; none at `1d`. */
  readonly calibration: Readonly<Partial<Record<Scale, ReturnFigures>>>;
  readonly recorded: Readonly<Record<Scale, ReturnFigures>>;
  readonly strategies: readonly StrategyRange[];
}

/** Returns in one recording of each scale: what is compared with it has as many. */
const RETURNS: Readonly<Record<Scale, number>> = { '1m': 6_719, '1h': 5_570, '1d': 232 };
/** A strategy is tried on so many hours at a time: 58 days. */
const STRATEGY_HOURS = 1_392;
const WINDOWS_OVERLAP = 4;
const TICKERS = CALIBRATED_MARKETS.map(({ ticker }) => ticker);

const FILE = resolve(import.meta.dirname, '..', 'data', 'market-figures.json');

async function keptFigures(): Promise<MarketFigures> {
  return JSON.parse(await readFile(FILE, 'utf8'));
}

async function keepFigures(figures: MarketFigures): Promise<void> {
  await writeFile(FILE, `${JSON.stringify(figures, null, 2)}\n`);
}

/** @param folder of the recorded candles */
async function figuresOfRecordings(folder: string): Promise<MarketFigures> {
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

/** Relative tolerances of kurtosis and of all other figures. A sample of windows is itself uncertain. */
const KURTOSIS_TOLERANCE = IS_LONG ? 0.35 : 0.5;
const TOLERANCE = IS_LONG ? 0.15 : 0.3;
const START = Date.UTC(2026, 0, 31);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Windows of each scale, each of a seed of its own. */
const WINDOWS = IS_LONG ? 150 : 16;
const STEPPED_WINDOWS = IS_LONG ? 12 : 1;
const STRATEGY_WINDOWS = IS_LONG ? 40 : 8;
const PAIRS = 100;

const MEASURED = UNDERLYINGS.slice(0, TICKERS.length);
const TRADABLE = UNDERLYINGS.flatMap(({ tradeability }, i) =>
  tradeability.status === 'tradable' ? [i] : [],
);

function seeds(count: number): readonly number[] {
  return Array.from({ length: count }, (_, k) => k + 1);
}

describe('the simulated market against the recordings', function () {
  this.timeout(IS_LONG ? 1_800_000 : 120_000);
  let known: MarketFigures;
  before(async () => {
    const folder = recordingsFolder();
    if (folder !== null && process.env['TANDEM_WRITE_FIGURES'] === '1')
      await keepFigures(await figuresOfRecordings(folder));
    known = await keptFigures();
  });

  it('is compared with figures that are those of the recordings', async function () {
    const folder = recordingsFolder();
    if (folder === null || !IS_LONG) return this.skip();
    expect(JSON.parse(JSON.stringify(await figuresOfRecordings(folder)))).to.deep.equal(known);
  });

  /** Log indexes `every` so many minutes, over the time that ends at the market's start, as the past is imagined. */
  const imagined = (seed: number, count: number, every: 1 | 60) => {
    const history = new IndexHistory(MEASURED, seed, START);
    const end = START / HOUR_MS;
    const hours = Math.ceil((count * every) / 60);
    return MEASURED.map((_, i) => {
      const ofHour = (hour: number) =>
        every === 60 ? [history.level(i, hour)] : history.points(i, hour).levels.subarray(0, 60);
      const logs = Array.from({ length: hours }, (_unused, k) => [...ofHour(end - hours + k)]).flat();
      return Float64Array.from([...logs, history.level(i, end)].slice(-count - 1));
    });
  };

  /** The same of a market that goes on from its start, moved on by `move`. */
  const live = (
    seed: number,
    count: number,
    every: number,
    move: (prices: PriceProcess, from: number, to: number) => void,
  ) => {
    const prices = new PriceProcess(MEASURED, seed, START);
    const logs = MEASURED.map(() => new Float64Array(count + 1));
    for (let k = 0; k <= count; k += 1) {
      const at = START + k * every * MINUTE_MS;
      if (k > 0) move(prices, at - every * MINUTE_MS, at);
      for (const [i, log] of logs.entries()) log[k] = prices.logPrice[i] ?? 0;
    }
    return logs;
  };
  const jumped = (prices: PriceProcess, from: number, to: number) => prices.jump(from, to);
  const stepped = (prices: PriceProcess, from: number, to: number) => {
    for (let at = from + STEP_MS; at <= to; at += STEP_MS) prices.step(at);
  };

  /** Medians over the windows, of every `every`-th moment; of several lengths at once, since a window is a lot to make. */
  function figuresOf(window: (seed: number) => readonly Float64Array[], ...every: readonly number[]) {
    const found = seeds(WINDOWS).map((seed) => {
      const logs = window(seed);
      return every.map((step) => returnFigures(logs.map((log) => logReturnsOf(log, step))));
    });
    return every.map((_, k) => medianFigures(found.flatMap((figures) => figures[k] ?? [])));
  }

  const isNear = (name: keyof ReturnFigures, found: number, wanted: number): boolean =>
    Math.abs(found / wanted - 1) <= (name.startsWith('kurtosis') ? KURTOSIS_TOLERANCE : TOLERANCE);

  function compare(scale: Scale, past?: ReturnFigures, going?: ReturnFigures): void {
    if (past === undefined || going === undefined) throw new Error('no window was looked at');
    const { calibration, recorded } = known;
    const far: string[] = [];
    console.log(`      ${scale.padEnd(22)}imagined      live  recorded  calibration`);
    for (const name of FIGURES) {
      const wanted = [recorded[scale][name], calibration[scale]?.[name]].flatMap((value) => value ?? []);
      const cells = [past[name], going[name], ...wanted].map((value) => value.toPrecision(4).padStart(10));
      console.log(`      ${name.padEnd(20)}${cells.join('')}`);
      for (const found of [past[name], going[name]])
        if (!wanted.every((value) => isNear(name, found, value)))
          far.push(`${name}: ${found}, not ${wanted}`);
    }
    expect(far).to.deep.equal([]);
  }

  it('has the figures of recorded minutes', () => {
    const [past] = figuresOf((seed) => imagined(seed, RETURNS['1m'], 1), 1);
    const [going] = figuresOf((seed) => live(1000 + seed, RETURNS['1m'], 1, jumped), 1);
    compare('1m', past, going);
  });

  it('has the figures of recorded hours and days', () => {
    const past = figuresOf((seed) => imagined(seed, RETURNS['1h'], 60), 1, 24);
    const going = figuresOf((seed) => live(1000 + seed, RETURNS['1h'], 60, jumped), 1, 24);
    compare('1h', past[0], going[0]);
    compare('1d', past[1], going[1]);
  });

  it('is at every full minute where it was going, step by step or in one jump', () => {
    const minutes = IS_LONG ? 1_440 : 120;
    for (const seed of seeds(STEPPED_WINDOWS)) {
      const [one, other] = [live(seed, minutes, 1, stepped), live(seed, minutes, 1, jumped)];
      const history = new IndexHistory(MEASURED, seed, START);
      for (const [i, log] of one.entries()) {
        for (const [k, value] of log.entries()) {
          expect(value).to.be.closeTo(other[i]?.[k] ?? 0, 1e-9);
          const since = history.at(i, START / MINUTE_MS + k) - history.at(i, START / MINUTE_MS);
          expect(value - (log[0] ?? 0)).to.be.closeTo(since, 1e-9);
        }
      }
    }
  });

  it('offers simple strategies no more and no less than the recordings do, on the same instruments', () => {
    const far: string[] = [];
    for (const found of tried(
      'the measured instruments',
      TICKERS.map((_, i) => i),
    )) {
      const { strategy, profitable, sharpe, recorded } = found;
      if (profitable < recorded.profitable[0] || profitable > recorded.profitable[1])
        far.push(`${strategy}: ${profitable} profitable`);
      // The few windows of the sample say that there is no edge; how dear the costs are takes all of them.
      if ((IS_LONG && sharpe < recorded.sharpe[0]) || sharpe > recorded.sharpe[1])
        far.push(`${strategy}: Sharpe ${sharpe}`);
    }
    expect(far).to.deep.equal([]);
  });

  it('offers them no more on pairs of everything that is listed', () => {
    for (const { strategy, profitable, sharpe, recorded } of tried('everything listed', TRADABLE)) {
      expect(profitable, strategy).to.be.within(...recorded.profitable);
      // A portfolio of more instruments varies less, so that the same costs weigh more in its ratio.
      expect(sharpe, strategy).to.be.at.most(recorded.sharpe[1]);
    }
  });

  /** Medians over the windows, each with pairs of its own. */
  function tried(name: string, among: readonly number[]) {
    const results = seeds(STRATEGY_WINDOWS).map((seed) => {
      const prices = new PriceProcess(UNDERLYINGS, seed, START);
      const logs = UNDERLYINGS.map(() => new Float64Array(STRATEGY_HOURS));
      for (let hour = 0; hour < STRATEGY_HOURS; hour += 1) {
        if (hour > 0) prices.jump(START + (hour - 1) * HOUR_MS, START + hour * HOUR_MS);
        for (const [i, log] of logs.entries()) log[hour] = prices.logPrice[i] ?? 0;
      }
      return strategyGrid(logs, randomPairs(seed, among));
    });
    const percent = (value: number) => (100 * value).toFixed(0);
    console.log(`      ${name.padEnd(34)}  profitable  recorded     Sharpe  recorded`);
    return known.strategies.map((recorded, k) => {
      const of = (figure: 'profitable' | 'sharpe') =>
        median(results.map((result) => result[k]?.[figure] ?? 0));
      const found = {
        strategy: recorded.strategy,
        profitable: of('profitable'),
        sharpe: of('sharpe'),
        recorded,
      };
      console.log(
        `      ${found.strategy.padEnd(34)}  ${percent(found.profitable).padStart(8)} %` +
          `  ${recorded.profitable.map(percent).join('–').padEnd(5)} %` +
          `  ${found.sharpe.toFixed(2).padStart(8)}  ${recorded.sharpe.map((value) => value.toFixed(2)).join(' … ')}`,
      );
      return found;
    });
  }

  function randomPairs(seed: number, among: readonly number[]): readonly (readonly [number, number])[] {
    const random = new Random(seed, 1);
    const pick = () => among[Math.floor(random.uniform() * among.length)] ?? 0;
    const pairs: (readonly [number, number])[] = [];
    while (pairs.length < PAIRS) {
      const [a, b] = [pick(), pick()];
      if (a !== b) pairs.push([a, b]);
    }
    return pairs;
  }
});
