/** Closing prices of whole UTC days, kept in memory: the close of an ended day never changes. */
import { DAY_MS } from '../../domain/history-range.ts';
import type { CandleHistory } from '../ports/market.ts';
import type { Clock } from '../ports/system.ts';

/**
 * Start of the UTC day → its closing price, for ended days that begin in [from, to). `from` and `to` are starts of
 * days.
 */
export type DailyCloses = (
  series: { readonly connector: string; readonly symbol: string },
  from: number,
  to: number,
) => Promise<ReadonlyMap<number, number>>;

interface Remembered {
  readonly from: number;
  readonly to: number;
  readonly closes: ReadonlyMap<number, number>;
}

const NONE: ReadonlyMap<number, number> = new Map();

export function rememberDailyCloses(
  candles: Pick<CandleHistory, 'closes'>,
  clock: Pick<Clock, 'now'>,
): DailyCloses {
  const remembered = new Map<string, Remembered>();
  return async ({ connector, symbol }, from, to) => {
    const end = Math.min(to, Math.floor(clock.now() / DAY_MS) * DAY_MS);
    if (end <= from) return NONE;
    const name = `${connector} ${symbol}`;
    const known = remembered.get(name);
    if (known !== undefined && known.from <= from && known.to >= end) return known.closes;
    const wanted = { from: Math.min(from, known?.from ?? from), to: Math.max(end, known?.to ?? end) };
    const found = await candles.closes({ connector, symbols: [symbol], every: '1d', ...wanted });
    const closes = new Map(found.map(({ at, prices }) => [at - DAY_MS, Number(prices[0])]));
    // Kept only if the last day has a price: a missing price may still be recorded.
    if (closes.has(wanted.to - DAY_MS)) remembered.set(name, { ...wanted, closes });
    return closes;
  };
}
