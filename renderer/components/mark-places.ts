/**
 * Which arrows a candle chart draws for trades, and where their amounts are written: trades of one candle are one arrow,
 * and of arrows whose amounts would lie over each other one has the sum, beyond all of them.
 */

/** A trade on the chart: the candle that it falls into has the arrow. */
export interface ChartMark {
  /** Epoch seconds. */
  readonly time: number;
  /** up: bought the basket, down: sold it. */
  readonly way: 'up' | 'down';
  readonly usd: number;
  /** Its amount as it is written. */
  readonly text: string;
}

/** A candle as far as arrows go: theirs is below its low, or above its high. */
interface MarkedCandle {
  readonly time: number;
  readonly low: number;
  readonly high: number;
}

export interface PlacedMark {
  /** Of the candles. */
  readonly index: number;
  readonly way: ChartMark['way'];
  /** Empty: another arrow has the amount. */
  readonly text: string;
}

/** Amounts nearer to each other touch, or lie over an arrow. */
const TEXT_PX = 40;

export const usdText = (usd: number): string => `$${Math.round(usd).toLocaleString('en-US')}`;

interface Arrow {
  readonly index: number;
  readonly trades: readonly ChartMark[];
}

/**
 * @param candles oldest first; trades before the first one are not drawn
 * @param spacing from candle to candle, px
 * @param fits whether a text at a candle is whole: one that the edge cuts would be read as another amount
 * @returns by candle, oldest first
 */
export function markPlaces(
  marks: readonly ChartMark[],
  candles: readonly MarkedCandle[],
  spacing: number,
  fits: (index: number, text: string) => boolean = () => true,
): readonly PlacedMark[] {
  const places = (['up', 'down'] as const).flatMap((way) => {
    const groups: Arrow[][] = [];
    for (const arrow of arrowsOf(marks, candles, way)) {
      const group = groups.at(-1);
      const before = group?.at(-1);
      if (group !== undefined && before !== undefined && (arrow.index - before.index) * spacing < TEXT_PX)
        group.push(arrow);
      else groups.push([arrow]);
    }
    return groups.flatMap((group) => {
      const text = amountOf(group);
      const free = group.filter(({ index }) => fits(index, text));
      const outermost = free.reduce<Arrow | undefined>(
        (best, one) => (best === undefined || isBeyond(one, best, candles, way) ? one : best),
        undefined,
      );
      return group.map(({ index }) => ({ index, way, text: index === outermost?.index ? text : '' }));
    });
  });
  return places.sort((a, b) => a.index - b.index);
}

/** The arrows of one way, oldest first. */
function arrowsOf(
  marks: readonly ChartMark[],
  candles: readonly MarkedCandle[],
  way: ChartMark['way'],
): Arrow[] {
  const byCandle = new Map<number, ChartMark[]>();
  for (const mark of marks) {
    if (mark.way !== way) continue;
    const index = candles.findLastIndex(({ time }) => time <= mark.time);
    if (index >= 0) byCandle.set(index, [...(byCandle.get(index) ?? []), mark]);
  }
  return [...byCandle].map(([index, trades]) => ({ index, trades })).sort((a, b) => a.index - b.index);
}

/** Whether its arrow stands further from the candles, so that a text beyond it lies over no arrow of the group. */
function isBeyond(
  one: Arrow,
  other: Arrow,
  candles: readonly MarkedCandle[],
  way: ChartMark['way'],
): boolean {
  const [a, b] = [candles[one.index], candles[other.index]];
  if (a === undefined || b === undefined) return false;
  return way === 'up' ? a.low < b.low : a.high > b.high;
}

/** What a candle has is one trade to the eye; Σ says that an amount is that of other candles too. */
function amountOf(group: readonly Arrow[]): string {
  const trades = group.flatMap((arrow) => arrow.trades);
  const [only] = trades;
  if (only !== undefined && trades.length === 1) return only.text;
  const usd = trades.reduce((sum, trade) => sum + trade.usd, 0);
  return group.length === 1 ? usdText(usd) : `Σ ${usdText(usd)}`;
}
