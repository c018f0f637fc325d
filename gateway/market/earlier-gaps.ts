/**
 * Recording gaps in the data folder of an earlier version, which did not store gaps. They are found by missing
 * candles: hours, or days where the hours are past their retention. Searched once, when such a folder is first
 * opened.
 */
import { INTERVAL_MS, intervalStart, type RecordedInterval } from '../domain/candle-intervals.ts';
import type { Store } from '../engine/ports/store.ts';
import type { Gap, GapPrices, PricesById } from './recording-gaps.ts';

type Reads = Pick<Store, 'candles' | 'candleRow'>;

interface Recorded {
  readonly interval: RecordedInterval;
  readonly start: number;
}

/**
 * @param symbol an instrument that was always recorded
 * @param begun when the recording began, epoch ms
 */
export async function earlierGaps(
  store: Reads,
  { connector, symbol }: { readonly connector: string; readonly symbol: string },
  begun: number,
  now: number,
): Promise<readonly (readonly [Gap, GapPrices])[]> {
  const starts = async (interval: RecordedInterval, to: number) =>
    (await store.candles({ connector, symbol, interval }, 0, to)).map(({ start }) => ({ interval, start }));
  const hours = await starts('1h', now + 1);
  const days = await starts('1d', intervalStart('1d', hours[0]?.start ?? now + INTERVAL_MS['1d']));
  const prices = async ({ interval, start }: Recorded, which: 0 | 3): Promise<PricesById> => {
    const row = await store.candleRow(connector, interval, start);
    return Object.fromEntries(Object.entries(row?.bars ?? {}).map(([id, bar]) => [id, bar[which]]));
  };
  const found: (readonly [Gap, GapPrices])[] = [];
  let last: Recorded | null = null;
  for (const next of [...days, ...hours]) {
    if (last === null) {
      const firstDay: Recorded = { interval: '1d', start: intervalStart('1d', begun) };
      found.push([
        { from: null, to: begun },
        { before: null, after: await prices(firstDay, 0) },
      ]);
    } else {
      const end = last.start + INTERVAL_MS[last.interval];
      if (next.start > end) {
        const sides = { before: await prices(last, 3), after: await prices(next, 0) };
        found.push([{ from: end, to: next.start }, sides]);
      }
    }
    last = next;
  }
  return found;
}
