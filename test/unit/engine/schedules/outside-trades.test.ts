/** A TWAP whose position is also traded outside Tandem. */

import { expect } from 'chai';
import fc from 'fast-check';
import { dec } from '../../../../gateway/domain/decimal.ts';
import { scheduleProgress } from '../../../../gateway/domain/slicing.ts';
import { planDeskForEachTest } from '../../../support/desks-for-tests.ts';
import { closeDesks, leg } from '../../../support/engine-desk.ts';
import { MINUTE, type PlanDesk, planDesk } from '../../../support/plan-desk.ts';
import { forAllAsync, propertyRuns } from '../../../support/property-runs.ts';

describe('a closing TWAP while its position is sold outside Tandem', () => {
  const plan = planDeskForEachTest();

  /** Long 10 AAA and short 10 BBB. 4 AAA are sold outside before the TWAP closes `quantity` of each. */
  async function closing(quantity: string): Promise<string> {
    const { desk } = plan;
    await desk.opened([leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '1000')]);
    await desk.pass(1_000);
    desk.venue.trade({ symbol: 'AAA-PERP', side: 'SELL', quantity: '4' });
    const legs = [leg('AAA', 'SELL', quantity, 'BASE'), leg('BBB', 'BUY', quantity, 'BASE')];
    return plan.twap({ legs, reduceOnly: true });
  }

  for (const [quantity, left] of [
    ['1', ['5.94', '-9']],
    ['5', ['5', '-5']],
    ['10', ['0', '0']],
  ] as const) {
    it(`counts no more than its slices asked for, of ${quantity} to close`, async () => {
      const { desk } = plan;
      const id = await closing(quantity);
      await desk.pass(5_000);
      const first = await plan.schedule(id);
      expect(first.slices[0]).to.include({ status: 'COMPLETED', filledUsd: String(Number(quantity) * 20) });
      for (let minute = 0; minute < 10; minute += 1) {
        const { totalUsd, filledUsd, remainingUsd } = scheduleProgress((await plan.schedule(id)).ledger);
        expect(Number(remainingUsd)).to.be.at.least(0);
        expect(Number(filledUsd)).to.be.at.most(Number(totalUsd));
        await desk.pass(MINUTE);
      }
      expect(await plan.schedule(id)).to.include({ status: 'COMPLETED', error: null });
      expect([desk.venue.held('AAA-PERP'), desk.venue.held('BBB-PERP')]).to.deep.equal(left);
    });
  }
});

const REFUSED = { rejects: { reason: 'margin', message: 'not enough collateral' } } as const;
/** Twelve slices of 1,000 USD of each leg, one every five seconds. */
const FAST = {
  legs: [leg('AAA', 'BUY', '12000'), leg('BBB', 'SELL', '12000')],
  durationSeconds: 60,
  intervalSeconds: 5,
} as const;
const TOTAL = 12_000;

/** Refuses the next order that opens BBB. */
function refuseNext({ desk }: PlanDesk): void {
  let isLeft = true;
  desk.venue.behave(({ symbol, side }) => {
    const isRefused = isLeft && symbol === 'BBB-PERP' && side === 'SELL';
    isLeft &&= !isRefused;
    return isRefused ? REFUSED : {};
  });
}

describe('a TWAP with UNWIND whose leg is sold outside Tandem just before a slice is closed again', () => {
  const plan = planDeskForEachTest();
  const bought = () =>
    plan.desk.venue.fills
      .filter(({ symbol, side }) => symbol === 'AAA-PERP' && side === 'BUY')
      .reduce((sum, { quantity }) => sum + Number(quantity), 0);

  it('does not buy back what was sold', async () => {
    const id = await plan.twap({ ...FAST, onLegFailure: 'UNWIND' });
    await plan.desk.pass(17_000);
    plan.desk.venue.trade({ symbol: 'AAA-PERP', side: 'SELL', quantity: plan.desk.venue.held('AAA-PERP') });
    refuseNext(plan);
    await plan.desk.pass(60_000);
    const { ledger, status } = await plan.schedule(id);
    expect([status, ledger.map(({ settled }) => settled)]).to.deep.equal(['COMPLETED', ['12000', '12000']]);
    // The slice that was closed again is bought once more.
    expect(bought()).to.equal((TOTAL + 1_000) / 100);
  });

  it('counts nothing below zero where more was sold than it has bought', async () => {
    await plan.desk.opened([leg('AAA', 'BUY', '12000'), leg('BBB', 'SELL', '12000')]);
    const id = await plan.twap({
      ...FAST,
      legs: [leg('AAA', 'BUY', '3600'), leg('BBB', 'SELL', '3600')],
      onLegFailure: 'UNWIND',
    });
    await plan.desk.pass(17_000);
    plan.desk.venue.trade({ symbol: 'AAA-PERP', side: 'SELL', quantity: plan.desk.venue.held('AAA-PERP') });
    refuseNext(plan);
    await plan.desk.pass(4_000);
    const settled = async () => (await plan.schedule(id)).ledger.map((row) => Number(row.settled));
    expect(await settled()).to.deep.equal([1_200, 1_200]);
    await plan.desk.pass(60_000);
    expect(await settled()).to.deep.equal([3_600, 3_600]);
    expect(bought()).to.be.closeTo((12_000 + 3_600 + 300) / 100, 0.01);
  });
});

const RUNS = propertyRuns(1_000, 15);

describe('a TWAP whose legs are refused and sold outside Tandem at any moment', () => {
  const moments = fc.array(fc.integer({ min: 1, max: 58 }), { maxLength: 4 });
  const sales = fc.array(
    fc.record({
      at: fc.integer({ min: 1, max: 58 }),
      part: fc.constantFrom(0.1, 0.5, 1),
      both: fc.boolean(),
    }),
    { maxLength: 3 },
  );

  it(`counts what its slices hold, and buys no more than its total (${RUNS.numRuns} runs)`, async function () {
    this.timeout(60_000 + RUNS.numRuns * 1_000);
    const policies = fc.constantFrom('KEEP', 'UNWIND', 'RETRY');
    await forAllAsync([policies, moments, sales], RUNS, async (onLegFailure, refusals, sold) => {
      const plan = await planDesk();
      const { desk } = plan;
      try {
        const id = await plan.twap({ ...FAST, onLegFailure });
        for (let second = 1; second <= 100; second += 1) {
          if (refusals.includes(second)) refuseNext(plan);
          for (const { part, both } of sold.filter(({ at }) => at === second)) {
            for (const [symbol, side] of [
              ['AAA-PERP', 'SELL'],
              ['BBB-PERP', 'BUY'],
            ] as const) {
              const held = Math.abs(Number(desk.venue.held(symbol)));
              const quantity = String(Math.floor(held * part * 1_000) / 1_000);
              if (quantity !== '0' && (both || symbol === 'AAA-PERP'))
                desk.venue.trade({ symbol, side, quantity });
            }
          }
          await desk.pass(1_000);
          checkCounts(plan, await plan.schedule(id));
        }
      } finally {
        desk.kill();
        await closeDesks();
      }
    });
  });

  /** Independent model: orders of slices by the venue's record, less the slices that were closed again. */
  function checkCounts(
    { desk }: PlanDesk,
    { ledger, slices }: Awaited<ReturnType<PlanDesk['schedule']>>,
  ): void {
    for (const row of ledger) {
      expect(Number(row.settled), 'settled').to.be.within(0, TOTAL);
      const undone = slices.flatMap(({ legs }) => legs ?? []).filter(({ symbol }) => symbol === row.symbol);
      const again = undone.reduce((sum, { unwound }) => sum + Number(unwound?.quantity ?? 0), 0);
      const traded = desk.venue.fills
        .filter(
          ({ symbol, side, clientOrderId }) =>
            clientOrderId !== null && symbol === row.symbol && side === row.side,
        )
        .reduce((sum, { quantity }) => sum.plus(quantity), dec(0));
      expect(traded.minus(again).toNumber(), `traded of ${row.symbol}`).to.be.at.most(TOTAL / 100 + 0.01);
    }
    const [a = 0, b = 0] = ledger.map(({ settled, forgone = '0' }) => Number(settled) + Number(forgone));
    const isMoving = slices.some(({ status }) => status === 'EXECUTING');
    if (!isMoving) expect(Math.abs(a - b), 'legs apart').to.be.at.most(3_000);
  }
});
