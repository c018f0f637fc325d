/** A gateway whose test moves time itself, with a shorter way to trade on it. */
import type { Settings } from '../../gateway/config.ts';
import { paper } from '../../gateway/venues/paper/connector.ts';
import type { PAPER_SETTINGS } from '../../gateway/venues/paper/paper-settings.ts';
import type { VenuePlug } from '../../gateway/venues/venue-plug.ts';
import { createFakeClock } from './fake-clock.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';
import type { Json } from './json.ts';
import { openForEachTest, openForSuite } from './open-for-tests.ts';
import type { Trader } from './trader.ts';

export interface TimedGateway extends TestGateway {
  /** Places an order and moves time until its execution has ended. */
  trade(bot: Trader, path: string, body: object): Promise<Json>;
}

/** The connector `paper` without `paper-cross`, for tests that trade on no other: its market need not run. */
export const paperAlone: VenuePlug<typeof PAPER_SETTINGS> = {
  ...paper,
  connectors: ['paper'],
  create: async (settings, host) =>
    (await paper.create(settings, host)).filter(({ info }) => info.id === 'paper'),
};

/**
 * @param settings with a `paperSpeed` there is one connector only: hours of the market cost half as much
 * @param startAt epoch ms
 */
export async function startTimedGateway(
  settings: Partial<Settings> = {},
  startAt?: number,
): Promise<TimedGateway> {
  const overrides = settings.paperSpeed === undefined ? {} : { venues: [paperAlone] };
  const gateway = await startTestGateway({ settings, overrides, clock: createFakeClock(startAt) });
  return Object.assign(gateway, {
    async trade(bot: Trader, path: string, body: object) {
      const placed = await bot.call('POST', path, body);
      if (placed.status !== 202) throw new Error(`${path}: ${placed.status} ${placed.text}`);
      return bot.ended(placed.json.execution.id);
    },
  });
}

/** One gateway for all tests of a suite. Call it in `describe`. */
export const timedGatewayForSuite = (settings?: Partial<Settings>): TimedGateway =>
  openForSuite(() => startTimedGateway(settings));

/** A new gateway for each test of a suite. Call it in `describe`. */
export const timedGatewayForEachTest = (settings?: Partial<Settings>): TimedGateway =>
  openForEachTest(() => startTimedGateway(settings));
