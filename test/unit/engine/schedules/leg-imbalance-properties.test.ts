import { expect } from 'chai';
import fc from 'fast-check';
import { closeDesks, leg, PRINCIPAL } from '../../../support/engine-desk.ts';
import { MINUTE, planDesk } from '../../../support/plan-desk.ts';
import { forAllAsync, propertyRuns } from '../../../support/property-runs.ts';

/** PLAN_RUNS: as many plans in a long run. */
const RUNS = propertyRuns(Number(process.env['PLAN_RUNS'] ?? 20_000), 500);
/** All marks of the desk stand at 100, in steps of 0.001. */
const MARK = 100;
const STEP = 0.001;

const fate = fc.constantFrom('fills', 'fills', 'fills', 'half', 'tenth', 'refused', 'refused', 'lost');
type Fate = 'fills' | 'half' | 'tenth' | 'refused' | 'lost';
const BEHAVIOUR = {
  fills: {},
  half: { fraction: '0.5' },
  tenth: { fraction: '0.1' },
  refused: { rejects: { reason: 'margin', message: 'not enough collateral' } },
  lost: { lost: true },
} as const;

const plans = fc.record({
  slices: fc.integer({ min: 2, max: 8 }),
  sizes: fc.array(fc.integer({ min: 300, max: 5_000 }), { minLength: 2, maxLength: 3 }),
  /** Fates of each leg's orders in turn; the last one goes on. */
  fates: fc.array(fc.array(fate, { minLength: 1, maxLength: 8 }), { minLength: 3, maxLength: 3 }),
  /** After which minutes the process dies, a leg's prices are stale for a minute, it is delisted, or the trader resumes. */
  deaths: fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 2 }),
  stale: fc.option(fc.integer({ min: 0, max: 8 }), { nil: null }),
  delisted: fc.option(fc.integer({ min: 0, max: 8 }), { nil: null, freq: 1 }),
  resumes: fc.boolean(),
  onLegFailure: fc.constantFrom('KEEP', 'UNWIND', 'RETRY'),
});

describe('a TWAP, whatever fills', () => {
  it(`keeps its legs within one slice of each other (${RUNS.numRuns} plans)`, async function () {
    this.timeout(120_000 + RUNS.numRuns * 2_000);
    await forAllAsync(
      [plans],
      RUNS,
      async ({ slices, sizes, fates, deaths, stale, delisted, resumes, onLegFailure }) => {
        const plan = await planDesk();
        try {
          const { desk } = plan;
          const names = ['AAA', 'BBB', 'CCC'].slice(0, sizes.length);
          const counts = new Map<string, number>();
          desk.venue.behave(({ symbol }) => {
            const own = fates[names.findIndex((name) => `${name}-PERP` === symbol)] ?? [];
            const count = counts.get(symbol) ?? 0;
            counts.set(symbol, count + 1);
            return BEHAVIOUR[(own[count] ?? own.at(-1) ?? 'fills') as Fate];
          });
          const legs = names.map((name, index) =>
            leg(name, index === 0 ? 'BUY' : 'SELL', String(sizes[index])),
          );
          const id = await plan.twap({
            legs,
            onLegFailure,
            durationSeconds: slices * 60,
            intervalSeconds: 60,
          });
          const shares = () =>
            names.map(
              (name, index) =>
                (Math.abs(Number(desk.venue.held(`${name}-PERP`))) * MARK) / (sizes[index] ?? 1),
            );
          const look = () => {
            const now = shares();
            const part = Math.max(
              0,
              ...names.flatMap((name, index) =>
                plan.sent(`${name}-PERP`).map((quantity) => (Number(quantity) * MARK) / (sizes[index] ?? 1)),
              ),
            );
            const rounding = (2 * STEP * MARK) / Math.min(...sizes);
            expect(Math.max(...now) - Math.min(...now), `apart: ${now}`).to.be.at.most(1.5 * part + rounding);
            expect(Math.max(...now)).to.be.at.most(1 + rounding);
          };
          const lookAtLedger = async () => {
            const { ledger, slices: all } = await plan.schedule(id);
            if (all.some(({ status }) => status === 'EXECUTING')) return;
            for (const { symbol, quantity } of ledger)
              expect(Number(quantity), symbol).to.equal(Math.abs(Number(desk.venue.held(symbol))));
          };
          for (let minute = 0; minute < 2 * slices + 2; minute += 1) {
            desk.venue.setStale('BBB-PERP', minute === stale);
            if (minute === delisted) desk.venue.delist('BBB-PERP');
            await desk.pass(MINUTE);
            look();
            await lookAtLedger();
            if (deaths.includes(minute)) {
              desk.kill();
              await desk.start();
            }
            const { status, pauseReason } = await plan.schedule(id);
            if (resumes && status === 'PAUSED' && pauseReason === 'LEG_IMBALANCE')
              await plan.schedules.resume(PRINCIPAL, desk.account, id);
          }
          await desk.pass(2 * MINUTE);
          look();
          await lookAtLedger();
          const end = await plan.schedule(id);
          if (end.status === 'COMPLETED') for (const share of shares()) expect(share).to.be.closeTo(1, 0.01);
        } finally {
          plan.desk.kill();
          await closeDesks();
        }
      },
    );
  });
});
