/** Fills of a position as arrows on its chart. */
import type { Row } from '../../../gateway/client/client.ts';
import { type ChartMark, usdText } from '../../components/mark-places.ts';

export interface HeldLegs {
  readonly id: string;
  readonly legs: readonly { readonly symbol: string; readonly side: 'BUY' | 'SELL' }[];
}

/** Fills of one execution are one mark: its legs fill within moments. */
export function marksOf(
  fills: readonly Pick<
    Row<'GET /fills'>,
    'executionId' | 'symbol' | 'side' | 'notional' | 'timestamp' | 'id'
  >[],
  legs: HeldLegs['legs'],
): readonly ChartMark[] {
  const sides = new Map(legs.map(({ symbol, side }) => [symbol, side]));
  const together = new Map<string, { time: number; bought: number; usd: number }>();
  for (const { executionId, id, symbol, side, notional, timestamp } of fills) {
    const key = executionId ?? id;
    const mark = together.get(key) ?? { time: Math.floor(Date.parse(timestamp) / 1_000), bought: 0, usd: 0 };
    mark.bought += sides.get(symbol) === side ? Number(notional) : -Number(notional);
    mark.usd += Number(notional);
    together.set(key, mark);
  }
  return [...together.values()]
    .sort((a, b) => a.time - b.time)
    .map(({ time, bought, usd }) => ({
      time,
      way: bought >= 0 ? 'up' : 'down',
      usd,
      text: usdText(usd),
    }));
}
