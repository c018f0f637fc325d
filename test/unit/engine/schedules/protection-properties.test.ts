/**
 * Whatever fills of each leg, whatever happens to a leg that fails, and wherever the process dies: what a TWAP with a
 * stop-loss has opened is protected within five seconds, or its trader was told. Prices stand still, so that no stop-loss
 * fires: one whose level were compared with something else would.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { closeDesks, leg, PRINCIPAL } from '../../../support/engine-desk.ts';
import { MINUTE, planDesk, withTriggers } from '../../../support/plan-desk.ts';
import { forAllAsync, propertyRuns } from '../../../support/property-runs.ts';

/** PLAN_RUNS: as many plans in a long run. */
const RUNS = propertyRuns(Number(process.env['PLAN_RUNS'] ?? 5_000), 25);
const TOLD_WITHIN_MS = 5_000;
const PAGE = { limit: 10_000, after: null };
const UNTOLD = ['STOP_LOSS_NOT_SET', 'TRIGGER_PAUSED'];

const fate = fc.constantFrom('fills', 'fills', 'fills', 'half', 'refused', 'refused', 'lost');
type Fate = 'fills' | 'half' | 'refused' | 'lost';
const BEHAVIOUR = {
  fills: {},
  half: { fraction: '0.5' },
  refused: { rejects: { reason: 'margin', message: 'not enough collateral' } },
  lost: { lost: true },
} as const;
/** Levels that are not reached while all marks stand at 100. The weights are the exponents of a weighted ratio. */
const STOPS = {
  DOLLAR: () => '100',
  PERCENTAGE: () => '5',
  PRICE_RATIO: () => '0.9',
  WEIGHTED_RATIO: ([long = 0, short = 0]: readonly number[]) =>
    (0.9 * 100 ** ((long - short) / (long + short))).toFixed(6),
} as const;

const plans = fc.record({
  slices: fc.integer({ min: 2, max: 5 }),
  sizes: fc.array(fc.integer({ min: 300, max: 5_000 }), { minLength: 2, maxLength: 2 }),
  fates: fc.array(fc.array(fate, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 2 }),
  stop: fc.constantFrom('DOLLAR', 'PERCENTAGE', 'PRICE_RATIO', 'WEIGHTED_RATIO'),
  deaths: fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 2 }),
  stale: fc.option(fc.integer({ min: 0, max: 5 }), { nil: null }),
  delisted: fc.option(fc.integer({ min: 0, max: 5 }), { nil: null, freq: 1 }),
  resumes: fc.boolean(),
  onLegFailure: fc.constantFrom('KEEP', 'UNWIND', 'RETRY'),
});

/** The second leg comes late, at twice its size and without a current price. */
const LATE_LEG: typeof plans extends fc.Arbitrary<infer Plan> ? Plan : never = {
  slices: 2,
  sizes: [300, 300],
  fates: [
    ['fills', 'lost'],
    ['lost', 'fills'],
  ],
  stop: 'WEIGHTED_RATIO',
  deaths: [],
  stale: 1,
  delisted: null,
  resumes: false,
  onLegFailure: 'KEEP',
};

describe('a TWAP with a stop-loss, whatever fills', () => {
  it(`is protected, or its trader was told (${RUNS.numRuns} plans)`, async function () {
    this.timeout(120_000 + RUNS.numRuns * 2_000);
    const seen = { protected: 0, told: 0 };
    await forAllAsync([plans], { ...RUNS, examples: [[LATE_LEG]] }, async (drawn) => {
      const { slices, sizes, fates, stop, deaths, stale, delisted, resumes, onLegFailure } = drawn;
      const plan = await planDesk();
      const { desk } = plan;
      try {
        await withTriggers(desk);
        const counts = new Map<string, number>();
        desk.venue.behave(({ symbol }) => {
          const own = fates[symbol === 'AAA-PERP' ? 0 : 1] ?? [];
          const count = counts.get(symbol) ?? 0;
          counts.set(symbol, count + 1);
          return BEHAVIOUR[(own[count] ?? own.at(-1) ?? 'fills') as Fate];
        });
        const legs = [leg('AAA', 'BUY', String(sizes[0])), leg('BBB', 'SELL', String(sizes[1]))];
        const stopLoss = { type: stop, value: STOPS[stop](sizes), trailing: null };
        const timing = { durationSeconds: slices * 60, intervalSeconds: 60 };
        const id = await plan.twap({ legs, onLegFailure, stopLoss, ...timing });
        const look = async () => {
          const { rows: triggers } = await desk.store.triggers({ tradeAccountId: desk.account.id }, PAGE);
          const owner = { userId: desk.account.userId, tradeAccountIds: [desk.account.id] };
          const { rows: notices } = await desk.store.notifications(owner, PAGE);
          const isTold = notices.some(({ category }) => UNTOLD.includes(category));
          for (const position of await desk.positions()) {
            if (position.status !== 'OPEN') continue;
            if (position.legs.every(({ quantity }) => quantity === '0')) continue;
            const own = triggers.filter(
              ({ positionId, bracketType }) => positionId === position.id && bracketType === 'STOP_LOSS',
            );
            const isProtected = own.some(({ status }) => status === 'ACTIVE');
            expect(isProtected || isTold, JSON.stringify({ position, own, notices })).to.equal(true);
            seen[isProtected ? 'protected' : 'told'] += 1;
          }
          for (const { bracketType, status } of triggers)
            expect(bracketType === 'STOP_LOSS' && ['TRIGGERED', 'COMPLETED'].includes(status)).to.equal(
              false,
            );
        };
        for (let minute = 0; minute < slices + 3; minute += 1) {
          desk.venue.setStale('BBB-PERP', minute === stale);
          if (minute === delisted) desk.venue.delist('BBB-PERP');
          await desk.pass(TOLD_WITHIN_MS);
          await look();
          await desk.pass(MINUTE - TOLD_WITHIN_MS);
          await look();
          if (deaths.includes(minute)) {
            desk.kill();
            await desk.start();
          }
          const { status, pauseReason } = await plan.schedule(id);
          if (resumes && status === 'PAUSED' && pauseReason === 'LEG_IMBALANCE')
            await plan.schedules.resume(PRINCIPAL, desk.account, id);
        }
      } finally {
        desk.kill();
        await closeDesks();
      }
    });
    // Eleven to one on average, with one more or less in 200 plans.
    expect(seen.protected).to.be.above(5 * seen.told);
  });
});
