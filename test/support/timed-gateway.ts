/** A gateway whose test moves time itself, with a shorter way to trade on it. */
import type { Settings } from '../../gateway/config.ts';
import { createFakeClock } from './fake-clock.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';
import type { Json } from './json.ts';
import { openForEachTest, openForSuite } from './open-for-tests.ts';
import type { Trader } from './trader.ts';

export interface TimedGateway extends TestGateway {
  /** Places an order and moves time until its execution has ended. */
  trade(bot: Trader, path: string, body: object): Promise<Json>;
}

/** @param startAt epoch ms */
export async function startTimedGateway(
  settings: Partial<Settings> = {},
  startAt?: number,
  hasCross = false,
): Promise<TimedGateway> {
  const gateway = await startTestGateway({ settings, hasCross, clock: createFakeClock(startAt) });
  return Object.assign(gateway, {
    async trade(bot: Trader, path: string, body: object) {
      const placed = await bot.call('POST', path, body);
      if (placed.status !== 202) throw new Error(`${path}: ${placed.status} ${placed.text}`);
      return bot.ended(placed.json.execution.id);
    },
  });
}

/** One gateway for all tests of a suite. Call it in `describe`. */
export const timedGatewayForSuite = (settings?: Partial<Settings>, hasCross = false): TimedGateway =>
  openForSuite(() => startTimedGateway(settings, undefined, hasCross));

/** A new gateway for each test of a suite. Call it in `describe`. */
export const timedGatewayForEachTest = (settings?: Partial<Settings>): TimedGateway =>
  openForEachTest(() => startTimedGateway(settings));
