/** After a test moved the clock on, every price is too old to trade at until the venue's next ones come. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from './json.ts';
import { type Trader, usd } from './trader.ts';

/** Waits until the account can be traded at current prices of these tickers, as a dry run says. */
export async function currentPrices(bot: Trader, tickers: readonly string[]): Promise<void> {
  const legs = tickers.map((ticker) => usd(ticker, 'BUY', '100'));
  const deadline = Date.now() + 10_000;
  for (;;) {
    const { status, json, text } = await bot.call('POST', '/trade/open', {
      type: 'MARKET',
      legs,
      dryRun: true,
    });
    if (status !== 200) throw new Error(`dry run: ${status} ${text}`);
    if (!json.plan.problems.some(({ code }: Json) => code === 'PRICE_STALE')) return;
    if (Date.now() > deadline) throw new Error(`no current prices: ${text}`);
    await sleep(20);
  }
}
