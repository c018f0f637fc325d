/**
 * Statistics of every pair of a connector's most traded instruments, each unordered pair once. They are computed in a
 * thread of their own at the first request, and again after each full hour while requests go on. Requests meanwhile get
 * the last result. Nothing is stored: a restart computes again.
 */
import type { Worker } from 'node:worker_threads';
import { INTERVAL_MS, intervalStart } from '../../domain/candle-intervals.ts';
import { dec } from '../../domain/decimal.ts';
import type { PairScreen } from '../../domain/pair-screen.ts';
import type { CandleHistory } from '../../engine/ports/market.ts';
import type { Clock, Logger, Unsubscribe } from '../../engine/ports/system.ts';
import type { Market } from '../market.ts';
import { readScreen, type ScreenTask } from './screen-figures.ts';

const HOUR_MS = INTERVAL_MS['1h'];
/** Hours that the figures are computed over: 90 days. */
export const SCREEN_HOURS = 90 * 24;
/** Most instruments, by volume: 4,950 pairs. */
export const MOST_INSTRUMENTS = 100;
/** Time without a request after which the next hour is not computed. */
const ASKED_WITHIN_MS = 6 * HOUR_MS;
/** Hours that are read again: late candles are taken in within two days. */
const READ_AGAIN_HOURS = 48;
/** Rest after the candles of each instrument, so that reading them holds up nobody. */
const READ_REST_MS = 40;

export interface ScreenedPair extends PairScreen {
  /** Instrument IDs; `first` sorts before `second`. */
  readonly first: string;
  readonly second: string;
}

export interface Screen {
  /** End of the last hour of the figures, epoch ms. */
  readonly asOf: number;
  /** Completion time, epoch ms. Candles that became known later count in a later screen. */
  readonly computedAt: number;
  /** Instrument IDs, sorted. */
  readonly instruments: readonly string[];
  readonly pairs: readonly ScreenedPair[];
}

export interface ScreenState {
  /** The last whole one; null: none yet. */
  readonly screen: Screen | null;
  /** Progress of the running computation; null: none runs. */
  readonly progress: { readonly done: number; readonly total: number } | null;
  /** Why the last one could not be computed; null: it could. */
  readonly error: string | null;
}

export interface Screener {
  /** The state of the connector's screen; begins to compute it where that is due. */
  of(connector: string): ScreenState;
  close(): void;
}

/** ln of an instrument's closes at the ends of the hours up to `until`, NaN where it has none. */
interface Column {
  readonly until: number;
  readonly column: Float64Array;
}

interface Running {
  /** Columns of the last screen, by instrument ID. */
  columns: Map<string, Column>;
  screen: Screen | null;
  progress: { done: number; total: number } | null;
  error: string | null;
  /** Hour that was computed or failed last, or is computed now. */
  hour: number;
  askedAt: number;
}

export function createScreener(deps: {
  readonly market: Pick<Market, 'instruments' | 'stats'>;
  readonly candles: Pick<CandleHistory, 'closes'>;
  readonly clock: Pick<Clock, 'now' | 'after' | 'sleep'>;
  readonly logger: Logger;
}): Screener {
  const { market, candles, clock, logger } = deps;
  const all = new Map<string, Running>();
  const threads = new Set<Worker>();
  let isClosed = false;
  let cancelTimer: Unsubscribe = () => {};

  function of(connector: string): ScreenState {
    let one = all.get(connector);
    if (one === undefined) {
      one = { columns: new Map(), screen: null, progress: null, error: null, hour: 0, askedAt: 0 };
      all.set(connector, one);
    }
    one.askedAt = clock.now();
    begin(connector, one);
    return one;
  }

  function begin(connector: string, one: Running): void {
    const hour = intervalStart('1h', clock.now());
    if (isClosed || one.progress !== null || one.hour === hour) return;
    one.hour = hour;
    one.progress = { done: 0, total: 0 };
    compute(connector, one, hour)
      .then((screen) => {
        one.screen = screen;
        one.error = null;
      })
      .catch((error: unknown) => {
        if (isClosed) return;
        logger.error({ err: error, connector }, 'pairs were not screened');
        one.error = error instanceof Error ? error.message : String(error);
      })
      .finally(() => {
        one.progress = null;
        nextHour();
      });
  }

  function nextHour(): void {
    cancelTimer();
    if (isClosed) return;
    cancelTimer = clock.after(HOUR_MS - (clock.now() % HOUR_MS), () => {
      const now = clock.now();
      for (const [connector, one] of all) if (now - one.askedAt < ASKED_WITHIN_MS) begin(connector, one);
      nextHour();
    });
  }

  async function compute(connector: string, one: Running, hour: number): Promise<Screen> {
    const instruments = mostTraded(market, connector);
    const total = (instruments.length * (instruments.length - 1)) / 2;
    one.progress = { done: 0, total };
    const bytes = Float64Array.BYTES_PER_ELEMENT * SCREEN_HOURS;
    const task: ScreenTask = {
      closes: new SharedArrayBuffer(Math.max(1, instruments.length) * bytes),
      instruments: instruments.length,
      hours: SCREEN_HOURS,
    };
    const before = one.columns;
    one.columns = new Map();
    for (const [index, symbol] of instruments.entries()) {
      const column = new Float64Array(task.closes, index * bytes, SCREEN_HOURS);
      const known = takeKnown(before.get(symbol), hour, column);
      const from = hour - SCREEN_HOURS * HOUR_MS;
      const request = { connector, symbols: [symbol], every: '1h', to: hour } as const;
      const closes = await candles.closes({ ...request, from: Math.max(from, known) });
      for (const { at, prices } of closes) column[(at - from) / HOUR_MS - 1] = Math.log(Number(prices[0]));
      one.columns.set(symbol, { until: hour, column });
      await clock.sleep(READ_REST_MS);
      if (isClosed) throw new Error('the gateway is stopping');
    }
    const rows = await screened(task, (done) => {
      one.progress = { done, total };
    });
    const pairs = instruments.flatMap((first, index) =>
      instruments.slice(index + 1).map((second) => ({ first, second })),
    );
    return {
      asOf: hour,
      computedAt: clock.now(),
      instruments,
      pairs: rows.flatMap((row, index) => {
        const pair = pairs[index];
        return pair === undefined ? [] : [{ ...pair, ...readScreen(row) }];
      }),
    };
  }

  function screened(task: ScreenTask, onProgress: (done: number) => void): Promise<readonly Float64Array[]> {
    return new Promise((resolve, reject) => {
      const rows: Float64Array[] = [];
      const thread = startThread(task);
      threads.add(thread);
      thread.unref();
      thread.on('message', (message: readonly Float64Array[] | 'done') => {
        if (message === 'done') return resolve(rows);
        rows.push(...message);
        onProgress(rows.length);
      });
      thread.on('error', reject);
      thread.on('exit', () => {
        threads.delete(thread);
        reject(new Error('the thread ended before its work was done'));
      });
    });
  }

  return {
    of,
    close() {
      isClosed = true;
      cancelTimer();
      for (const thread of threads) void thread.terminate();
    },
  };
}

/**
 * Fills the column of an hour from the column of an earlier hour.
 * @returns end of the hours that need not be read again; 0: all have to be
 */
function takeKnown(before: Column | undefined, hour: number, column: Float64Array): number {
  column.fill(Number.NaN);
  if (before === undefined) return 0;
  const passed = (hour - before.until) / HOUR_MS;
  if (passed < 0 || passed >= SCREEN_HOURS - READ_AGAIN_HOURS) return 0;
  column.set(before.column.subarray(passed));
  column.fill(Number.NaN, SCREEN_HOURS - passed - READ_AGAIN_HOURS);
  return before.until - READ_AGAIN_HOURS * HOUR_MS;
}

/** Instrument IDs of the most traded of the tradable instruments, sorted. */
function mostTraded(market: Pick<Market, 'instruments' | 'stats'>, connector: string): readonly string[] {
  return market
    .instruments(connector)
    .filter(({ tradeability }) => tradeability.status === 'tradable')
    .map(({ id }) => ({ id, volume: dec(market.stats(connector, id)?.volume24h ?? '0') }))
    .sort((a, b) => b.volume.cmp(a.volume) || (a.id < b.id ? -1 : 1))
    .slice(0, MOST_INSTRUMENTS)
    .map(({ id }) => id)
    .sort();
}

/** In the built program the thread is a file beside it. The module is loaded only here, as it slows a start. */
function startThread(workerData: ScreenTask): Worker {
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  const built = /\.[cm]js$/.exec(import.meta.url);
  if (built !== null) {
    return new Worker(new URL(`./late-screener${built[0]}`, import.meta.url), { workerData, execArgv: [] });
  }
  // Run from its sources, a thread of Node 20 needs its own registration of the TypeScript loader.
  const file = JSON.stringify(new URL('./screen-thread.ts', import.meta.url));
  const code = `import('tsx/esm/api').then(({ register }) => { register(); return import(${file}); });`;
  return new Worker(code, { workerData, eval: true, execArgv: [] });
}
