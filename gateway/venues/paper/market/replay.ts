/**
 * Recorded candles as a price path. Inside a candle the price goes open → one extreme → the other
 * → close (a rising candle dips first), in three straight stretches of equal length.
 */
import type { Result } from '../../../domain/result.ts';
import { fail, ok } from '../../../domain/result.ts';

/** One recorded bar; `t` is its open time (epoch ms), `volume` in base units. */
export interface Candle {
  readonly symbol: string;
  readonly t: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

export interface ReplaySource {
  /** Tickers that have candles. */
  readonly symbols: readonly string[];
  /** Price of a ticker `elapsedMs` after the earliest candle opened; undefined where its recording has not begun. */
  priceAt(symbol: string, elapsedMs: number): number | undefined;
  /** When the ticker's last candle closes, ms after the earliest candle opened; undefined without candles. */
  endOf(symbol: string): number | undefined;
}

const DEFAULT_INTERVAL_MS = 60_000;

export function createReplaySource(rows: readonly Candle[]): ReplaySource {
  const bySymbol = new Map<string, Candle[]>();
  let origin = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const list = bySymbol.get(row.symbol) ?? [];
    list.push(row);
    bySymbol.set(row.symbol, list);
    origin = Math.min(origin, row.t);
  }
  const tracks = new Map<string, Track>();
  for (const [symbol, list] of bySymbol) tracks.set(symbol, track(list));
  return {
    symbols: [...tracks.keys()],
    priceAt(symbol, elapsedMs) {
      const found = tracks.get(symbol);
      return found === undefined ? undefined : pathPrice(found, origin + elapsedMs);
    },
    endOf(symbol) {
      const found = tracks.get(symbol);
      return found === undefined ? undefined : found.end - origin;
    },
  };
}

interface Track {
  readonly candles: readonly Candle[];
  readonly intervalMs: number;
  readonly end: number;
}

function track(rows: readonly Candle[]): Track {
  const candles = rows.toSorted((a, b) => a.t - b.t);
  let intervalMs = Number.POSITIVE_INFINITY;
  let previous: number | undefined;
  for (const candle of candles) {
    if (previous !== undefined && candle.t > previous) intervalMs = Math.min(intervalMs, candle.t - previous);
    previous = candle.t;
  }
  if (intervalMs === Number.POSITIVE_INFINITY) intervalMs = DEFAULT_INTERVAL_MS;
  return { candles, intervalMs, end: (previous ?? 0) + intervalMs };
}

/** Price at `t`; in a hole of the recording, the last close. */
function pathPrice({ candles, intervalMs }: Track, t: number): number | undefined {
  let low = 0;
  let high = candles.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((candles[middle]?.t ?? Number.POSITIVE_INFINITY) <= t) low = middle + 1;
    else high = middle;
  }
  const candle = candles[low - 1];
  if (candle === undefined) return undefined;
  const { open, high: top, low: bottom, close } = candle;
  const [first, second] = close >= open ? [bottom, top] : [top, bottom];
  const thirds = ((t - candle.t) / intervalMs) * 3;
  if (thirds >= 3) return close;
  if (thirds >= 2) return second + (close - second) * (thirds - 2);
  if (thirds >= 1) return first + (second - first) * (thirds - 1);
  return open + (first - open) * thirds;
}

const COLUMNS = ['symbol', 't', 'open', 'high', 'low', 'close', 'volume'];

/** Reads `symbol,t,open,high,low,close,volume` with its header line; the error names the line. */
export function parseCandlesCsv(text: string): Result<readonly Candle[], string> {
  const lines = text.split(/\r?\n/);
  const header = lines[0]?.trim();
  if (header !== COLUMNS.join(',')) return fail(`line 1: expected the header ${COLUMNS.join(',')}`);
  const candles: Candle[] = [];
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === '') continue;
    const candle = parseLine(line);
    if (candle === undefined) return fail(`line ${index + 1}: not a candle`);
    candles.push(candle);
  }
  return ok(candles);
}

function parseLine(line: string): Candle | undefined {
  const [symbol, ...rest] = line.split(',');
  if (symbol === undefined || symbol === '' || rest.length !== 6) return undefined;
  if (rest.some((cell) => cell.trim() === '')) return undefined;
  const [t = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = rest.map(Number);
  const prices = [open, high, low, close];
  if (!Number.isSafeInteger(t) || !Number.isFinite(volume) || volume < 0) return undefined;
  if (!prices.every((price) => Number.isFinite(price) && price > 0)) return undefined;
  if (high < Math.max(open, close) || low > Math.min(open, close)) return undefined;
  return { symbol, t, open, high, low, close, volume };
}
