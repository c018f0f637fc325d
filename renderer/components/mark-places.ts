/**
 * Places of trades' arrows and amounts on a candle chart. Trades of one candle share an arrow. Where amounts of several
 * arrows would overlap, the outermost arrow shows their sum.
 */

/** A trade on the chart, shown by an arrow at its candle. */
export interface ChartMark {
  /** Epoch seconds. */
  readonly time: number;
  /** up: bought the basket, down: sold it. */
  readonly way: 'up' | 'down';
  readonly usd: number;
  /** Text of the amount. */
  readonly text: string;
}

/** Fields of a candle that arrows need: they are drawn below its low or above its high. */
interface MarkedCandle {
  readonly time: number;
  readonly low: number;
  readonly high: number;
}

export interface PlacedMark {
  /** Index of the candle. */
  readonly index: number;
  readonly way: ChartMark['way'];
  /** Text of the amount; empty: another arrow shows it. */
  readonly text: string;
}

/** Amounts closer to each other than this touch, or lie over an arrow. */
const TEXT_PX = 40;

export const usdText = (usd: number): string => `$${Math.round(usd).toLocaleString('en-US')}`;

interface Arrow {
  readonly index: number;
  readonly trades: readonly ChartMark[];
}

/**
 * @param candles oldest first; trades before the first one are not drawn
 * @param spacing from candle to candle, px
 * @param fits true: a text at a candle is whole; one that the edge cuts could be read as another amount
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

/** Arrows of one direction, oldest first. */
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

/** True: the arrow of `one` lies further out, so that a text beyond it covers no arrow of the group. */
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

/** Text of the group's amount: trades of one candle count as one trade; Σ marks a sum over several candles. */
function amountOf(group: readonly Arrow[]): string {
  const trades = group.flatMap((arrow) => arrow.trades);
  const [only] = trades;
  if (only !== undefined && trades.length === 1) return only.text;
  const usd = trades.reduce((sum, trade) => sum + trade.usd, 0);
  return group.length === 1 ? usdText(usd) : `Σ ${usdText(usd)}`;
}
