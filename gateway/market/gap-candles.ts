/**
 * Recorded candles of a simulated venue and the candles that the venue imagines for the gaps in the recording, as one
 * series. A candle that lies in a gap is imagined; a candle that reaches into a gap is recorded in part, and its
 * imagined part is added. Imagined minutes are the same whatever the interval, so a longer candle is always the sum of
 * shorter ones.
 */
import { type Candle, larger, smaller } from '../domain/candle.ts';
import { INTERVAL_MS, intervalStart } from '../domain/candle-intervals.ts';
import type { RecordedSeries } from '../engine/ports/market.ts';
import type { Venue } from '../engine/ports/venue.ts';
import type { Gap, GapPrices, RecordingGaps } from './recording-gaps.ts';
import { othersHaveTheirTurn } from './turns.ts';

/** Time imagined in one go: about a millisecond of work, after which other work has its turn. */
const SLICE_MS = INTERVAL_MS['1d'];

export interface CandleRange {
  /** Starts of intervals: candles begin in [from, to). */
  readonly from: number;
  readonly to: number;
  /** Earliest time that is imagined. */
  readonly pastFrom: number;
  /** Start of the retention: earlier candles are gone, and the gaps among them are not filled. */
  readonly keptFrom: number;
  /** Only the closes are read: a venue need not work out the highs and lows of whole candles. */
  readonly onlyCloses: boolean;
}

/** @param recorded candles of the range, oldest first */
export async function withImagined(
  series: RecordedSeries,
  venue: Venue,
  recorded: readonly Candle[],
  gaps: RecordingGaps,
  range: CandleRange,
): Promise<readonly Candle[]> {
  const made = new Map(recorded.map((candle) => [candle.start, candle]));
  const candles: Candles = { made, partly: new Map() };
  for (const gap of gaps.within(range.from, range.to)) {
    const prices = await gaps.prices(gap);
    if (prices !== null) await fill(series, venue, gap, prices, candles, range);
  }
  return [...made.values()].sort((a, b) => a.start - b.start);
}

interface Candles {
  readonly made: Map<number, Candle>;
  /** Generated candles so far, each complete up to `to`: the next gap may continue a candle without recorded parts. */
  readonly partly: Map<number, { readonly candle: Candle; readonly to: number }>;
}

/** Adds the candles that the venue generates for the gap. */
async function fill(
  { symbol, interval }: RecordedSeries,
  venue: Venue,
  gap: Gap,
  { before, after }: GapPrices,
  { made, partly }: Candles,
  range: CandleRange,
): Promise<void> {
  const step = INTERVAL_MS[interval];

  function imagine(from: number, to: number): readonly Candle[] {
    const left = before?.[symbol];
    const right = after[symbol];
    if (right === undefined) return [];
    return (
      venue.imaginePast?.({
        symbol,
        interval,
        from,
        to,
        before: left === undefined || gap.from === null ? null : { at: gap.from, price: left },
        after: { at: gap.to, price: right },
      }) ?? []
    );
  }

  /**
   * Adds generated prices of [from, to) to the recorded candle around them. A candle past its retention is not
   * brought back.
   */
  function addPart(start: number, from: number, to: number): void {
    const recorded = made.get(start);
    const [imagined] = imagine(from, to);
    if (imagined === undefined) return;
    const isLast = to === start + step;
    if (recorded !== undefined) {
      const { open } = from === start ? imagined : recorded;
      const { close } = isLast ? imagined : recorded;
      made.set(start, { start, open, ...extremes(recorded, imagined), close });
      return;
    }
    const earlier = partly.get(start);
    if (from !== start && earlier?.to !== from) return;
    const { open } = earlier?.candle ?? imagined;
    const candle = { start, open, ...extremes(earlier?.candle ?? imagined, imagined), close: imagined.close };
    partly.set(start, { candle, to });
    if (isLast) made.set(start, candle);
  }

  const keptFrom = gap.from === null ? 0 : Math.max(0, range.keptFrom);
  const from = Math.max(range.from, gap.from ?? range.pastFrom, intervalStart(interval, keptFrom));
  const to = Math.min(range.to, gap.to);
  if (from >= to) return;
  const first = intervalStart(interval, from);
  const last = intervalStart(interval, to);
  // Only two candles of a gap are partial: the one in which it begins and the one in which it ends.
  const whole = first === from ? first : first + step;
  if (whole !== first) addPart(first, from, Math.min(to, whole));
  for (let start = whole, end = whole; start < last; start = end) {
    if (start > whole) await othersHaveTheirTurn();
    end = Math.min(last, start - (start % SLICE_MS) + SLICE_MS);
    // The copy reads the highs and lows, which the venue may work out only then: here, a slice at a time.
    for (const candle of imagine(start, end))
      made.set(candle.start, range.onlyCloses ? candle : { ...candle });
  }
  if (last < to && last >= whole) addPart(last, last, to);
}

function extremes(a: Candle, b: Candle): Pick<Candle, 'high' | 'low'> {
  return { high: larger(a.high, b.high), low: smaller(a.low, b.low) };
}
