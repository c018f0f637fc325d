/**
 * Memory over a long life: baskets are opened and closed, and what is old leaves memory. With TANDEM_LONG=1 it is a hundred
 * thousand of them; otherwise a sample, whose growth is bounded by what a few thousand may leave behind.
 */
import { getHeapStatistics } from 'node:v8';
import { expect } from 'chai';
import { saveMemory } from '../../../gateway/system/heap.ts';
import { gatewayForSuite } from '../../support/gateway.ts';
import type { Json } from '../../support/json.ts';
import { type Trader, trader, usd } from '../../support/trader.ts';

const isLong = process.env['TANDEM_LONG'] === '1';
const BASKETS = Number(process.env['TANDEM_SOAK_BASKETS'] ?? (isLong ? 100_000 : 500));
/** Until caches are filled and code is compiled. */
const WARM_UP = isLong ? 3_000 : 300;
const AT_ONCE = isLong ? 16 : 4;
const MIB = 2 ** 20;
/** Bound for 100,000 baskets and for the sample, of which a megabyte is noise. */
const MOST_GROWTH_BYTES = isLong ? 10 * MIB : 3 * MIB;

describe('a gateway that lives long', function () {
  this.timeout(isLong ? 3 * 3_600_000 : 120_000);
  const gateway = gatewayForSuite({ clock: null });

  /** Each worker has instruments of its own, and closes what it has opened: one basket a call. */
  async function trade(bot: Trader, baskets: number): Promise<void> {
    const listed = (await bot.call('GET', '/instruments/lite?connector=paper&scope=tradable')).json
      .instruments;
    const symbols: string[] = listed.map(({ symbol }: Json) => symbol);
    let left = baskets;
    const worker = async (first: string, second: string) => {
      for (; left > 0; left -= 2) {
        const opened = await bot.open([usd(first, 'BUY', '50'), usd(second, 'SELL', '50')]);
        expect(opened.status, JSON.stringify(opened.error)).to.equal('COMPLETED');
        const closing = await bot.call('POST', `/positions/${opened.positionId}/close`, { type: 'MARKET' });
        expect(closing.status, closing.text).to.equal(202);
        expect((await bot.ended(closing.json.execution.id)).status).to.equal('COMPLETED');
      }
    };
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) => worker(symbols[2 * n] ?? '', symbols[2 * n + 1] ?? '')),
    );
  }

  /** Loads the modules for lists, which happens at the first reading of each. */
  async function readLists(bot: Trader): Promise<void> {
    for (const path of ['/positions', '/executions', '/fills', '/notifications', '/portfolio/analytics'])
      expect((await bot.call('GET', path)).status, path).to.equal(200);
  }

  async function heapBytes(): Promise<number> {
    await saveMemory();
    await saveMemory();
    return getHeapStatistics().used_heap_size;
  }

  it('keeps its heap as it was, however many baskets have come and gone', async () => {
    const bot = await trader(gateway);
    await trade(bot, WARM_UP);
    await readLists(bot);
    const before = await heapBytes();
    await trade(bot, BASKETS);
    const grown = (await heapBytes()) - before;
    if (isLong) console.log(`      ${BASKETS} baskets: ${(grown / MIB).toFixed(1)} MiB more heap`);
    expect(grown, `${BASKETS} baskets left ${grown} bytes`).to.be.below(MOST_GROWTH_BYTES);
  });
});
