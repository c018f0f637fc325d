/** Traffic to Hyperliquid under its limits: waiting closes, times without any, and the cost of a first order. */
import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import type { PlaceOrder } from '../../../../../gateway/engine/ports/venue.ts';
import { type Client, createClient } from '../../../../../gateway/venues/live/hyperliquid/client.ts';
import { listingOf } from '../../../../../gateway/venues/live/hyperliquid/listing.ts';
import { createSessions } from '../../../../../gateway/venues/live/hyperliquid/sessions.ts';
import { Trading } from '../../../../../gateway/venues/live/hyperliquid/trading.ts';
import { exchangeStatus } from '../../../../../gateway/venues/live/hyperliquid/wire.ts';
import { createFakeClock, type FakeClock } from '../../../../support/fake-clock.ts';
import {
  createLiveHarness,
  type LiveHarness,
  type LiveHarnessOptions,
} from '../../../../support/live-harness.ts';
import { forAllAsync, propertyRuns } from '../../../../support/property-runs.ts';
import { silentLogger } from '../../../../support/silent-logger.ts';
import { untilSettled } from '../../../../support/until.ts';
import { answerWeight, exchangeWeight, infoWeight } from '../../../../support/venues/hyperliquid/weights.ts';

const STATUS = { type: 'exchangeStatus' };
/** Half of it can be taken at once. All of it comes back within a minute. */
const WEIGHT_PER_MINUTE = 120;
/** By the venue's documentation. */
const ALLOWED = 1_200;

describe('Hyperliquid: its limits', () => {
  let harness: LiveHarness;
  let clock: FakeClock;
  let client: Client;

  async function rig(
    server: LiveHarnessOptions = {},
    weightPerMinute: number = WEIGHT_PER_MINUTE,
  ): Promise<void> {
    harness = await createLiveHarness({ answer: () => ({ body: { time: 1 } }), ...server });
    clock = createFakeClock();
    client = createClient({
      ...{ origin: harness.origin, clock, logger: silentLogger, weightPerMinute },
      ...(harness.ca === undefined ? {} : { ca: harness.ca }),
    });
  }
  afterEach(async () => {
    client.close();
    await harness.stop();
  });

  const post = (until: number, lane: 'close' | 'open' = 'close') =>
    client.exchange(lane, { legs: 1, user: null }, until, async () => '{"action":1}');
  /** Takes all that can be taken at once. */
  async function empty(): Promise<void> {
    await client.budget.take('close', { ip: WEIGHT_PER_MINUTE / 2 }, clock.now());
  }

  it('a close that finds the bucket empty waits, and leaves when there is room', async () => {
    await rig();
    await empty();
    const answer = post(clock.now() + 4_000);
    await clock.advance(999);
    expect(harness.requests).to.have.length(0);
    await clock.advance(1);
    expect((await answer).kind).to.equal('answer');
    expect(harness.requests).to.have.length(1);
  });

  it('it waits no longer than it may, and was not sent then', async () => {
    await rig();
    await empty();
    // 41 orders weigh 2, for which there is room in two seconds.
    const until = clock.now() + 1_500;
    const answer = await client.exchange(
      'close',
      { legs: 41, user: null },
      until,
      async () => '{"action":1}',
    );
    expect(answer).to.include({ kind: 'not_sent', retryAt: clock.now() + 2_000 });
    expect(harness.requests).to.have.length(0);
  });

  it('a request that waited so long is signed only when it leaves', async () => {
    await rig();
    await empty();
    let signedAt = 0;
    const asked = clock.now();
    const answer = client.exchange('close', { legs: 1, user: null }, asked + 4_000, async () => {
      signedAt = clock.now();
      return '{}';
    });
    await clock.advance(1_000);
    await answer;
    expect(signedAt).to.equal(asked + 1_000);
  });

  it('after "too many requests" nothing leaves for a second; then what closes goes, and the rest waits for what comes back', async () => {
    await rig({ answer: () => ({ status: 429, body: 'null' }) });
    expect(await post(clock.now() + 3_000)).to.include({ kind: 'not_sent' });
    expect(harness.requests).to.have.length(1);
    expect(client.opensAgainAt()).to.equal(clock.now() + 18_000);
    for (const lane of ['close', 'open'] as const)
      expect(await post(clock.now() + 900, lane)).to.include({ kind: 'not_sent' });
    // Nothing is left: what openings leave to others takes longer to come back than they wait.
    expect(await post(clock.now() + 4_000, 'open')).to.include({ kind: 'not_sent' });
    const question = client.info('lookup', STATUS, exchangeStatus);
    expect(harness.requests).to.have.length(1);
    const closing = post(clock.now() + 4_000, 'close');
    await clock.advance(1_000);
    expect(await closing).to.include({ kind: 'not_sent' });
    expect(harness.requests).to.have.length(2);
    await clock.advance(7_000);
    expect(await question).to.have.nested.property('error.kind', 'throttled');
    expect(harness.requests).to.have.length(2);
  });

  it('whatever is read in whatever order, opening orders leave at once, and no minute weighs more than the venue allows', async () => {
    const types = ['clearinghouseState', 'userRole', 'userFees', 'historicalOrders', 'userFillsByTime'];
    const lanes = ['lookup', 'recovery', 'history', 'market'] as const;
    const reading = fc.oneof(
      fc.record({
        ...{ type: fc.constantFrom(...types), lane: fc.constantFrom(...lanes) },
        rows: fc.integer({ min: 0, max: 2_000 }),
      }),
      fc.constant({ type: 'clearinghouseState', lane: 'state' as const, rows: 0 }),
    );
    const turn = fc.record({
      readings: fc.array(reading, { maxLength: 6 }),
      laterMs: fc.integer({ min: 500, max: 5_000 }),
    });
    await forAllAsync(
      [fc.array(turn, { minLength: 5, maxLength: 15 })],
      propertyRuns(60, 8),
      async (turns) => {
        const weighed: { readonly at: number; readonly weight: number }[] = [];
        await rig(
          {
            answer: ({ path, body }) => {
              const { type, rows } = JSON.parse(body);
              if (path === '/exchange') weighed.push({ at: clock.now(), weight: exchangeWeight(1) });
              if (path === '/exchange') return { body: {} };
              const answer = Array.from({ length: rows ?? 0 }, () => 0);
              weighed.push({ at: clock.now(), weight: infoWeight(type) + answerWeight(type, answer) });
              return { body: answer };
            },
          },
          ALLOWED,
        );
        for (const { readings, laterMs } of turns) {
          for (const { lane, ...question } of readings) void client.info(lane, question, z.unknown());
          const before = clock.now();
          expect(await post(before, 'open')).to.include({ kind: 'answer' });
          expect(clock.now()).to.equal(before);
          await clock.advance(laterMs);
        }
        for (const { at: from } of weighed) {
          const minute = weighed.filter(({ at }) => at >= from && at < from + 60_000);
          expect(minute.reduce((sum, { weight }) => sum + weight, 0)).to.be.at.most(ALLOWED);
        }
        client.close();
        await harness.stop();
      },
    );
    await rig();
  });

  for (const type of ['userFills', 'userFillsByTime', 'historicalOrders', 'userFunding']) {
    it(`${type}: an answer weighs one more for each twenty rows`, async () => {
      const rows = 410;
      await rig({ answer: () => ({ body: Array.from({ length: rows }, () => 0) }) }, ALLOWED);
      const before = client.budget.level('ip') ?? 0;
      expect(await client.info('history', { type }, z.unknown())).to.have.property('ok', true);
      expect(before - (client.budget.level('ip') ?? 0)).to.equal(20 + Math.ceil(rows / 20));
    });
  }

  it('while little is left, one history at a time is read at once and pays for its rows afterwards', async () => {
    const rows = 400;
    await rig({ answer: () => ({ body: Array.from({ length: rows }, () => 0) }) }, ALLOWED);
    const left = async (level: number) => {
      await client.budget.take('close', { ip: (client.budget.level('ip') ?? 0) - level }, clock.now());
      expect(client.budget.level('ip')).to.equal(level);
    };
    const missed = () => client.info('recovery', { type: 'userFillsByTime' }, z.unknown());
    await left(220);
    const first = missed();
    const second = missed();
    const other = client.info('recovery', { type: 'openOrders' }, z.unknown());
    expect(await first).to.have.property('ok', true);
    expect(await other).to.have.property('ok', true);
    // 168 are for orders, balances and positions; the level is 160 now, and 188 again after 2.8 seconds.
    expect(client.budget.level('ip')).to.equal(220 - 20 - rows / 20 - 20);
    await clock.advance(2_700);
    expect(harness.requests).to.have.length(2);
    await clock.advance(200);
    expect(await second).to.have.property('ok', true);
  });

  it('what ends unknown orders is read for every account that asks, however little is left', async () => {
    await rig({ answer: () => ({ body: Array.from({ length: 200 }, () => 0) }) }, ALLOWED);
    await client.budget.take('close', { ip: 430 }, clock.now());
    const refused: string[] = [];
    const ended: number[] = [];
    async function evidence(account: number): Promise<void> {
      for (const type of ['openOrders', 'userFillsByTime'])
        if (!(await client.info('recovery', { type }, z.unknown())).ok) refused.push(`${account} ${type}`);
      ended.push(account);
    }
    const accounts = [1, 2, 3, 4, 5];
    for (const account of accounts) void evidence(account);
    // Balances and positions of all of them are read meanwhile, as every plan of an order has them read.
    for (let second = 0; second < 60; second += 1) {
      for (const _ of [1, 2]) void client.info('state', { type: 'clearinghouseState' }, z.unknown());
      await clock.advance(1_000);
    }
    expect(refused).to.deep.equal([]);
    expect(ended.sort()).to.deep.equal(accounts);
  });

  it('what orders do not use of a minute is for readings', async () => {
    await rig({ answer: () => ({ body: [] }) }, ALLOWED);
    let read = 0;
    const ends = clock.now() + 60_000;
    while (clock.now() < ends) {
      const asked = client.info('recovery', { type: 'openOrders' }, z.unknown()).then(() => {
        read += 1;
      });
      await Promise.race([asked, clock.advance(2_000)]);
    }
    // All but what can be taken at once and is left to orders, balances and positions.
    expect(read).to.be.at.least(Math.floor((ALLOWED - 168) / 20) - 1);
    expect(await post(clock.now(), 'open')).to.include({ kind: 'answer' });
  });

  it('after "too many requests", what became of orders is read before weight is saved for openings', async () => {
    let isFirst = true;
    await rig(
      {
        answer: () => {
          const status = isFirst ? 429 : 200;
          isFirst = false;
          return { status, body: [] };
        },
      },
      ALLOWED,
    );
    await client.info('recovery', { type: 'openOrders' }, z.unknown());
    let read = 0;
    for (const _ of [1, 2, 3])
      void client.info('recovery', { type: 'openOrders' }, z.unknown()).then(({ ok }) => {
        read += ok ? 1 : 0;
      });
    // 60 are for closes. From then on one in two seconds.
    await clock.advance(12_100);
    await untilSettled('all were read', () => read === 3);
    await clock.advance(18_000);
    expect(client.opensAgainAt()).to.equal(null);
    for (let nth = 0; nth < 20; nth += 1) void client.info('recovery', { type: 'openOrders' }, z.unknown());
    expect(await post(clock.now(), 'open')).to.include({ kind: 'answer' });
  });

  it('a history that was paid for does not wait for the names of its orders behind other histories', async () => {
    await rig({ answer: () => ({ body: { status: 'unknownOid' } }) }, ALLOWED);
    await client.budget.take('close', { ip: 420 }, clock.now());
    for (const _ of [1, 2, 3]) void client.info('recovery', { type: 'openOrders' }, z.unknown());
    const sessions = createSessions({ client, clock } as never);
    const session = { user: '0x1', clientIdOf: () => undefined, learn: () => {} } as never;
    const fills = [{ oid: '1' }, { oid: '2' }] as never;
    let names: ReadonlyMap<string, string | null> | null = null;
    void sessions.clientIds(session, fills).then((told) => {
      names = told;
    });
    await untilSettled('it has them', () => names !== null);
    expect(names).to.deep.equal(
      new Map([
        ['1', null],
        ['2', null],
      ]),
    );
  });

  it('with enough left, histories are read at once, side by side', async () => {
    await rig({ answer: () => ({ body: [] }) }, ALLOWED);
    const asked = [0, 1, 2].map(() => client.info('recovery', { type: 'userFillsByTime' }, z.unknown()));
    for (const one of asked) expect(await one).to.have.property('ok', true);
    expect(client.budget.level('ip')).to.equal(600 - 3 * 20);
  });

  it('orders wait until a second before they expire, and those that close come first', async () => {
    await rig();
    const asked: { lane: string; until: number }[] = [];
    const trading = new Trading({
      client: {
        ...client,
        exchange: async (lane, _, until) => {
          asked.push({ lane, until });
          return { kind: 'not_sent', message: 'no room', retryAt: until };
        },
      },
      clock,
      venueClock: { toVenue: (at: number) => at } as never,
      network: 'mainnet',
      listing: () => LISTING,
      onAuth: () => {},
      onPostOnly: () => {},
    });
    const session = {
      expects: () => false,
      expect: () => {},
      whileSending: (work: () => Promise<unknown>) => work(),
    } as never;
    const expiresAt = clock.now() + 5_000;
    const order: PlaceOrder = {
      ...{ clientOrderId: `0x${'1'.repeat(32)}`, symbol: 'BTC-PERP', side: 'SELL', quantity: '0.01' },
      ...{ limitPrice: '99000', timeInForce: 'IOC', expiresAt, reduceOnly: true },
    } as PlaceOrder;
    const [outcome] = await trading.place(session, [order]);
    expect(outcome).to.include({ kind: 'not_sent', retryAt: expiresAt - 1_000 });
    await trading.place(session, [
      order,
      { ...order, clientOrderId: `0x${'2'.repeat(32)}`, reduceOnly: false },
    ]);
    expect(asked).to.deep.equal([
      { lane: 'close', until: expiresAt - 1_000 },
      { lane: 'open', until: expiresAt - 1_000 },
    ]);
  });

  it('the first order after ten idle minutes pays no handshake', async () => {
    await rig({ tls: true });
    client.channel.start();
    await untilSettled('the connection stands', () => harness.requests.length === 1);
    for (let warmed = 2; warmed <= 41; warmed += 1) {
      await untilSettled('it waits', () => clock.untilNext() === 15_000);
      await clock.advance(15_000);
      await untilSettled('it is kept warm', () => harness.requests.length === warmed);
    }
    await untilSettled('it waits', () => clock.untilNext() === 15_000);
    const before = harness.requests.length;
    expect((await post(clock.now() + 4_000)).kind).to.equal('answer');
    expect(harness.requests).to.have.length(before + 1);
    expect(harness.handshakes).to.equal(1);
  });
});

const LISTING = listingOf('hyperliquid', {
  universe: [{ name: 'BTC', szDecimals: 5, maxLeverage: 40, marginTableId: null }],
});
