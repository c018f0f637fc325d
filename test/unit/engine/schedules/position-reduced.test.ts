/** A TWAP of which a leg is behind while something else reduces the position. */

import { expect } from 'chai';
import fc from 'fast-check';
import { createPositionService } from '../../../../gateway/engine/positions/position-service.ts';
import { planDeskForEachTest, reasonsOf } from '../../../support/desks-for-tests.ts';
import { closeDesks, leg, PRINCIPAL } from '../../../support/engine-desk.ts';
import { legsApart } from '../../../support/legs-apart.ts';
import { standIn } from '../../../support/open-for-tests.ts';
import { MINUTE, type PlanDesk, planDesk, withTriggers } from '../../../support/plan-desk.ts';
import { forAllAsync, propertyRuns } from '../../../support/property-runs.ts';
import { unwrap } from '../../../support/unwrap.ts';

/** All marks of the desk stand at 100, in steps of 0.001. */
const MARK = 100;
const STEP = 0.001;
const REFUSED = { rejects: { reason: 'margin', message: 'not enough collateral' } } as const;
const SIX_SLICES = {
  legs: [leg('AAA', 'BUY', '6000'), leg('BBB', 'SELL', '6000')],
  durationSeconds: 360,
  intervalSeconds: 60,
} as const;

/** Closes a part of the position of a schedule, at once. */
async function close({ desk, schedule }: PlanDesk, id: string, fraction = '1'): Promise<void> {
  const { positionId } = await schedule(id);
  if (positionId === null) throw new Error('nothing is held');
  await desk.ended(await desk.close(positionId, fraction));
}

describe('a TWAP of a position that is closed while a leg is behind', () => {
  const plan = planDeskForEachTest();
  const desk = standIn(() => plan.desk);
  const held = () => ['AAA-PERP', 'BBB-PERP'].map((symbol) => Number(desk.venue.held(symbol)));
  const netUsd = () => held().reduce((sum, quantity) => sum + quantity * MARK, 0);
  const behave = (behaviour: object) =>
    desk.venue.behave(({ symbol }) => (symbol === 'BBB-PERP' ? behaviour : {}));

  it('does not make up for that leg once it is resumed, ends PARTIALLY_COMPLETED and says so', async () => {
    behave(REFUSED);
    const id = await plan.twap(SIX_SLICES);
    await desk.pass(3 * MINUTE);
    expect(await plan.schedule(id)).to.include({ status: 'PAUSED', pauseReason: 'LEG_IMBALANCE' });
    behave({});
    await close(plan, id);
    const paused = await plan.schedule(id);
    expect(paused.ledger[1]?.forgone).to.equal('1000');
    expect(paused.error).to.match(/^The position was reduced .*1000 USD of BBB-PERP.*Resume it/);
    unwrap(await plan.schedules.resume(PRINCIPAL, desk.account, id));
    await desk.pass(7 * MINUTE);
    const ended = await plan.schedule(id);
    expect(ended).to.include({ status: 'PARTIALLY_COMPLETED' });
    expect(ended.error).to.match(/^The position was reduced .* 1000 USD of BBB-PERP were not made up for/);
    expect(held()).to.deep.equal([50, -50]);
    expect(await reasonsOf(desk, 'SCHEDULE_COMPLETED')).to.deep.equal([ended.error]);
  });

  it('does not make up for it without a pause either', async () => {
    behave({ fraction: '0.05' });
    const id = await plan.twap({ ...SIX_SLICES, onLegFailure: 'KEEP' });
    await desk.pass(1.5 * MINUTE);
    expect(await plan.schedule(id)).to.include({ status: 'ACTIVE' });
    behave({});
    await close(plan, id);
    await desk.pass(7 * MINUTE);
    expect(await plan.schedule(id)).to.include({ status: 'PARTIALLY_COMPLETED' });
    expect(Math.abs(netUsd())).to.be.at.most(MARK * STEP);
  });

  it('does not make up for it after its stop has closed everything and it goes on', async () => {
    await withTriggers(plan.desk);
    behave({ fraction: '0.05' });
    const id = await plan.twap({
      ...SIX_SLICES,
      onLegFailure: 'KEEP',
      stopLoss: { type: 'DOLLAR', value: '200', trailing: null },
      afterBracket: 'GO_ON',
    });
    await desk.pass(1.5 * MINUTE);
    behave({});
    desk.venue.setMark('AAA-PERP', '70');
    await desk.pass(5_000);
    expect(held()).to.deep.equal([0, 0]);
    desk.venue.setMark('AAA-PERP', '100');
    await desk.pass(7 * MINUTE);
    expect(await plan.schedule(id)).to.include({ status: 'PARTIALLY_COMPLETED' });
    expect(held()[0]).to.be.above(30);
    expect(Math.abs(netUsd())).to.be.at.most(MARK * STEP);
  });

  it('makes up for half of it after half was closed', async () => {
    behave(REFUSED);
    const id = await plan.twap(SIX_SLICES);
    await desk.pass(3 * MINUTE);
    behave({});
    await desk.ended(await desk.close((await plan.schedule(id)).positionId ?? '', '0.5'));
    expect((await plan.schedule(id)).ledger[1]?.forgone).to.equal('500');
    unwrap(await plan.schedules.resume(PRINCIPAL, desk.account, id));
    await desk.pass(7 * MINUTE);
    expect(held()).to.deep.equal([55, -55]);
  });

  it('makes up for all of it where another order was added and closed again', async () => {
    const once = (symbol: string) => {
      let isLeft = true;
      desk.venue.behave((order) => {
        const isRefused = isLeft && order.symbol === symbol && !order.reduceOnly;
        isLeft &&= !isRefused;
        return isRefused ? REFUSED : {};
      });
    };
    once('BBB-PERP');
    const id = await plan.twap({ ...SIX_SLICES, onLegFailure: 'KEEP' });
    await desk.pass(0.5 * MINUTE);
    once('BBB-PERP');
    const other = [leg('AAA', 'BUY', '3000'), leg('BBB', 'SELL', '3000')];
    await desk.ended(await desk.open(other, { onLegFailure: 'UNWIND' }));
    await desk.pass(7 * MINUTE);
    expect(await plan.schedule(id)).to.include({ status: 'COMPLETED' });
    expect(held()).to.deep.equal([60, -60]);
  });

  it('makes up for all of it where nothing else reduces the position', async () => {
    behave(REFUSED);
    const id = await plan.twap({ ...SIX_SLICES, onLegFailure: 'UNWIND' });
    await desk.pass(3 * MINUTE);
    behave({});
    await plan.schedules.resume(PRINCIPAL, desk.account, id);
    await desk.pass(7 * MINUTE);
    const ended = await plan.schedule(id);
    expect(ended.ledger.map(({ forgone }) => forgone)).to.deep.equal([undefined, undefined]);
    expect(netUsd()).to.equal(0);
  });
});

describe('TWAPs of a position that is reversed', () => {
  const plan = planDeskForEachTest();
  const desk = standIn(() => plan.desk);
  const reverse = (positionId: string) =>
    createPositionService(desk.engine.accept).reverse(PRINCIPAL, desk.command(), {
      positionId,
      slippage: null,
      onLegFailure: 'KEEP',
      brackets: 'CARRY',
      clientId: null,
    });

  it('end with it and are told, also one that has opened nothing yet', async () => {
    const { positionId } = await desk.opened(SIX_SLICES.legs);
    const later = await plan.twap({ ...SIX_SLICES, limitRatio: '0.000001' });
    const id = await plan.twap(SIX_SLICES);
    await desk.pass(1.5 * MINUTE);
    const before = desk.venue.sent.length;
    unwrap(await reverse(positionId ?? ''));
    await desk.pass(10 * MINUTE);
    for (const one of [id, later])
      expect(await plan.schedule(one)).to.include({
        status: 'CANCELLED',
        error: 'The position was reversed',
      });
    expect(await reasonsOf(desk, 'SCHEDULE_STOPPED')).to.deep.equal(
      Array(2).fill('The position was reversed'),
    );
    // Two legs closed, and two opened on the other side.
    expect(desk.venue.sent.slice(before).map(({ side }) => side)).to.have.members([
      'SELL',
      'BUY',
      'SELL',
      'BUY',
    ]);
    expect(Number(desk.venue.held('AAA-PERP'))).to.be.below(0);
  });
});

const RUNS = propertyRuns(Number(process.env['PLAN_RUNS'] ?? 5_000), 75);
const fractions = fc.constantFrom('0', '0.02', '0.1', '0.3', '0.5', '0.9', '1');
const plans = fc.record({
  slices: fc.integer({ min: 3, max: 8 }),
  sizes: fc.array(fc.integer({ min: 500, max: 5_000 }), { minLength: 2, maxLength: 3 }),
  /** Fills of each leg's orders in turn, before and after the close; the last one goes on. */
  before: fc.array(fc.array(fractions, { minLength: 1, maxLength: 8 }), { minLength: 3, maxLength: 3 }),
  after: fc.option(
    fc.array(fc.array(fractions, { minLength: 1, maxLength: 8 }), { minLength: 3, maxLength: 3 }),
    {
      nil: null,
    },
  ),
  closedAt: fc.integer({ min: 0, max: 7 }),
});

describe('a TWAP whose position is closed at any moment', () => {
  it(`opens legs in step afterwards (${RUNS.numRuns} plans)`, async function () {
    this.timeout(120_000 + RUNS.numRuns * 2_000);
    await forAllAsync([plans], RUNS, async ({ slices, sizes, before, after, closedAt }) => {
      const plan = await planDesk();
      try {
        const { desk } = plan;
        const names = ['AAA', 'BBB', 'CCC'].slice(0, sizes.length);
        const fill = (fills: readonly (readonly string[])[] | null) => {
          const counts = new Map<string, number>();
          desk.venue.behave(({ symbol }) => {
            const own = fills?.[names.findIndex((name) => `${name}-PERP` === symbol)] ?? ['1'];
            const count = counts.get(symbol) ?? 0;
            counts.set(symbol, count + 1);
            return { fraction: own[count] ?? own.at(-1) ?? '1' };
          });
        };
        fill(before);
        const id = await plan.twap({
          legs: names.map((name, index) => leg(name, index === 0 ? 'BUY' : 'SELL', String(sizes[index]))),
          onLegFailure: 'KEEP',
          durationSeconds: slices * 60,
          intervalSeconds: 60,
        });
        const resumed = async () => {
          const { status, pauseReason } = await plan.schedule(id);
          if (status === 'PAUSED' && pauseReason === 'LEG_IMBALANCE')
            await plan.schedules.resume(PRINCIPAL, desk.account, id);
        };
        for (let minute = 0; minute < closedAt % slices; minute += 1) {
          await desk.pass(MINUTE);
          await resumed();
        }
        await desk.pass(MINUTE / 2);
        fill(null);
        if ((await plan.schedule(id)).positionId === null) return;
        await close(plan, id);
        for (const name of names) expect(desk.venue.held(`${name}-PERP`), 'closed').to.equal('0');
        fill(after);
        const steps = legsApart(
          desk.venue,
          Object.fromEntries(names.map((name, index) => [name, sizes[index] ?? 1])),
          slices,
        );
        let apart = 0;
        for (let minute = 0; minute < 2 * slices + 2; minute += 1) {
          await desk.pass(MINUTE);
          apart = steps.check();
          await resumed();
        }
        if (after === null) expect(apart).to.be.at.most(2 * steps.rounding);
      } finally {
        plan.desk.kill();
        await closeDesks();
      }
    });
  });
});
