/** Recording candles and telling them again: retention, gaps, a disk that refuses, a clock that is put back, closes. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Candle } from '../../../gateway/domain/candle.ts';
import {
  type CandleInterval,
  INTERVAL_MS,
  type RecordedInterval,
} from '../../../gateway/domain/candle-intervals.ts';
import { fail } from '../../../gateway/domain/result.ts';
import type { CandleHistory } from '../../../gateway/engine/ports/market.ts';
import type { Store } from '../../../gateway/engine/ports/store.ts';
import type { Venue } from '../../../gateway/engine/ports/venue.ts';
import { createCandleHistory } from '../../../gateway/market/candle-history.ts';
import { type CandleRecorder, startCandleRecorder } from '../../../gateway/market/candle-recorder.ts';
import { createMarket, type Market } from '../../../gateway/market/market.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { createMarketVenue, type MarketVenue, perp, venuesOf } from '../../support/market-venue.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { testStore } from '../../support/store-records.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MIDNIGHT = Date.UTC(2026, 0, 31);

/** Recorded candles of the BTC perpetual, a minute each: start, open, high, low, close. */
async function recordedMinutes(): Promise<readonly (readonly [number, string, string, string, string])[]> {
  const file = await readFile(new URL('../../data/candles-1m-btc-eth-sol.csv', import.meta.url), 'utf8');
  return file.split('\n').flatMap((line) => {
    const [symbol, t, open = '', high = '', low = '', close = ''] = line.split(',');
    return symbol === 'BTC' ? [[Number(t), open, high, low, close] as const] : [];
  });
}

describe('candle history', () => {
  let clock: FakeClock;
  let file: string;
  let store: Store;
  let venue: MarketVenue;
  let market: Market;
  let recorder: CandleRecorder;
  let history: CandleHistory;
  let diskRefuses = false;

  beforeEach(async () => {
    diskRefuses = false;
    clock = createFakeClock(MIDNIGHT);
    file = join(await temporaryFolder(), 'tandem.db');
    await open();
  });
  afterEach(() => close());

  /** @param price of every instrument when the gateway starts */
  async function open(over: Partial<Venue> = {}, price = '100'): Promise<void> {
    store = await testStore(file, { clock });
    venue = createMarketVenue({
      id: 'paper',
      clock,
      instruments: [perp('paper', 'BTC'), perp('paper', 'ETH')],
      price,
    });
    const venues = venuesOf({ ...venue, ...over });
    market = createMarket({ venues, clock, logger: silentLogger });
    market.start();
    const refusing: Pick<Store, 'commit' | 'candleRow' | 'candles' | 'candleNearest' | 'setting'> = {
      commit: (unit) =>
        diskRefuses
          ? Promise.resolve(fail({ kind: 'unavailable', message: 'database or disk is full' }))
          : store.commit(unit),
      candleRow: (...of) => store.candleRow(...of),
      candles: (...of) => store.candles(...of),
      candleNearest: (...of) => store.candleNearest(...of),
      setting: (key) => store.setting(key),
    };
    recorder = await startCandleRecorder({ market, venues, store: refusing, clock, logger: silentLogger });
    history = createCandleHistory({ store, recorder, venues, clock });
  }

  async function close(): Promise<void> {
    await recorder.close();
    market.close();
    await store.close();
  }

  /** The process is gone: nothing more is written. */
  async function kill(): Promise<void> {
    diskRefuses = true;
    await close();
    diskRefuses = false;
  }

  async function tell(btc: string, eth = '50'): Promise<void> {
    venue.move({ 'BTC-PERP': btc, 'ETH-PERP': eth });
    await written();
  }

  async function written(): Promise<void> {
    await clock.advance(0);
    // The writer takes one after the other: what the price set off is on disk when this is.
    await store.commit({ settings: [{ key: 'probe', value: '' }] });
  }

  /** A price at the beginning of each of so many minutes. */
  async function minutes(count: number, price: (minute: number) => string): Promise<void> {
    for (let minute = 0; minute < count; minute += 1) {
      await tell(price(minute));
      await clock.advance(MINUTE_MS);
    }
  }

  const candles = (
    interval: CandleInterval,
    from = MIDNIGHT,
    to = clock.now() + DAY_MS,
    symbol = 'BTC-PERP',
  ) => history.candles({ connector: 'paper', interval, symbol }, from, to);
  const bar = (start: number, open: string, high: string, low: string, close: string): Candle => ({
    start,
    open,
    high,
    low,
    close,
  });

  it('gathers prices into minutes, and minutes into longer candles, while they run', async () => {
    for (const price of ['100', '104.5', '99', '101']) await tell(price);
    await clock.advance(MINUTE_MS);
    for (const price of ['102', '97']) await tell(price);
    expect(await candles('1m')).to.deep.equal([
      bar(MIDNIGHT, '100', '104.5', '99', '101'),
      bar(MIDNIGHT + MINUTE_MS, '102', '102', '97', '97'),
    ]);
    for (const interval of ['5m', '15m', '1h', '4h', '1d'] as const)
      expect(await candles(interval)).to.deep.equal([bar(MIDNIGHT, '100', '104.5', '97', '97')]);
    // The last of January 2026 was a Saturday.
    const monday = MIDNIGHT - 5 * DAY_MS;
    expect(await candles('1w', monday)).to.deep.equal([bar(monday, '100', '104.5', '97', '97')]);
    expect(await candles('1w', monday + 1)).to.deep.equal([]);
  });

  it('begins the longer candle anew with its first minute', async () => {
    await minutes(11, (minute) => String(100 + minute));
    expect(await candles('5m')).to.deep.equal([
      bar(MIDNIGHT, '100', '104', '100', '104'),
      bar(MIDNIGHT + 5 * MINUTE_MS, '105', '109', '105', '109'),
      bar(MIDNIGHT + 10 * MINUTE_MS, '110', '110', '110', '110'),
    ]);
  });

  it('loses the running minute at most when the process dies, and goes on with the longer candles', async () => {
    await minutes(3, (minute) => String(100 + minute));
    await tell('500');
    await kill();
    await open({}, '92');
    await tell('90');
    expect(await candles('1m')).to.deep.equal([
      ...[0, 1, 2].map((minute) => {
        const price = String(100 + minute);
        return bar(MIDNIGHT + minute * MINUTE_MS, price, price, price, price);
      }),
      bar(MIDNIGHT + 3 * MINUTE_MS, '92', '92', '90', '90'),
    ]);
    expect(await candles('1d')).to.deep.equal([bar(MIDNIGHT, '100', '102', '90', '90')]);
  });

  it('keeps the running minute too when it is stopped as it should be', async () => {
    await tell('100');
    await tell('103');
    await close();
    await open();
    await tell('101');
    expect(await candles('1m')).to.deep.equal([bar(MIDNIGHT, '100', '103', '100', '101')]);
  });

  it('holds in memory what the disk refuses, and writes it when it can', async () => {
    diskRefuses = true;
    await minutes(4, (minute) => String(100 + minute));
    expect(await candles('1m')).to.have.length(4);
    diskRefuses = false;
    await minutes(1, () => '104');
    await tell('105');
    const stored = await store.candles(
      { connector: 'paper', interval: '1m', symbol: 'BTC-PERP' },
      MIDNIGHT,
      clock.now(),
    );
    expect(stored.map(({ open: price }) => price)).to.deep.equal(['100', '101', '102', '103', '104']);
  });

  it('goes on with its minute when the clock is put back', async () => {
    await tell('100');
    const now = clock.now;
    clock.now = () => now() - HOUR_MS;
    await tell('107');
    clock.now = now;
    expect(await candles('1m')).to.deep.equal([bar(MIDNIGHT, '100', '107', '100', '107')]);
  });

  it('keeps each interval for its time, the days for ever', async () => {
    await minutes(2, () => '100');
    await tell('100');
    const from = (interval: RecordedInterval) =>
      store.candles({ connector: 'paper', interval, symbol: 'BTC-PERP' }, MIDNIGHT, MIDNIGHT + DAY_MS);
    const counts = async () =>
      Promise.all((['1m', '5m', '1h', '1d'] as const).map(async (interval) => (await from(interval)).length));
    expect(await counts()).to.deep.equal([2, 1, 1, 1]);
    await store.prune(MIDNIGHT + DAY_MS + HOUR_MS);
    expect(await counts()).to.deep.equal([0, 1, 1, 1]);
    await store.prune(MIDNIGHT + 4 * DAY_MS);
    expect(await counts()).to.deep.equal([0, 0, 1, 1]);
    await store.prune(MIDNIGHT + 92 * DAY_MS);
    expect(await counts()).to.deep.equal([0, 0, 0, 1]);
  });

  it('puts quarters and four hours together of recorded minutes', async () => {
    const rows = await recordedMinutes();
    await close();
    clock = createFakeClock(rows[0]?.[0] ?? 0);
    file = join(await temporaryFolder(), 'tandem.db');
    await open({}, rows[0]?.[1]);
    for (const [, ...prices] of rows) {
      for (const price of prices) venue.move({ 'BTC-PERP': price });
      await written();
      await clock.advance(MINUTE_MS);
    }
    await written();
    const begun = rows[0]?.[0] ?? 0;
    for (const [interval, length, count] of [
      ['15m', 15 * MINUTE_MS, 24],
      ['30m', 30 * MINUTE_MS, 12],
      ['2h', 120 * MINUTE_MS, 3],
      ['4h', 4 * HOUR_MS, 2],
    ] as const) {
      const sums = new Map<number, number[][]>();
      for (const [at, ...prices] of rows) {
        const start = Math.floor(at / length) * length;
        sums.set(start, [...(sums.get(start) ?? []), prices.map(Number)]);
      }
      const expected = [...sums].map(([start, inside]) => ({
        start,
        open: inside[0]?.[0],
        high: Math.max(...inside.map(([, high = 0]) => high)),
        low: Math.min(...inside.map(([, , low = 0]) => low)),
        close: inside.at(-1)?.[3],
      }));
      const found = await candles(interval, begun - DAY_MS, clock.now());
      expect(found).to.have.length(count);
      expect(
        found.map(({ start, ...prices }) => ({
          start,
          ...Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, Number(price)])),
        })),
      ).to.deep.equal(expected);
    }
  });

  it('has in a longer candle what there was around a gap, and none that has passed its retention in part', async () => {
    await minutes(4, (minute) => String(100 + minute));
    await clock.advance(7 * MINUTE_MS);
    await minutes(10, (minute) => String(110 - minute));
    const first = bar(MIDNIGHT, '100', '110', '100', '107');
    expect((await candles('15m'))[0]).to.deep.equal(first);
    await clock.advance(3 * DAY_MS - 21 * MINUTE_MS - 1);
    expect((await candles('15m'))[0]).to.deep.equal(first);
    // The five minutes from 00:10 are kept for longer than those that the quarter began with.
    await clock.advance(1);
    await store.prune(clock.now());
    expect(await candles('5m', MIDNIGHT, MIDNIGHT + HOUR_MS)).to.have.length(3);
    expect((await candles('15m', MIDNIGHT, MIDNIGHT + HOUR_MS)).map(({ start }) => start)).to.deep.equal([
      MIDNIGHT + 15 * MINUTE_MS,
    ]);
  });

  it('of a venue that imagines nothing has the gaps that there were', async () => {
    await minutes(2, () => '100');
    await clock.advance(10 * MINUTE_MS);
    await tell('120');
    expect((await candles('1m')).map(({ start }) => (start - MIDNIGHT) / MINUTE_MS)).to.deep.equal([
      0, 1, 12,
    ]);
    expect(await candles('1m', MIDNIGHT - DAY_MS, MIDNIGHT)).to.deep.equal([]);
  });

  it('finds the gaps of a folder in which they were not written down yet in its hours', async () => {
    await minutes(2, () => '101');
    await clock.advance(3 * HOUR_MS);
    await minutes(3, () => '104');
    await close();
    await clock.advance(2 * HOUR_MS);
    const anchors: unknown[] = [];
    const flat: NonNullable<Venue['imaginePast']> = ({ from, to, interval, before, after }) => {
      anchors.push([from, before?.price, after.price]);
      const step = INTERVAL_MS[interval];
      const price = String(Number(after.price) + 1);
      return Array.from({ length: Math.ceil((to - from) / step) }, (_, k) =>
        bar(from + k * step, price, price, price, price),
      );
    };
    await open({ imaginePast: flat }, '106');
    await tell('106');
    const hours = await candles('1h');
    expect(hours.map(({ start }) => (start - MIDNIGHT) / HOUR_MS)).to.deep.equal([0, 1, 2, 3, 4, 5]);
    expect(anchors[0]).to.deep.equal([MIDNIGHT + HOUR_MS, '101', '104']);
    const [day] = await candles('1d');
    expect(day?.open).to.equal(hours[0]?.open);
    expect(day?.close).to.equal(hours.at(-1)?.close);
    expect(day?.high).to.equal(String(Math.max(...hours.map(({ high }) => Number(high)))));
    expect(day?.low).to.equal(String(Math.min(...hours.map(({ low }) => Number(low)))));
  });

  describe('of a simulated venue', () => {
    const asked: Parameters<NonNullable<Venue['imaginePast']>>[0][] = [];
    const imaginePast: NonNullable<Venue['imaginePast']> = (request) => {
      asked.push(request);
      const step = INTERVAL_MS[request.interval];
      const price = request.after.price;
      return Array.from({ length: (request.to - request.from) / step }, (_, index) =>
        bar(request.from + index * step, price, price, price, price),
      );
    };

    beforeEach(async () => {
      await close();
      await open({ imaginePast });
      asked.length = 0;
    });

    it('asks for the time before the recording, led to the price at which it began: the same before and after the first tick', async () => {
      await candles('1m', MIDNIGHT - 10 * MINUTE_MS, MIDNIGHT);
      const [beforeAnyTick] = asked.splice(0);
      await tell('130');
      await candles('1m', MIDNIGHT - 10 * MINUTE_MS, MIDNIGHT);
      expect(asked.splice(0)).to.deep.equal([beforeAnyTick]);
      await minutes(3, () => '140');
      const rows = await candles('1m', MIDNIGHT - 10 * MINUTE_MS, clock.now());
      expect(rows).to.have.length(13);
      expect(asked).to.deep.equal([
        {
          symbol: 'BTC-PERP',
          interval: '1m',
          from: MIDNIGHT - 10 * MINUTE_MS,
          to: MIDNIGHT,
          before: null,
          after: { at: MIDNIGHT, price: '100' },
        },
      ]);
    });

    it('asks for what was not watched, from the price before to the price after, also where neither was asked for', async () => {
      await minutes(3, (minute) => String(100 + minute));
      await tell('103');
      await close();
      await clock.advance(HOUR_MS);
      await open({ imaginePast }, '150');
      const gap = { from: MIDNIGHT + 4 * MINUTE_MS, to: MIDNIGHT + 63 * MINUTE_MS };
      const sides = { before: { at: gap.from, price: '103' }, after: { at: gap.to, price: '150' } };
      expect(await candles('1m')).to.have.length(64);
      const [beforeAnyTick] = asked;
      await tell('160');
      expect(await candles('1m')).to.have.length(64);
      expect(asked.pop()).to.deep.equal(beforeAnyTick);
      expect(asked).to.deep.equal([{ symbol: 'BTC-PERP', interval: '1m', ...gap, ...sides }]);
      asked.length = 0;
      const inside = { from: MIDNIGHT + 20 * MINUTE_MS, to: MIDNIGHT + 30 * MINUTE_MS };
      expect(await candles('1m', inside.from, inside.to)).to.have.length(10);
      expect(asked).to.deep.equal([{ symbol: 'BTC-PERP', interval: '1m', ...inside, ...sides }]);
    });

    it('never imagines what was recorded and has passed its retention', async () => {
      await minutes(3, () => '100');
      await clock.advance(2 * DAY_MS);
      await tell('200');
      await store.prune(clock.now());
      asked.length = 0;
      expect(await candles('1m', MIDNIGHT, MIDNIGHT + HOUR_MS)).to.deep.equal([]);
      expect(asked).to.deep.equal([]);
      const before = await candles('1m', MIDNIGHT - HOUR_MS, MIDNIGHT);
      expect(before).to.have.length(60);
      expect(asked[0]?.after).to.deep.equal({ at: MIDNIGHT, price: '100' });
    });

    it('has a past of 120 days and no more', async () => {
      await tell('100');
      const days = await candles('1d', MIDNIGHT - 1000 * DAY_MS, clock.now() + DAY_MS);
      expect(days).to.have.length(121);
      expect(days[0]?.start).to.equal(MIDNIGHT - 120 * DAY_MS);
    });
  });

  describe('closes', () => {
    it('of several instruments stand at the same moments, when the candle has ended', async () => {
      for (let hour = 0; hour < 9; hour += 1) {
        await tell(String(100 + hour), String(50 + hour));
        await clock.advance(HOUR_MS);
      }
      await tell('999', '999');
      const request = {
        connector: 'paper',
        symbols: ['BTC-PERP', 'ETH-PERP'],
        from: MIDNIGHT,
        to: clock.now(),
      };
      const hours = await history.closes({ ...request, every: '1h' });
      expect(hours).to.deep.equal(
        Array.from({ length: 9 }, (_, hour) => ({
          at: MIDNIGHT + (hour + 1) * HOUR_MS,
          prices: [String(100 + hour), String(50 + hour)],
        })),
      );
      const fours = await history.closes({ ...request, every: '4h' });
      expect(fours).to.deep.equal([hours[3], hours[7]]);
      expect(await history.closes({ ...request, every: '1h', to: clock.now() - 2 * HOUR_MS })).to.have.length(
        7,
      );
    });

    it('leave out the moments that one of them has not', async () => {
      await tell('100', '50');
      await clock.advance(MINUTE_MS * 5);
      venue.move({ 'BTC-PERP': '101' });
      await clock.advance(MINUTE_MS * 5);
      await tell('102', '52');
      await clock.advance(MINUTE_MS * 5);
      const found = await history.closes({
        connector: 'paper',
        symbols: ['BTC-PERP', 'ETH-PERP'],
        every: '5m',
        from: MIDNIGHT,
        to: clock.now(),
      });
      expect(found.map(({ at }) => (at - MIDNIGHT) / MINUTE_MS)).to.deep.equal([5, 15]);
    });
  });
});
