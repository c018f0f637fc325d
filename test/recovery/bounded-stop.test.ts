/**
 * A stop that has more to do than time: thousands of positions whose funding comes faster than it can be written down, and a
 * process that is held up. It ends within ten seconds, and the next start has all that was told.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { gatewayProcesses } from '../real-time/support/gateway-processes.ts';
import type { GatewayEnd, GatewayProcess } from '../support/gateway-process.ts';
import type { Json } from '../support/json.ts';
import { IS_LONG } from '../support/long-run.ts';
import { readPages } from '../support/seeded-gateway.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Trader, trader, traderOn, usd } from '../support/trader.ts';

/** Longest time of a stop, promised in all cases. */
const STOP_LIMIT_MS = 10_000;
const POSITIONS = IS_LONG ? 2_400 : 160;
const AT_ONCE = 16;
const SPEED = '3000';

describe('a stop under load', function () {
  this.timeout(180_000);
  const { launch, start, killAll } = gatewayProcesses();
  afterEach(killAll);

  /** null: it did not end within the limit. */
  function stopped(process: GatewayProcess): Promise<GatewayEnd | null> {
    return Promise.race([process.stop('SIGTERM'), sleep(STOP_LIMIT_MS, null, { ref: false })]);
  }

  async function openBaskets(bot: Trader, wanted: number): Promise<void> {
    const markets = await bot.call('GET', '/markets?connector=paper');
    const symbols: string[] = markets.json.markets
      .map(({ id }: Json) => String(id).replace('-PERP', ''))
      .slice(0, 40);
    const pairs = symbols.flatMap((long) =>
      symbols.filter((short) => short !== long).map((short) => [long, short] as const),
    );
    const waiting = pairs.slice(0, wanted);
    const worker = async () => {
      for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop())
        await bot.open([usd(pair[0], 'BUY', '20'), usd(pair[1], 'SELL', '20')]);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  async function openPositions(bot: Trader): Promise<readonly string[]> {
    const pages = await readPages(bot, '/positions?status=OPEN&limit=200', 'positions');
    return pages
      .flat()
      .map(({ id }) => String(id))
      .sort();
  }

  it('ends within ten seconds at 3,000 times the speed, and nothing is lost @long', async () => {
    const dataDir = await temporaryFolder();
    const first = await start({ dataDir });
    const bot = await trader(first);
    await openBaskets(bot, POSITIONS);
    const opened = await openPositions(bot);
    expect(opened.length).to.be.above(POSITIONS / 2);
    expect(await stopped(first.process)).to.deep.equal({ code: 0, signal: null });

    const fast = await start({ dataDir, flags: ['--paper-speed', SPEED] });
    await sleep(6_000);
    expect(await stopped(fast.process)).to.deep.equal({ code: 0, signal: null });

    const again = await start({ dataDir });
    const back = traderOn(again, bot);
    expect(await openPositions(back)).to.deep.equal(opened);
    // Baskets and venue agree.
    for (let ready = 0; ready !== 200; ) {
      ready = (await again.request('GET', '/ready')).status;
      if (ready !== 200) await sleep(200);
    }
    expect(await stopped(again.process)).to.deep.equal({ code: 0, signal: null });
  });

  it('ends while it is still starting', async () => {
    const process = launch({ dataDir: await temporaryFolder() });
    await sleep(150);
    expect(await stopped(process)).not.to.equal(null);
  });
});
