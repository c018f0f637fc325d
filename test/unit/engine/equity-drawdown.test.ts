/**
 * Drawdowns of sampled equity against a model of its own: it keeps every sample, while the store thins them. On a real
 * store, with samples and prices that the test sets.
 */
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { ok } from '../../../gateway/domain/result.ts';
import { EquitySampler } from '../../../gateway/engine/portfolio/equity-sampler.ts';
import { portfolioAnalytics } from '../../../gateway/engine/portfolio/portfolio-analytics.ts';
import type { Store } from '../../../gateway/engine/ports/store.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { settled } from '../../support/outstanding.ts';
import { forAllAsync, propertyRuns } from '../../support/property-runs.ts';
import {
  fill,
  paperAccount,
  positionOfLeg,
  silentLogger,
  temporaryFolder,
  testStore,
} from '../../support/store-records.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const FIRST = Date.UTC(2026, 0, 5);
const ACCOUNT = paperAccount({ createdAt: FIRST, updatedAt: FIRST });

/** Cents. */
interface Minute {
  readonly at: number;
  readonly deposits: number;
  readonly pnl: number;
}

/** The deepest fall over all minutes of the days from `from`: its share and what was lost meanwhile, USD. */
function modelOf(minutes: readonly Minute[], from: number, to: number) {
  let index = 1;
  let base = minutes[0]?.deposits ?? 0;
  let paid = base;
  let peak: { index: number; pnl: number } | null = null;
  let last = { index, pnl: 0 };
  let deepest = { share: 0, value: 0 };
  for (const { at, deposits, pnl } of minutes) {
    const equity = deposits + pnl;
    if (base >= 1) index *= (equity - (deposits - paid)) / base;
    [base, paid] = [equity, deposits];
    if (at >= from && at < to) {
      peak ??= last;
      if (index > peak.index) peak = { index, pnl };
      const share = (peak.index - index) / peak.index;
      if (share > deepest.share) deepest = { share, value: (peak.pnl - pnl) / 100 };
    }
    last = { index, pnl };
  }
  return deepest;
}

describe('drawdowns of sampled equity', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let store: Store;
  let clock: FakeClock;
  let deposits: number;
  let mark: string;

  beforeEach(async () => {
    folder = await temporaryFolder();
    clock = createFakeClock(FIRST);
    deposits = 0;
    mark = '100';
    await reopened();
  });
  afterEach(async () => {
    await store.close();
    await folder.remove();
  });

  let files = 0;
  async function reopened(): Promise<void> {
    files += 1;
    store = await testStore(join(folder.path, `${files}.db`));
    // An account has a history from its first fill on.
    await store.commit({ fills: [fill({ timestamp: FIRST, fee: '0', executionId: null })] });
  }

  const dollars = (cents: number): string => (cents / 100).toFixed(2);
  const deps = () => ({
    store,
    clock,
    logger: silentLogger,
    accounts: () => [ACCOUNT],
    market: { quote: () => ({ mark }) as never, instrument: () => undefined },
    dailyCloses: async () => new Map<number, number>(),
    venues: {
      get: () => ({
        // The position's cost of 1,000 is paid already, so nothing is left that the records do not explain.
        balances: async () =>
          ok({
            ...{ asset: 'USDC', equity: '0', marginUsed: '0', freeMargin: '0' },
            ...{ balance: dollars(deposits - 100_000), deposits: dollars(deposits) },
          }),
        positions: async () => ok([]),
      }),
    },
  });

  async function expectModel(minutes: readonly Minute[], from: number, to: number, when: string) {
    const query = {
      source: null,
      from,
      to: to - 1,
      interval: '1d',
      rollingWindowDays: 30,
      includeSeries: true,
    } as const;
    const { risk, series } = await portfolioAnalytics(deps(), ACCOUNT, query);
    const model = modelOf(minutes, from, to);
    const found = risk.maxDrawdown;
    expect(found?.share ?? 0, `${when}: share`).to.be.closeTo(model.share, 1e-9);
    expect(Number(found?.value ?? 0n) / 1e18, `${when}: USD`).to.be.closeTo(model.value, 1e-6);
    for (const { drawdown } of series ?? []) expect(drawdown, when).to.be.at.most((found?.share ?? 0) + 1e-9);
  }

  const step = fc.record({
    minutes: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 30, max: 1_500 })),
    /** Percent. */
    move: fc.integer({ min: -40, max: 45 }),
    flow: fc.oneof(
      { weight: 8, arbitrary: fc.constant('none' as const) },
      { weight: 1, arbitrary: fc.constant('deposit' as const) },
      { weight: 1, arbitrary: fc.constant('half' as const) },
      { weight: 1, arbitrary: fc.constant('all' as const) },
    ),
  });

  it('are the same before and after samples are thinned to hours and to days @long', async function () {
    this.timeout(120_000);
    await forAllAsync(
      [fc.array(step, { minLength: 20, maxLength: 250 }), fc.nat({ max: 3 })],
      propertyRuns(100, 5),
      async (steps, skip) => {
        await store.close();
        await reopened();
        const minutes: Minute[] = [{ at: FIRST, deposits: 1_000_000, pnl: 0 }];
        for (const { minutes: passed, move, flow } of steps) {
          const { at, deposits: paid, pnl } = minutes.at(-1) as Minute;
          const moved = pnl + Math.trunc(((paid + pnl) * move) / 100);
          const equity = paid + moved;
          const cash = { none: 0, deposit: 300_000, half: -Math.trunc(equity / 2), all: -equity }[flow];
          minutes.push({ at: at + passed * MINUTE, deposits: paid + cash, pnl: moved });
        }
        await store.commit({
          equitySamples: minutes.map(({ at, deposits: paid, pnl }, index) => ({
            tradeAccountId: ACCOUNT.id,
            at,
            deposits: dollars(paid),
            flow: attoLike(paid - (minutes[index - 1]?.deposits ?? paid)),
            gatewayPnl: dollars(pnl),
            gatewayUnrealized: '0',
            externalPnl: '0',
            externalUnrealized: '0',
          })),
        });
        const end = minutes.at(-1) as Minute;
        deposits = end.deposits;
        const from = FIRST + skip * DAY;
        const to = (Math.floor(end.at / DAY) + 1) * DAY;
        for (const later of [0, 1, 3, 30, 91, 92, 95, 120, 400]) {
          const now = end.at + later * DAY;
          clock.leap(Math.max(0, now - clock.now()));
          await store.prune(now);
          await expectModel(minutes, from, to, `${later} days later`);
        }
      },
    );
  });

  function attoLike(cents: number): string {
    return cents === 0 ? '0' : dollars(cents);
  }

  it('are of every minute that the account held something, and never shrink', async function () {
    this.timeout(240_000);
    const random = fc.sample(fc.integer({ min: -300, max: 300 }), { numRuns: 4_000, seed: 7 });
    const minutes: Minute[] = [];
    deposits = 1_000_000;
    await store.commit({ positions: [positionOfLeg({ quantity: '10', entryNotional: '1000' })] });
    const sampler = new EquitySampler(deps());
    const taken = async () => {
      await settled();
      await sampler.idle();
    };
    sampler.start();
    await taken();
    minutes.push({ at: clock.now(), deposits, pnl: 0 });
    await clock.advance(MINUTE - 2_000);
    let cents = 10_000;
    let deepest = 0;
    for (let minute = 0; minute < 52 * 60; minute += 1) {
      cents = Math.max(2_000, cents + (random[minute] ?? 0));
      mark = dollars(cents);
      if (minute === 700) deposits += 500_000;
      if (minute === 1_500) deposits -= 700_000;
      await clock.advance(MINUTE);
      await taken();
      minutes.push({ at: clock.now(), deposits, pnl: 10 * (cents - 10_000) });
      if (minute % 60 !== 59) continue;
      await store.prune(clock.now());
      const to = (Math.floor(clock.now() / DAY) + 1) * DAY;
      await expectModel(minutes, FIRST, to, `after ${minute} minutes`);
      const share = modelOf(minutes, FIRST, to).share;
      expect(share).to.be.at.least(deepest);
      deepest = share;
    }
    await sampler.stop();
    const { path } = await store.history.curve(ACCOUNT.id, null, { from: 0, to: clock.now() + 1 });
    expect(path.length).to.be.within(48 * 60, 49 * 60 + 4 * 5 + 10);
  });
});
