/**
 * Firings of a transformed ratio, against a scan over each history that was written for this test: every value is
 * computed from the prices of its window, with sums of squares and logarithms to the base 2, and compared as it is.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Quote } from '../../../../gateway/domain/model.ts';
import type { WatchedTrigger } from '../../../../gateway/domain/trigger.ts';
import type { MarketTick } from '../../../../gateway/engine/ports/market.ts';
import { LiveTriggers } from '../../../../gateway/engine/resting/triggers/live-triggers.ts';
import { RatioWindows } from '../../../../gateway/engine/resting/triggers/ratio-windows.ts';
import { TriggerWatcher } from '../../../../gateway/engine/resting/triggers/trigger-watcher.ts';
import { createFakeClock } from '../../../support/fake-clock.ts';
import { perp, quoteAt } from '../../../support/market-venue.ts';
import { forAllAsync, propertyRuns } from '../../../support/property-runs.ts';
import { silentLogger } from '../../../support/silent-logger.ts';
import { AAA, BBB, RecordedHours } from '../../../support/trigger-desk.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 5);
const HISTORIES = propertyRuns(1_500);
/** Nearer than this to its level no two ways of rounding need agree. */
const DOUBT = 1e-6;

interface Step {
  /** ln of the prices of AAA and BBB. */
  readonly a: number;
  readonly b: number;
  readonly kind: 'tick' | 'repeat' | 'next_hour' | 'late_hour';
  /** True: this hour is recorded for both legs when it ends. */
  readonly isKnown: boolean;
}

interface History {
  readonly past: readonly Step[];
  readonly steps: readonly Step[];
  readonly transform: 'Z_SCORE' | 'SPREAD';
  readonly direction: 'MORE_THAN' | 'LESS_THAN';
  readonly level: number;
  readonly lookback: number;
  readonly exponents: readonly [string, string];
}

const step = fc.record({
  a: fc.double({ min: 4.5, max: 4.7, noNaN: true }),
  b: fc.double({ min: 4.5, max: 4.7, noNaN: true }),
  kind: fc.constantFrom('tick', 'tick', 'repeat', 'next_hour', 'late_hour') as fc.Arbitrary<Step['kind']>,
  isKnown: fc.boolean().chain((odd) => fc.constantFrom(true, true, true, odd)),
});

const history: fc.Arbitrary<History> = fc.record({
  past: fc.array(step, { minLength: 12, maxLength: 40, size: 'max' }),
  steps: fc.array(step, { minLength: 10, maxLength: 40, size: 'max' }),
  transform: fc.constantFrom('Z_SCORE', 'SPREAD'),
  direction: fc.constantFrom('MORE_THAN', 'LESS_THAN'),
  level: fc.integer({ min: -300, max: 300 }).map((hundredths) => hundredths / 100),
  lookback: fc.integer({ min: 24, max: 36 }),
  exponents: fc.constantFrom(['0.5', '-0.5'], ['0.25', '-0.75']),
}) as fc.Arbitrary<History>;

const priceOf = (log: number) => String(Number(Math.exp(log).toPrecision(9)));

/** Everything that is known to both sides of the comparison: hours with their prices, and the prices of now. */
interface World {
  readonly closes: Map<number, { readonly a: string; readonly b: string }>;
  a: string;
  b: string;
  now: number;
}

/** Value of the transform now; null: it has none. */
function scanned(of: History, world: World, hours: ReadonlyMap<number, { a: string; b: string }>) {
  const end = Math.floor(world.now / HOUR) * HOUR;
  const [long, short] = of.exponents.map(Number) as [number, number];
  const binary = (a: string, b: string) => long * Math.log2(Number(a)) + short * Math.log2(Number(b));
  const window: number[] = [];
  for (let hour = 0; hour < of.lookback; hour += 1) {
    const close = hours.get(end - hour * HOUR);
    if (close !== undefined) window.push(binary(close.a, close.b));
  }
  if (window.length * 2 < of.lookback) return null;
  const shift = window[0] ?? 0;
  const sum = window.reduce((total, one) => total + (one - shift), 0);
  const squares = window.reduce((total, one) => total + (one - shift) ** 2, 0);
  const n = window.length;
  const apart = binary(world.a, world.b) - shift - sum / n;
  if (of.transform === 'SPREAD') return 100 * apart * Math.LN2;
  const variance = (squares - (sum * sum) / n) / (n - 1);
  return variance < 1e-16 ? null : apart / Math.sqrt(variance);
}

async function compare(of: History): Promise<'fired' | 'waits' | 'doubtful'> {
  const clock = createFakeClock(START);
  const hours = new RecordedHours();
  const quotes = new Map<string, Quote>();
  let listener: (tick: MarketTick) => void = () => {};
  const market = {
    quote: (_: string, id: string) => quotes.get(id),
    isStale: () => false,
    isFeedStale: () => false,
    feed: () => undefined,
    onTick: (told: (tick: MarketTick) => void) => {
      listener = told;
      return () => {};
    },
  };
  const met: { readonly value: string; readonly step: number }[] = [];
  let at = -1;
  const live = new LiveTriggers(() => {});
  live.put({ id: 't', tradeAccountId: 'a', connector: 'paper', kind: 'OPEN', status: 'ACTIVE' } as never);
  const watcher = new TriggerWatcher(
    {
      ...{ market, clock, live, logger: silentLogger, windows: new RatioWindows(hours, clock) },
      positions: { get: () => undefined },
    },
    {
      met: (conditions) => met.push(...conditions.map(({ value }) => ({ value, step: at }))),
      stale: () => {},
      back: () => {},
      peaks: () => {},
      blind: () => {},
    },
  );
  const world: World = { closes: new Map(), a: '100', b: '100', now: START };
  const record = (end: number, close: { readonly a: string; readonly b: string }) => {
    world.closes.set(end, close);
    hours.put(end, { [AAA]: close.a, [BBB]: close.b });
  };
  for (const [back, { a, b, isKnown }] of of.past.entries()) {
    if (isKnown) record(START - back * HOUR, { a: priceOf(a), b: priceOf(b) });
  }
  const tick = () => {
    quotes.set(AAA, quoteAt(perp('paper', 'AAA'), world.a, clock.now()));
    quotes.set(BBB, quoteAt(perp('paper', 'BBB'), world.b, clock.now()));
    listener({
      ...{ connector: 'paper', at: clock.now(), funding: [], stats: [], feeds: [] },
      quotes: [...quotes.values()],
    });
  };
  const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
  tick();
  watcher.start();
  const trigger: WatchedTrigger = {
    ...{ id: 't', connector: 'paper', positionId: null, priceSource: 'MARK', onMissed: 'FIRE' },
    legs: [
      { symbol: AAA, side: 'BUY', mode: 'USD', amount: '1' },
      { symbol: BBB, side: 'SELL', mode: 'USD', amount: '1' },
    ],
    weights: of.exponents.map((one) => one.replace('-', '')),
    bracketType: null,
    armed: null,
    condition: {
      ...{ type: 'WEIGHTED_RATIO', direction: of.direction, value: String(of.level) },
      ...{ transform: of.transform, lookback: of.lookback },
    },
  };
  watcher.watch(trigger, 'now');
  await settled();
  // Hours that became known within an hour count from the next one on.
  let counted = new Map(world.closes);
  let expected: { readonly value: number; readonly step: number } | null = null;
  let isDoubtful = false;
  for (;;) {
    const value = scanned(of, world, counted);
    if (value !== null && Math.abs(value - of.level) < DOUBT) isDoubtful = true;
    const isMet = value !== null && (of.direction === 'MORE_THAN' ? value > of.level : value < of.level);
    if (isMet && expected === null) expected = { value, step: at };
    at += 1;
    const next = of.steps[at];
    if (next === undefined || isDoubtful) break;
    if (next.kind === 'next_hour') {
      const end = Math.floor(world.now / HOUR) * HOUR + HOUR;
      if (next.isKnown) record(end, { a: world.a, b: world.b });
      clock.jump(end + 1 - clock.now());
      world.now = clock.now();
      counted = new Map(world.closes);
    } else if (next.kind === 'late_hour') {
      record(Math.floor(world.now / HOUR) * HOUR - 3 * HOUR, { a: priceOf(next.a), b: priceOf(next.b) });
    }
    if (next.kind !== 'repeat') {
      world.a = priceOf(next.a);
      world.b = priceOf(next.b);
    }
    tick();
    await settled();
  }
  watcher.stop();
  if (isDoubtful) return 'doubtful';
  const shown = () => `${JSON.stringify(met)} where the scan has ${JSON.stringify(expected)}`;
  expect(met.length, shown()).to.equal(expected === null ? 0 : 1);
  if (expected === null) return 'waits';
  expect(met[0]?.step, shown()).to.equal(expected.step);
  expect(Number(met[0]?.value), shown()).to.be.closeTo(expected.value, 1e-6);
  return 'fired';
}

describe('a transformed ratio and a scan', function () {
  this.timeout(120_000);

  it(`fire at the same tick in ${HISTORIES.numRuns} histories, once each`, async () => {
    const seen = { fired: 0, waits: 0, doubtful: 0, late: 0 };
    await forAllAsync([history], { ...HISTORIES, endOnFailure: true }, async (of) => {
      seen[await compare(of)] += 1;
    });
    expect(seen.fired, JSON.stringify(seen)).to.be.greaterThan(HISTORIES.numRuns / 4);
    expect(seen.waits, JSON.stringify(seen)).to.be.greaterThan(HISTORIES.numRuns / 20);
    expect(seen.doubtful, JSON.stringify(seen)).to.be.lessThan(HISTORIES.numRuns / 20);
  });
});
