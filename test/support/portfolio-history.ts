/** An account with days of trading behind it, written into the store: some days win, some lose. */
import { deriveBasketKey } from '../../gateway/contract/basket-key.ts';
import type { SeededGateway } from './seeded-gateway.ts';
import { fill, nextId, position } from './store-records.ts';
import type { Trader } from './trader.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const INSTRUMENTS = ['ETH-PERP', 'BTC-PERP', 'BTC-PERP'] as const;

/** Until yesterday: a fill a day, and a closed BTC / ETH basket every second one. */
export async function seedDays(gateway: SeededGateway, bot: Trader, days: number): Promise<void> {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const first = today - days * DAY_MS;
  const gain = (day: number) => (Math.sin(day * 1.7) * 180 + Math.cos(day / 9) * 120 + 25).toFixed(2);
  const { legs } = position();
  await gateway.seed({
    fills: Array.from({ length: days }, (_, day) =>
      fill({
        id: nextId(),
        tradeAccountId: bot.accountId,
        executionId: 'execution',
        symbol: INSTRUMENTS[day % INSTRUMENTS.length] ?? 'BTC-PERP',
        timestamp: first + day * DAY_MS + HOUR_MS,
        realizedPnl: gain(day),
        fee: '1.25',
      }),
    ),
    positions: Array.from({ length: Math.floor(days / 2) }, (_, number) => {
      const closedAt = first + number * 2 * DAY_MS + HOUR_MS;
      return position({
        id: nextId(),
        tradeAccountId: bot.accountId,
        basketKey: deriveBasketKey(['BTC-PERP'], ['ETH-PERP']),
        status: 'CLOSED',
        legs: legs.map((leg) => ({ ...leg, realizedPnl: gain(number * 2), fundingPaid: '0' })),
        createdAt: closedAt - 2 * HOUR_MS,
        updatedAt: closedAt,
        closedAt,
      });
    }),
  });
}
