import { expect } from 'chai';
import fc from 'fast-check';
import { closeDesks, leg, PRINCIPAL } from '../../../support/engine-desk.ts';
import { legsApart } from '../../../support/legs-apart.ts';
import { MINUTE, planDesk } from '../../../support/plan-desk.ts';
import { forAllAsync, propertyRuns } from '../../../support/property-runs.ts';

/** PLAN_RUNS: as many plans in a long run. */
const RUNS = propertyRuns(Number(process.env['PLAN_RUNS'] ?? 20_000), 500);

const fate = fc.constantFrom(
  ...([
    'fills',
    'fills',
    'fills',
    'half',
    'tenth',
    'trickle',
    'trickle',
    'refused',
    'refused',
    'lost',
  ] as const),
);
type Fate = 'fills' | 'half' | 'tenth' | 'trickle' | 'refused' | 'lost';
const BEHAVIOUR = {
  fills: {},
  half: { fraction: '0.5' },
  tenth: { fraction: '0.1' },
  trickle: { fraction: '0.02' },
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
  missedSlicePolicy: fc.constantFrom('CATCH_UP', 'SKIP', 'PAUSE'),
  /** The plan closes a position instead of opening one. */
  closes: fc.boolean(),
});

describe('a TWAP, whatever fills', () => {
  it(`keeps its legs within one slice of each other (${RUNS.numRuns} plans)`, async function () {
    this.timeout(120_000 + RUNS.numRuns * 2_000);
    await forAllAsync(
      [plans],
      RUNS,
      async ({
        slices,
        sizes,
        fates,
        deaths,
        stale,
        delisted,
        resumes,
        missedSlicePolicy,
        closes,
        ...asked
      }) => {
        const plan = await planDesk();
        try {
          const { desk } = plan;
          const names = ['AAA', 'BBB', 'CCC'].slice(0, sizes.length);
          const counts = new Map<string, number>();
          const legs = names.map((name, index) =>
            leg(name, index === 0 ? 'BUY' : 'SELL', String(sizes[index])),
          );
          if (closes) await desk.opened(legs);
          const steps = legsApart(
            desk.venue,
            Object.fromEntries(names.map((name, index) => [name, sizes[index] ?? 1])),
            slices,
          );
          desk.venue.behave(({ symbol }) => {
            const own = fates[names.findIndex((name) => `${name}-PERP` === symbol)] ?? [];
            const count = counts.get(symbol) ?? 0;
            counts.set(symbol, count + 1);
            return BEHAVIOUR[(own[count] ?? own.at(-1) ?? 'fills') as Fate];
          });
          const id = await plan.twap({
            legs: closes ? legs.map((one) => ({ ...one, side: one.side === 'BUY' ? 'SELL' : 'BUY' })) : legs,
            reduceOnly: closes,
            missedSlicePolicy,
            onLegFailure: closes && asked.onLegFailure === 'UNWIND' ? 'KEEP' : asked.onLegFailure,
            durationSeconds: slices * 60,
            intervalSeconds: 60,
          });
          const look = async () => {
            const schedule = await plan.schedule(id);
            if (!schedule.slices.some(({ status }) => status === 'EXECUTING'))
              for (const { symbol, quantity } of schedule.ledger)
                expect(Number(quantity), symbol).to.be.closeTo(steps.traded(symbol), 1e-9);
            return schedule;
          };
          for (let minute = 0; minute < 2 * slices + 2; minute += 1) {
            desk.venue.setStale('BBB-PERP', minute === stale);
            if (minute === delisted) desk.venue.delist('BBB-PERP');
            await desk.pass(MINUTE);
            steps.check();
            let { status, pauseReason } = await look();
            if (deaths.includes(minute)) {
              desk.kill();
              await desk.start();
              ({ status, pauseReason } = await plan.schedule(id));
            }
            if (resumes && status === 'PAUSED' && pauseReason === 'LEG_IMBALANCE')
              await plan.schedules.resume(PRINCIPAL, desk.account, id);
          }
          await desk.pass(2 * MINUTE);
          steps.check();
          const end = await look();
          if (end.status === 'COMPLETED')
            for (const share of steps.shares()) expect(share).to.be.closeTo(1, 0.01);
        } finally {
          plan.desk.kill();
          await closeDesks();
        }
      },
    );
  });
});
