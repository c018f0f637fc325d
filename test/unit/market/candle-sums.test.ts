/**
 * Candles of a simulated venue over restarts, kills, sleeps and times off: a longer candle is the sum of the shorter ones in
 * it, whatever pieces they are asked for in, and what was told once is told for ever.
 */
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { type Bar, type Candle, joinBars } from '../../../gateway/domain/candle.ts';
import {
  CANDLE_INTERVALS,
  type CandleInterval,
  INTERVAL_MS,
  intervalStart,
} from '../../../gateway/domain/candle-intervals.ts';
import { fail } from '../../../gateway/domain/result.ts';
import type { CandleHistory } from '../../../gateway/engine/ports/market.ts';
import type { Store } from '../../../gateway/engine/ports/store.ts';
import { createCandleHistory } from '../../../gateway/market/candle-history.ts';
import { type CandleRecorder, startCandleRecorder } from '../../../gateway/market/candle-recorder.ts';
import { createMarket, type Market } from '../../../gateway/market/market.ts';
import { imaginedPast } from '../../../gateway/venues/paper/market/imagined-past.ts';
import { paperInstruments } from '../../../gateway/venues/paper/market/instruments.ts';
import { UNDERLYINGS } from '../../../gateway/venues/paper/market/underlyings.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { IS_LONG } from '../../support/long-run.ts';
import { createMarketVenue, type MarketVenue, venuesOf } from '../../support/market-venue.ts';
import { forAllAsync, propertyRuns, weightedRecord } from '../../support/property-runs.ts';
import { silentLogger } from '../../support/silent-logger.ts';
import { testStore } from '../../support/store-records.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const INSTRUMENTS = paperInstruments('paper').filter(({ symbol }) => ['BTC', 'ETH'].includes(symbol));
const LISTED = { 'BTC-PERP': 117_571, 'ETH-PERP': 3_742.9 } as const;
const FINER = {
  '5m': '1m',
  '15m': '1m',
  '30m': '15m',
  '1h': '30m',
  '2h': '15m',
  '4h': '5m',
  '12h': '4h',
  '1d': '4h',
  '1w': '1d',
} as const;

type Event =
  /** Prices are told for so many minutes. */
  | { readonly kind: 'run'; readonly minutes: number; readonly secondsIn: number }
  /** The process stands still, and goes on. */
  | { readonly kind: 'sleep'; readonly ms: number }
  | { readonly kind: 'off'; readonly ms: number; readonly killed: boolean }
  | { readonly kind: 'prune' };

const away = fc.oneof(
  fc.integer({ min: 1_000, max: 5 * MINUTE_MS }),
  fc.integer({ min: MINUTE_MS, max: 5 * HOUR_MS }),
  fc.integer({ min: HOUR_MS, max: 4 * DAY_MS }),
);
const events: fc.Arbitrary<readonly Event[]> = fc.array(
  fc.oneof(
    weightedRecord(3, {
      kind: fc.constant('run' as const),
      minutes: fc.integer({ min: 1, max: 6 }),
      secondsIn: fc.nat({ max: 59 }),
    }),
    weightedRecord(1, { kind: fc.constant('sleep' as const), ms: away }),
    weightedRecord(2, { kind: fc.constant('off' as const), ms: away, killed: fc.boolean() }),
    weightedRecord(1, { kind: fc.constant('prune' as const) }),
  ),
  { minLength: 3, maxLength: 6 },
);

/** A gateway's candles over its lives, on one database. */
class Recording {
  readonly clock: FakeClock;
  private readonly file: string;
  private readonly walk: () => number;
  private diskRefuses = false;
  private logs = Object.values(LISTED).map(Math.log);
  private store!: Store;
  private venue!: MarketVenue;
  private market!: Market;
  private recorder!: CandleRecorder;
  history!: CandleHistory;

  private constructor(file: string, begin: number, walk: () => number) {
    this.file = file;
    this.walk = walk;
    this.clock = createFakeClock(begin);
  }

  static async begin(begin: number, seed: number): Promise<Recording> {
    let state = seed;
    const walk = () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return state / 2 ** 32 - 0.5;
    };
    const recording = new Recording(join(await temporaryFolder(), 'tandem.db'), begin, walk);
    await recording.open();
    return recording;
  }

  async open(): Promise<void> {
    const { clock } = this;
    this.store = await testStore(this.file, { clock });
    this.venue = createMarketVenue({ id: 'paper', clock, instruments: INSTRUMENTS, price: '1' });
    const imaginePast = imaginedPast({
      seed: 7,
      instruments: paperInstruments('paper'),
      parameters: UNDERLYINGS,
      startAt: Date.UTC(2026, 0, 30),
    });
    const venues = venuesOf({ ...this.venue, imaginePast });
    this.market = createMarket({ venues, clock, logger: silentLogger });
    this.market.start();
    this.move();
    const { store } = this;
    const refusing: Store = {
      ...store,
      commit: (unit) =>
        this.diskRefuses
          ? Promise.resolve(fail({ kind: 'unavailable', message: 'the process is gone' }))
          : store.commit(unit),
    };
    this.recorder = await startCandleRecorder({
      market: this.market,
      venues,
      store: refusing,
      clock,
      logger: silentLogger,
    });
    this.history = createCandleHistory({ store, recorder: this.recorder, venues, clock });
  }

  async close(killed = false): Promise<void> {
    this.diskRefuses = killed;
    await this.recorder.close();
    this.market.close();
    await this.store.close();
    this.diskRefuses = false;
  }

  async happen(event: Event): Promise<void> {
    switch (event.kind) {
      case 'run':
        for (let minute = 0; minute < event.minutes; minute += 1) {
          await this.tell();
          await this.clock.advance(event.secondsIn * 1_000);
          await this.tell();
          await this.clock.advance(MINUTE_MS - event.secondsIn * 1_000);
        }
        return;
      case 'sleep':
        this.clock.jump(event.ms);
        return this.tell();
      case 'off':
        await this.close(event.killed);
        this.clock.jump(event.ms);
        return this.open();
      case 'prune':
        return this.store.prune(this.clock.now());
    }
  }

  candles(interval: CandleInterval, from: number, to: number, symbol = 'ETH-PERP') {
    return this.history.candles({ connector: 'paper', interval, symbol }, from, to);
  }

  private async tell(): Promise<void> {
    this.move();
    await this.clock.advance(0);
    await this.store.commit({ settings: [{ key: 'probe', value: '' }] });
  }

  private move(): void {
    this.logs = this.logs.map((log) => log + 0.02 * this.walk());
    // As venues tell them, without zeros at the end: 3702.0 would be another text of the same price.
    const text = (log: number) => String(Number(Math.exp(log).toPrecision(5)));
    const prices = Object.keys(LISTED).map((id, k) => [id, text(this.logs[k] ?? 0)]);
    this.venue.move(Object.fromEntries(prices));
  }
}

const barOf = ({ open, high, low, close }: Candle): Bar => [open, high, low, close];

/** Compares candles whose finer ones are all there. @returns the number compared */
function compareSums(
  coarse: CandleInterval,
  longer: readonly Candle[],
  fine: CandleInterval,
  shorter: readonly Candle[],
  now: number,
): number {
  const byStart = new Map(shorter.map((candle) => [candle.start, candle]));
  let compared = 0;
  for (const candle of longer) {
    const end = Math.min(candle.start + INTERVAL_MS[coarse], intervalStart(fine, now) + INTERVAL_MS[fine]);
    const inside: Candle[] = [];
    for (let start = candle.start; start < end; start += INTERVAL_MS[fine])
      inside.push(...[byStart.get(start)].flatMap((found) => found ?? []));
    if (inside.length * INTERVAL_MS[fine] < end - candle.start) continue;
    expect(barOf(candle), `${coarse} of ${new Date(candle.start).toISOString()}`).to.deep.equal(
      inside.map(barOf).reduce(joinBars),
    );
    compared += 1;
  }
  return compared;
}

describe('longer candles are sums of shorter ones', function () {
  this.timeout(IS_LONG ? 1_200_000 : 60_000);

  const begins = fc.integer({ min: Date.UTC(2026, 0, 30), max: Date.UTC(2026, 0, 31) });

  it('over restarts, kills, sleeps and times off, in whatever pieces', async () => {
    let compared = 0;
    await forAllAsync(
      [begins, fc.nat(), events, fc.nat({ max: DAY_MS })],
      propertyRuns(100, 5),
      async (begin, seed, lives, cut) => {
        const recording = await Recording.begin(begin, seed);
        const known = new Map<CandleInterval, readonly Candle[]>();
        for (const event of [...lives, { kind: 'run', minutes: 1, secondsIn: 30 } as const]) {
          await recording.happen(event);
          const now = recording.clock.now();
          const from = Math.max(begin - DAY_MS, now - 2 * DAY_MS);
          const found = new Map<CandleInterval, readonly Candle[]>();
          for (const interval of CANDLE_INTERVALS) {
            const whole = await recording.candles(interval, from, now);
            const middle = intervalStart(interval, from + cut + INTERVAL_MS[interval]);
            const pieces = [
              ...(await recording.candles(interval, from, middle)),
              ...(await recording.candles(interval, middle, now)),
            ];
            expect(pieces).to.deep.equal(whole);
            found.set(interval, whole);
            // A candle told after its end stays as it was told, as long as it is told at all.
            const byStart = new Map(whole.map((candle) => [candle.start, candle]));
            for (const candle of known.get(interval) ?? []) {
              const again = byStart.get(candle.start);
              if (again !== undefined) expect(again).to.deep.equal(candle);
            }
            const ended = whole.filter(({ start }) => start + INTERVAL_MS[interval] <= now - MINUTE_MS);
            known.set(interval, ended);
          }
          for (const [coarse, fine] of Object.entries(FINER)) {
            const [longer, shorter] = [coarse as keyof typeof FINER, fine];
            compared += compareSums(longer, found.get(longer) ?? [], shorter, found.get(shorter) ?? [], now);
          }
        }
        await recording.close();
      },
    );
    console.log(`      ${compared} longer candles compared with the shorter ones in them`);
    expect(compared).to.be.greaterThan(IS_LONG ? 10_000 : 500);
  });

  it('closes, which betas and daily equity are computed on, are those of the candles', () =>
    forAllAsync([begins, events], propertyRuns(30, 2), async (begin, lives) => {
      const recording = await Recording.begin(begin, 3);
      for (const event of lives) await recording.happen(event);
      const now = recording.clock.now();
      const from = begin - 5 * DAY_MS;
      const symbols = ['BTC-PERP', 'ETH-PERP'];
      const ends = new Map<number, string>();
      for (const { start, close } of await recording.candles('1h', from, now))
        ends.set(start + HOUR_MS, close);
      for (const every of ['1h', '4h', '1d'] as const) {
        const request = { connector: 'paper', symbols, every, from, to: now };
        for (const { at, prices } of await recording.history.closes(request)) {
          if (ends.has(at))
            expect(prices[1], `${every} ${new Date(at).toISOString()}`).to.equal(ends.get(at));
        }
      }
      await recording.close();
    }));
});
