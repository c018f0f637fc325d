/** Recorded funding rates, and the route about a basket that uses them, recomputed with own arithmetic. */

import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { getBasketFunding } from '../../../gateway/contract/basket-funding.ts';
import type { FundingRate } from '../../../gateway/domain/model.ts';
import { fail } from '../../../gateway/domain/result.ts';
import type { Store } from '../../../gateway/engine/ports/store.ts';
import type { StoreError } from '../../../gateway/engine/ports/unit-of-work.ts';
import { basketFundingRoutes } from '../../../gateway/http/routes/basket-funding.ts';
import { type FundingRecorder, startFundingRecorder } from '../../../gateway/market/funding-recorder.ts';
import { createMarket, type Market } from '../../../gateway/market/market.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import {
  createMarketVenue,
  type MarketVenue,
  perp,
  silentLogger,
  venuesOf,
} from '../../support/market-venue.ts';
import { temporaryFolder, testStore } from '../../support/store-records.ts';

const HOUR_MS = 3_600_000;
/** A midnight of UTC: a multiple of every interval. */
const START = Date.UTC(2026, 0, 5);

/** Tenths of a millionth an hour; of the third instrument for eight hours. */
const RATES: Readonly<Record<string, (hour: number) => number>> = {
  'BTC-PERP': (hour) => ((hour * 7) % 23) - 6,
  'ETH-PERP': (hour) => ((hour * 5) % 31) - 11,
  'TEN-PERP': (hour) => ((hour * 3) % 17) + 40,
};
const INTERVALS: Readonly<Record<string, number>> = { 'BTC-PERP': 1, 'ETH-PERP': 1, 'TEN-PERP': 8 };

describe('recorded funding rates', () => {
  let clock: FakeClock;
  let venue: MarketVenue;
  let market: Market;
  let store: Store;
  let recorder: FundingRecorder;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeEach(async () => {
    clock = createFakeClock(START - 60_000);
    folder = await temporaryFolder();
    store = await testStore(join(folder.path, 'tandem.db'));
    venue = createMarketVenue({
      id: 'paper',
      clock,
      instruments: ['BTC', 'ETH', 'TEN'].map((one) =>
        perp('paper', one, { fundingIntervalHours: INTERVALS[`${one}-PERP`] ?? 1 }),
      ),
    });
    market = createMarket({ venues: venuesOf(venue), clock, logger: silentLogger });
    market.start();
    recorder = await startFundingRecorder({ market, store, clock, logger: silentLogger });
  });
  afterEach(async () => {
    await recorder.close();
    market.close();
    await store.close();
    await folder.remove();
  });

  /** The rate that is settled at the hour `hour` hours after the start. */
  const rateText = (id: string, hour: number) => ((RATES[id]?.(hour) ?? 0) / 1e7).toFixed(7);

  /** The venue tells of each instrument what it pays next. */
  function tell(ids: readonly string[] = Object.keys(RATES)): void {
    const now = (clock.now() - START) / HOUR_MS;
    const funding = ids.map((id): FundingRate => {
      const hours = INTERVALS[id] ?? 1;
      const next = (Math.floor(now / hours) + 1) * hours;
      return {
        id,
        symbol: id.slice(0, 3),
        rate: rateText(id, next),
        intervalHours: hours,
        nextFundingTime: START + next * HOUR_MS,
      };
    });
    venue.send({ quotes: [], funding });
  }

  /** The venue tells shortly before and after each of the next full hours. */
  async function live(hours: number, ids?: readonly string[]): Promise<void> {
    for (let hour = 0; hour < hours; hour += 1) {
      await clock.advance(untilHour() - 60_000);
      tell(ids);
      await clock.advance(61_000);
      tell(ids);
      await clock.advance(6_000);
      tell(ids);
    }
  }
  const untilHour = () => HOUR_MS - (clock.now() % HOUR_MS);

  async function restart(off: number, from: Pick<Store, 'commit'> = store): Promise<void> {
    await recorder.close();
    await clock.advance(off * HOUR_MS);
    recorder = await startFundingRecorder({ market, store: over(from), clock, logger: silentLogger });
  }
  const over = ({ commit }: Pick<Store, 'commit'>) => ({
    commit,
    setting: (key: string) => store.setting(key),
    fundingPoints: (...which: Parameters<Store['fundingPoints']>) => store.fundingPoints(...which),
  });

  async function ask(query: Record<string, string>) {
    const [route] = basketFundingRoutes({ market, funding: recorder, clock });
    const reply = await route?.handle({
      principal: { kind: 'session', userId: 'nobody', sessionId: 'none' },
      account: null,
      params: undefined,
      query: getBasketFunding.query?.parse({ connector: 'paper', ...query }),
      body: undefined,
      headers: {},
      peer: 'unknown',
      ip: '127.0.0.1',
      connection: new PassThrough(),
    });
    return getBasketFunding.success[200].parse(JSON.parse(JSON.stringify(reply?.body)));
  }

  /** Net of an hour a year, as the holder sees it: what shorts are paid less what longs pay. */
  const net = (hour: number, weights: Readonly<Record<string, number>>) =>
    Object.entries(weights).reduce((sum, [id, weight]) => {
      const hours = INTERVALS[id] ?? 1;
      const rate = (RATES[id]?.(Math.ceil(hour / hours) * hours) ?? 0) / 1e7 / hours;
      return sum - weight * rate * 8_760;
    }, 0);
  const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  /** The hours [from, to) after the start. */
  const hours = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
  const PAIR = { long: 'BTC-PERP', short: 'ETH-PERP', weights: '2,1' };
  const PAIR_WEIGHTS = { 'BTC-PERP': 2 / 3, 'ETH-PERP': -1 / 3 };

  it('are the mean of 7 and 30 days, on disk too', async () => {
    await live(400);
    await restart(0);
    await live(400);
    // More hours than are kept in memory, in less time than the disk may take for one: until all are there.
    await restart(0);
    const found = await ask(PAIR);
    expect(found).to.include({ hours7d: 168, hours30d: 720 });
    expect(found.to).to.equal(new Date(START + 799 * HOUR_MS).toISOString());
    expect(found.recordedSince).to.equal(new Date(START - 60_000).toISOString());
    expect(Number(found.carryApr)).to.be.closeTo(net(800, PAIR_WEIGHTS), 1e-10);
    for (const [name, length] of [
      ['carryApr7d', 168],
      ['carryApr30d', 720],
    ] as const) {
      const last = hours(800 - length, 800);
      expect(Number(found[name]), name).to.be.closeTo(mean(last.map((at) => net(at, PAIR_WEIGHTS))), 1e-10);
      const [btc, eth] = found.legs;
      const own = (weights: Readonly<Record<string, number>>) => mean(last.map((at) => net(at, weights)));
      expect(Number(btc?.[name])).to.be.closeTo(own({ 'BTC-PERP': 1 }), 1e-10);
      expect(Number(eth?.[name])).to.be.closeTo(own({ 'ETH-PERP': -1 }), 1e-10);
    }
    expect(found.history).to.have.length(720);
    for (const [index, { time, carryApr }] of found.history.entries()) {
      expect(Date.parse(time)).to.equal(START + (80 + index) * HOUR_MS);
      expect(Number(carryApr)).to.be.closeTo(net(80 + index, PAIR_WEIGHTS), 1e-10);
    }
    // Weights count by their proportions, and who holds the inverse receives what the other one pays.
    const inverse = await ask({ long: 'ETH-PERP', short: 'BTC-PERP', weights: '10,20' });
    expect(Number(inverse.carryApr30d)).to.be.closeTo(-Number(found.carryApr30d), 1e-10);
  });

  it('leave out the hours of when the gateway was off', async () => {
    await live(50);
    await restart(30);
    await live(20);
    const found = await ask(PAIR);
    const known = [...hours(0, 50), ...hours(80, 100)];
    expect(found).to.include({ hours7d: 70, hours30d: 70 });
    expect(found.history.map(({ time }) => (Date.parse(time) - START) / HOUR_MS)).to.deep.equal(known);
    expect(Number(found.carryApr7d)).to.be.closeTo(mean(known.map((at) => net(at, PAIR_WEIGHTS))), 1e-10);
    expect(found.recordedSince).to.equal(new Date(START - 60_000).toISOString());
  });

  it('count a funding time of eight hours for each of them, and none before it is there', async () => {
    const weights = { 'BTC-PERP': 1 / 2, 'TEN-PERP': -1 / 2 };
    await live(22);
    const found = await ask({ long: 'BTC-PERP', short: 'TEN-PERP' });
    expect(found.to).to.equal(new Date(START + 16 * HOUR_MS).toISOString());
    expect(found.hours7d).to.equal(17);
    expect(Number(found.carryApr7d)).to.be.closeTo(mean(hours(0, 17).map((at) => net(at, weights))), 1e-10);
    expect(Number(found.carryApr)).to.be.closeTo(
      (-8_760 * (RATES['BTC-PERP']?.(22) ?? 0)) / 2e7 + (8_760 * (RATES['TEN-PERP']?.(24) ?? 0)) / 16e7,
      1e-10,
    );
  });

  it('stand on the hours that all legs have', async () => {
    await live(10, ['BTC-PERP', 'TEN-PERP']);
    const missing = await ask(PAIR);
    expect(missing).to.include({ carryApr7d: null, carryApr30d: null, hours7d: 0, hours30d: 0 });
    expect(missing.legs.map(({ carryApr7d }) => carryApr7d)).to.deep.equal([null, null]);
    await live(5);
    expect((await ask(PAIR)).hours7d).to.equal(5);
    expect((await ask({ long: 'BTC-PERP' })).hours7d).to.equal(15);
  });

  it('leave out a rate that was told long before its time', async () => {
    await live(3);
    await clock.advance(untilHour() - 180_000);
    tell();
    await clock.advance(181_000);
    tell();
    expect((await ask(PAIR)).hours7d).to.equal(3);
    expect(await recorder.points('paper', 'BTC-PERP', 0, clock.now())).to.have.length(3);
  });

  it('are of nothing where nothing has come', async () => {
    const found = await ask(PAIR);
    expect(found).to.include({ recordedSince: null, carryApr7d: null, hours30d: 0 });
    expect(found.history).to.deep.equal([]);
  });

  it('are of the nearest full hour, whether the market runs before it or after it', async () => {
    for (const setBy of [-2_000, 4_000]) {
      const hour = START + Math.ceil((clock.now() - START + HOUR_MS) / HOUR_MS) * HOUR_MS;
      const about = (next: number) => {
        const rate = rateText('BTC-PERP', 1);
        const nextFundingTime = next + setBy;
        venue.send({
          quotes: [],
          funding: [{ id: 'BTC-PERP', symbol: 'BTC', rate, intervalHours: 1, nextFundingTime }],
        });
      };
      const before = await recorder.points('paper', 'BTC-PERP', 0, hour);
      await clock.advance(hour + setBy - 30_000 - clock.now());
      about(hour);
      await clock.advance(31_000);
      about(hour + HOUR_MS);
      const after = await recorder.points('paper', 'BTC-PERP', 0, hour + HOUR_MS);
      expect(after.slice(before.length).map((point) => point.hour)).to.deep.equal([hour]);
    }
  });

  it('are written some seconds after the disk has refused them, with since when there are any', async () => {
    let refused = 0;
    let isFull = true;
    let written: Promise<unknown> = Promise.resolve();
    await restart(0, {
      commit: (unit) => {
        if (!isFull) {
          const committed = store.commit(unit);
          written = committed;
          return committed;
        }
        refused += 1;
        return Promise.resolve(fail<StoreError>({ kind: 'unavailable', message: 'No space left' }));
      },
    });
    tell();
    await live(1);
    expect(refused).to.equal(1);
    await clock.advance(6_000);
    venue.move({ 'BTC-PERP': '100' });
    await clock.advance(0);
    expect(refused).to.equal(2);
    isFull = false;
    await clock.advance(6_000);
    venue.move({ 'BTC-PERP': '101' });
    await clock.advance(0);
    await written;
    const stored = await store.fundingPoints('paper', 'BTC-PERP', 0, clock.now());
    expect(stored.map(({ hour }) => hour)).to.deep.equal([START]);
    const begun = recorder.begunAt('paper');
    await restart(0);
    expect(recorder.begunAt('paper')).to.equal(begun).and.to.be.a('number');
  });
});
