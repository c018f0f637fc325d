/**
 * The process stands still (a laptop that sleeps, a machine under load) while an order is on its way, so that it arrives
 * after it has expired. That is no refusal: what closes is sent again at fresh prices, as after a crash.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { gatewayProcesses, type StartedGateway } from '../real-time/support/gateway-processes.ts';
import { until } from '../real-time/support/until.ts';
import type { Json } from '../support/json.ts';
import { type SimInspector, type SimProcess, startSim } from '../support/sim-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Trader, trader, usd } from '../support/trader.ts';

/** An order expires five seconds after it was sent. */
const FROZEN_MS = 7_000;
/** From the acknowledgement until the order has left. */
const SENT_AFTER_MS = 120;
const PATIENCE_MS = 45_000;
/** Between two closes that one standstill meets at different moments of their orders. */
const CLOSES_APART_MS = 20;
/** No instrument twice: no basket waits for another one's order. */
const APART = [
  ['BTC', 'ETH'],
  ['SOL', 'XRP'],
  ['BNB', 'AVAX'],
  ['LINK', 'DOGE'],
] as const;

const SMALL_PAIR = [usd('BTC', 'BUY', '100'), usd('ETH', 'SELL', '100')];

async function freeze(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  await sleep(FROZEN_MS);
  process.kill(pid, 'SIGCONT');
}

describe('a process that stands still while something closes', function () {
  this.timeout(120_000);
  const processes = gatewayProcesses();
  let gateway: StartedGateway;
  let sim: SimProcess | null = null;
  let inspector: SimInspector | null = null;
  let bot: Trader;
  afterEach(async () => {
    inspector?.close();
    await processes.killAll();
    await sim?.stop('SIGKILL');
    [inspector, sim] = [null, null];
  });

  /** A slow venue, 0.3 to 1.5 s to a fill: the moment in which an order is on its way is wide. */
  async function start(venue: 'inside' | 'outside'): Promise<void> {
    if (venue === 'outside') {
      sim = await startSim({ dataDir: await temporaryFolder(), profile: 'brutal', seed: 7 });
      inspector = await sim.inspect();
    }
    gateway = await processes.start({
      dataDir: await temporaryFolder(),
      profile: 'brutal',
      ...(sim === null ? {} : { simPort: sim.port }),
    });
    bot = await trader(gateway);
  }

  const post = async (path: string, body: object): Promise<Json> => {
    const answer = await bot.call('POST', path, body);
    expect(answer.status, answer.text).to.equal(202);
    return answer.json;
  };
  const closed = (id: string) =>
    until(
      `position ${id} is closed`,
      async () => {
        const { json } = await bot.call('GET', `/positions/${id}`);
        return json.status === 'CLOSED' && json;
      },
      PATIENCE_MS,
    );
  const protectedUntilClosed = (id: string) =>
    until(
      `position ${id} is closed`,
      async () => {
        const { json } = await bot.call('GET', `/positions/${id}`);
        const isSafe = json.status === 'CLOSED' || json.stopLoss !== null;
        expect(isSafe, 'open without its stop-loss').to.equal(true);
        return json.status === 'CLOSED';
      },
      PATIENCE_MS,
    );
  const nothingLeft = async () => {
    const { json } = await bot.call('POST', '/sync');
    expect(json).to.include({ venuePositions: 0, baskets: 0 });
  };

  it('the gateway, at four moments of a close at once: 120 to 180 ms into it', async () => {
    await start('inside');
    const ids: string[] = [];
    for (const [long, short] of APART) {
      const { positionId } = await bot.open([usd(long, 'BUY', '100'), usd(short, 'SELL', '100')]);
      ids.push(positionId);
    }
    const closes = ids.map(async (id, index) => {
      await sleep(index * CLOSES_APART_MS);
      await post(`/positions/${id}/close`, { type: 'MARKET' });
    });
    await Promise.all(closes);
    await sleep(SENT_AFTER_MS);
    await freeze(gateway.process.pid);
    for (const id of ids) await closed(id);
    await nothingLeft();
  });

  it('the gateway, as a stop-loss fires: the position is closed, and protected until then', async () => {
    await start('outside');
    const stopLoss = { type: 'PERCENTAGE', value: '5' };
    const { positionId } = await bot.open([usd('SOL', 'BUY', '100')], { stopLoss });
    await inspector?.shock('SOL-PERP', 0.9);
    await until(
      'it fires',
      async () => (await bot.call('GET', '/triggers?status=TRIGGERED')).json.triggers[0],
    );
    await sleep(SENT_AFTER_MS);
    await freeze(gateway.process.pid);
    await protectedUntilClosed(positionId);
    await nothingLeft();
  });

  it('the venue, during a close @long', async () => {
    await start('outside');
    const { positionId } = await bot.open(SMALL_PAIR);
    process.kill(sim?.pid ?? 0, 'SIGSTOP');
    await post(`/positions/${positionId}/close`, { type: 'MARKET' });
    await freeze(sim?.pid ?? 0);
    await closed(positionId);
    await nothingLeft();
  });

  it('the venue, as a stop-loss fires: the position is closed, and protected until then @long', async () => {
    await start('outside');
    const stopLoss = { type: 'PERCENTAGE', value: '5' };
    const { positionId } = await bot.open([usd('SOL', 'BUY', '100')], { stopLoss });
    await inspector?.shock('SOL-PERP', 0.9);
    // The price was told; what the stop sends is read when it is awake again.
    await freeze(sim?.pid ?? 0);
    await protectedUntilClosed(positionId);
    await nothingLeft();
  });

  it('the gateway, as panic closes two baskets @long', async () => {
    await start('inside');
    await bot.open(SMALL_PAIR);
    await bot.open([usd('SOL', 'SELL', '100'), usd('XRP', 'BUY', '100')]);
    await post('/safety/panic', { confirm: 'CLOSE ALL' });
    await sleep(SENT_AFTER_MS);
    await freeze(gateway.process.pid);
    await until('flat', async () => (await bot.positions()).length === 0, PATIENCE_MS);
    await nothingLeft();
  });

  it('the venue, during an unwind: what could not be kept whole does not stay half open @long', async () => {
    await start('outside');
    await inspector?.setFaults({
      rules: [
        { match: { order: 2 }, action: { kind: 'reject', reason: 'other', message: 'not now' } },
        { match: { order: 3 }, action: { kind: 'delay', delayMs: 300 } },
      ],
    });
    const answer = await post('/trade/open', { type: 'MARKET', legs: SMALL_PAIR, onLegFailure: 'UNWIND' });
    await bot.ended(answer.execution.id);
    await freeze(sim?.pid ?? 0);
    await until('nothing is open', async () => (await bot.positions()).length === 0, PATIENCE_MS);
    await nothingLeft();
  });
});
