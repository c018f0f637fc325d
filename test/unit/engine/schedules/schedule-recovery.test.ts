/** The process dies while a schedule works: every slice is sent at most once, and what was asked for is still traded. */

import { expect } from 'chai';
import type { UnitOfWork } from '../../../../gateway/engine/ports/unit-of-work.ts';
import { planDeskForEachTest } from '../../../support/desks-for-tests.ts';
import { leg, PRINCIPAL } from '../../../support/engine-desk.ts';
import { standIn } from '../../../support/open-for-tests.ts';
import { HOUR, MINUTE, type PlanDesk } from '../../../support/plan-desk.ts';

const SECOND = 1_000;

describe('schedules across a crash', () => {
  const plan = planDeskForEachTest();
  const desk = standIn(() => plan.desk);

  async function expectWholeAndOnce(id: string): Promise<void> {
    const done = await plan.schedule(id);
    expect(done.status).to.equal('COMPLETED');
    expect(done.ledger.map(({ settled }) => settled)).to.deep.equal(['1000', '1000']);
    expect(desk.venue.held('AAA-PERP')).to.equal('10');
    const ids = desk.venue.sent.map(({ clientOrderId }) => clientOrderId);
    expect(new Set(ids).size).to.equal(ids.length);
    const executions = done.slices.flatMap(({ executionId }) => (executionId === null ? [] : [executionId]));
    expect(new Set(executions).size).to.equal(executions.length);
  }

  it('commits a slice with its execution before anything is sent', async () => {
    await plan.twap();
    await desk.pass(5 * SECOND);
    const unit = desk.commits.find(({ unit }) => unit.slices?.[0]?.status === 'EXECUTING')?.unit;
    expect(unit?.newExecutions?.[0]).to.include({ origin: 'SCHEDULE', status: 'IDLE' });
    expect(unit?.slices?.[0]?.executionId).to.equal(unit?.newExecutions?.[0]?.id);
    const end = desk.commits.find(({ unit }) => unit.slices?.[0]?.status === 'COMPLETED')?.unit;
    expect(end?.executions?.[0]?.status).to.equal('COMPLETED');
    expect(end?.positions).to.have.length(1);
  });

  const sends = (unit: UnitOfWork) => unit.slices?.[0]?.status === 'EXECUTING';
  const activates = (unit: UnitOfWork) =>
    unit.executions?.[0]?.status === 'ACTIVE' && unit.fills === undefined;
  const settles = (unit: UnitOfWork) => unit.slices?.[0]?.status === 'COMPLETED';
  for (const [when, die] of [
    [
      'after the slice was committed',
      (desk: PlanDesk['desk']) => Object.assign(desk, { dieAfterCommit: sends }),
    ],
    [
      'after it became active',
      (desk: PlanDesk['desk']) => Object.assign(desk, { dieAfterCommit: activates }),
    ],
    ['before it was sent', (desk: PlanDesk['desk']) => Object.assign(desk, { dieAtSend: 'before' })],
    ['after it was sent', (desk: PlanDesk['desk']) => Object.assign(desk, { dieAtSend: 'after' })],
    [
      'after its end was committed',
      (desk: PlanDesk['desk']) => Object.assign(desk, { dieAfterCommit: settles }),
    ],
  ] as const) {
    it(`${when}: nothing is sent twice, and the rest is`, async () => {
      const id = await plan.twap();
      await desk.pass(MINUTE + 5 * SECOND);
      die(desk);
      await desk.advanceTo(() => !desk.isAlive);
      await desk.start();
      await desk.pass(10 * MINUTE);
      await expectWholeAndOnce(id);
    });
  }

  const unwinds = (unit: UnitOfWork) => unit.newExecutions?.[0]?.parentId != null;
  const beginsToUnwind = (unit: UnitOfWork) =>
    unit.executions?.[0]?.parentId != null && unit.executions[0].status === 'ACTIVE';
  const hasUnwound = (unit: UnitOfWork) =>
    unit.executions?.[0]?.parentId != null && unit.executions[0].status === 'COMPLETED';
  for (const [when, die] of [
    ['between a slice and its unwinding', { dieAfterCommit: unwinds }],
    ['after the unwinding became active', { dieAfterCommit: beginsToUnwind }],
    ['after the unwinding had ended', { dieAfterCommit: hasUnwound }],
  ] as const) {
    it(`${when}: what filled of the slice is closed again once, and the ledger is what is held`, async () => {
      let orders = 0;
      desk.venue.behave(({ symbol }) => {
        if (symbol !== 'BBB-PERP') return {};
        orders += 1;
        return orders === 2 ? { rejects: { reason: 'margin', message: 'not enough collateral' } } : {};
      });
      const id = await plan.twap({ onLegFailure: 'UNWIND' });
      await desk.pass(5 * SECOND);
      Object.assign(desk, die);
      await desk.advanceTo(() => !desk.isAlive);
      const left = await plan.schedule(id);
      expect(left.slices[1]?.status).to.equal(die.dieAfterCommit === hasUnwound ? 'FAILED' : 'EXECUTING');
      await desk.start();
      await desk.pass(30 * SECOND);
      const unwound = await plan.schedule(id);
      expect(unwound).to.include({ status: 'ACTIVE' });
      expect(unwound.slices[1]).to.include({ status: 'FAILED', filledUsd: '0' });
      expect(unwound.ledger.map(({ quantity }) => quantity)).to.deep.equal(['1', '1']);
      expect(desk.venue.held('AAA-PERP')).to.equal('1');
      expect(desk.venue.sent.filter(({ reduceOnly }) => reduceOnly)).to.have.length(1);
      await desk.pass(10 * MINUTE);
      await expectWholeAndOnce(id);
    });
  }

  it('what was missed while the gateway was away follows the policy', async () => {
    const id = await plan.twap();
    const skipping = await plan.twap({
      legs: [leg('AAA', 'BUY', '1000'), leg('CCC', 'SELL', '1000')],
      missedSlicePolicy: 'SKIP',
    });
    await desk.pass(5 * SECOND);
    desk.kill();
    await desk.clock.advance(4 * MINUTE);
    await desk.start();
    await desk.pass(6 * MINUTE);
    expect(await plan.schedule(id)).to.include({ status: 'COMPLETED' });
    const left = await plan.schedule(skipping);
    expect(left.status).to.equal('PARTIALLY_COMPLETED');
    expect(left.slices.map(({ status }) => status)).to.deep.equal([
      'COMPLETED',
      ...Array(3).fill('SKIPPED'),
      ...Array(6).fill('COMPLETED'),
    ]);
    expect(left.ledger[0]).to.include({ settled: '700', dropped: '300' });
  });

  it('a pause and a cancellation survive', async () => {
    const paused = await plan.twap();
    const cancelled = await plan.twap({ legs: [leg('AAA', 'BUY', '1000'), leg('CCC', 'SELL', '1000')] });
    await desk.pass(5 * SECOND);
    await plan.schedules.pause(desk.account, paused);
    await plan.schedules.cancel(desk.account, cancelled);
    await desk.start();
    await desk.pass(HOUR);
    expect(desk.venue.sent).to.have.length(4);
    expect((await plan.schedules.resume(PRINCIPAL, desk.account, paused)).ok).to.equal(true);
    await desk.pass(10 * MINUTE);
    expect((await plan.schedule(paused)).status).to.equal('COMPLETED');
  });

  it('a clock that was set back while the gateway was away does not stall it', async () => {
    const id = await plan.twap();
    await desk.pass(5 * SECOND);
    desk.kill();
    desk.clock.jump(-24 * HOUR);
    await desk.start();
    await desk.pass(10 * MINUTE);
    await expectWholeAndOnce(id);
  });

  it('a full disk delays a slice and repeats none', async () => {
    const id = await plan.twap();
    await desk.pass(5 * SECOND);
    desk.storeRefuses = (unit) => sends(unit) || settles(unit);
    await desk.pass(90 * SECOND);
    expect(plan.sent('AAA-PERP')).to.have.length(1);
    const refused = await plan.schedules.pause(desk.account, id);
    expect(refused.ok).to.equal(true);
    await plan.schedules.resume(PRINCIPAL, desk.account, id);
    desk.storeRefuses = () => false;
    await desk.pass(10 * MINUTE);
    await expectWholeAndOnce(id);
  });
});
