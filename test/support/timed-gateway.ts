/** A gateway on a clock that stands still: markets, funding and timers move only when a test says so. */
import type { Settings } from '../../gateway/config.ts';
import { paper } from '../../gateway/venues/paper/connector.ts';
import type { PAPER_SETTINGS } from '../../gateway/venues/paper/paper-settings.ts';
import type { VenuePlug } from '../../gateway/venues/venue-plug.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';
import type { Json } from './json.ts';
import type { Trader } from './trader.ts';

export interface TimedGateway extends TestGateway {
  readonly clock: FakeClock;
  /** Places an order and moves time until its execution has ended. */
  trade(bot: Trader, path: string, body: object): Promise<Json>;
}

/** Longest simulated time until an execution has ended. */
const PATIENCE_MS = 60_000;
const STEP_MS = 50;

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
  const isFast = settings.paperSpeed !== undefined;
  const clock = createFakeClock(startAt, isFast ? 2 : 0);
  const overrides = isFast ? { clock, venues: [paperAlone] } : { clock };
  const gateway = await startTestGateway({ settings, overrides });
  return {
    ...gateway,
    clock,
    async trade(bot, path, body) {
      const placed = await bot.call('POST', path, body);
      if (placed.status !== 202) throw new Error(`${path}: ${placed.status} ${placed.text}`);
      for (let waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
        const { execution } = (await bot.call('GET', `/executions/${placed.json.execution.id}`)).json;
        if (execution.finishedAt !== null) return execution;
        await clock.advance(STEP_MS);
      }
      throw new Error(`${path}: the execution did not end`);
    },
    close: () => closeOn(clock, gateway),
  };
}

/** The gateway drains and sleeps while it stops: time has to go on until it has. */
export async function closeOn(clock: FakeClock, gateway: TestGateway): Promise<void> {
  let closed = false;
  const closing = gateway.close().finally(() => {
    closed = true;
  });
  while (!closed) await clock.advance(STEP_MS);
  await closing;
}
