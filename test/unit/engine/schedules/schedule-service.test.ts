/** Refusals of schedules. A refused schedule leaves nothing behind. */

import { expect } from 'chai';
import type { ClosePosition } from '../../../../gateway/engine/positions/change-position.ts';
import type { CreateSchedule, Slicing } from '../../../../gateway/engine/resting/schedules/new-schedule.ts';
import { planDeskForEachTest } from '../../../support/desks-for-tests.ts';
import { leg, PRINCIPAL } from '../../../support/engine-desk.ts';
import { asked, MINUTE } from '../../../support/plan-desk.ts';

describe('making a schedule', () => {
  const plan = planDeskForEachTest();

  const command = (key?: string) => ({
    account: plan.desk.account,
    idempotency:
      key === undefined ? null : { userId: 'user', route: 'POST /schedules', key, requestHash: 'hash' },
    answer: ({ id, legs }: { readonly id: string; readonly legs: readonly unknown[] }) =>
      JSON.stringify({ id, legs: legs.length }),
  });
  async function stored() {
    const filter = { tradeAccountId: plan.desk.account.id };
    return (await plan.desk.store.schedules(filter, { limit: 10, after: null })).rows;
  }
  async function close(over: Partial<ClosePosition & Slicing> & { readonly positionId: string }) {
    return plan.schedules.close(PRINCIPAL, command(), {
      ...asked(),
      fraction: '1',
      slippage: null,
      onLegFailure: 'RETRY',
      clientId: null,
      ...over,
    });
  }

  const bracket = { type: 'PRICE_RATIO', value: '2', trailing: null } as const;
  const THREE = [leg('AAA', 'BUY', '1000'), leg('BBB', 'SELL', '500'), leg('CCC', 'SELL', '500')];
  const REFUSED: readonly (readonly [string, Partial<CreateSchedule>, string, RegExp])[] = [
    ['slices below the minimum', { intervalSeconds: 5 }, 'intervalSeconds', /at most 98 would do/],
    [
      'not even one slice',
      { legs: [leg('AAA', 'BUY', '5'), leg('BBB', 'SELL', '5')] },
      'intervalSeconds',
      /not even one/,
    ],
    ['an unknown symbol', { legs: [leg('XXX', 'BUY', '1000')] }, 'legs.0.symbol', /Not an instrument/],
    ['an unknown client', { clientId: 'nobody' }, 'clientId', /Unknown/],
    ['a bracket that does not fit', { legs: THREE, stopLoss: bracket }, 'stopLoss.type', /one long and one/],
    [
      'a stop-loss whose level is passed already',
      { stopLoss: { type: 'PRICE_RATIO', value: '1.1', trailing: null } },
      'stopLoss.value',
      /passed already: the value is 1$/,
    ],
    ['brackets of what reduces', { reduceOnly: true, takeProfit: bracket }, 'takeProfit', /only reduce/],
  ];
  for (const [what, over, path, message] of REFUSED) {
    it(`refuses ${what}`, async () => {
      const { code, details } = await plan.refused(over);
      expect(code).to.equal('VALIDATION_ERROR');
      const [first] = Array.isArray(details) ? details : [];
      expect(first?.path).to.equal(path);
      expect(first?.message).to.match(message);
      expect(await stored()).to.deep.equal([]);
      await plan.desk.pass(MINUTE);
      expect(plan.desk.venue.sent).to.deep.equal([]);
    });
  }

  it('the largest count that it names is accepted, one more is not', async () => {
    expect((await plan.refused({ durationSeconds: 990, intervalSeconds: 10 })).code).to.equal(
      'VALIDATION_ERROR',
    );
    await plan.twap({ durationSeconds: 980, intervalSeconds: 10 });
    expect((await stored())[0]?.sliceCount).to.equal(98);
  });

  it('a disk that refuses leaves nothing behind, and nothing is sent', async () => {
    plan.desk.storeRefuses = () => true;
    expect((await plan.refused({})).code).to.equal('DATABASE_ERROR');
    plan.desk.storeRefuses = () => false;
    await plan.desk.pass(MINUTE);
    expect(await stored()).to.deep.equal([]);
    expect(plan.desk.venue.sent).to.deep.equal([]);
  });

  it('a repeated key gets the first answer, also after a restart', async () => {
    const first = await plan.schedules.create(PRINCIPAL, command('once'), asked());
    await plan.desk.start();
    const again = await plan.schedules.create(PRINCIPAL, command('once'), asked());
    expect(first.ok && again.ok && again.value.json).to.equal(first.ok && first.value.json);
    expect(again.ok && again.value.replayed).to.equal(true);
    expect(await stored()).to.have.length(1);
  });

  it('jitter is the same for a schedule and different between two', async () => {
    const ids = [await plan.twap({ randomize: true }), await plan.twap({ randomize: true })];
    const [a, b] = await Promise.all(ids.map((id) => plan.schedule(id)));
    const offsets = (one: typeof a) => one?.slices.map(({ scheduledAt }) => scheduledAt - one.createdAt);
    expect(offsets(a)).to.not.deep.equal(offsets(b));
    expect(offsets(a)?.[0]).to.equal(0);
  });

  it('closing one quantity step: refused in several slices, with the leg and its step, and taken in one', async () => {
    const { positionId } = await plan.desk.opened([leg('AAA', 'BUY', '1000')]);
    const step = { positionId: positionId ?? '', fraction: '0.0001', durationSeconds: 60 };
    const several = await close({ ...step, intervalSeconds: 20 });
    expect(several).to.have.nested.property(
      'error.details[0].message',
      "AAA-PERP: each of 3 slices of 0.001 in all would be below the venue's smallest order of 0.001; at most 1 would do",
    );
    expect((await close({ ...step, intervalSeconds: 60 })).ok).to.equal(true);
    await plan.desk.pass(MINUTE);
    expect(plan.desk.venue.held('AAA-PERP')).to.equal('9.999');
  });

  it('closing: unknown, closed, or less than a step', async () => {
    expect(await close({ positionId: 'none' })).to.have.nested.property('error.code', 'RESOURCE_NOT_FOUND');
    const { positionId } = await plan.desk.opened([leg('AAA', 'BUY', '1000')]);
    const tiny = await close({ positionId: positionId ?? '', fraction: '0.00001' });
    expect(tiny).to.have.nested.property('error.details[0].path', 'fraction');
    const tooMany = await close({ positionId: positionId ?? '', fraction: '0.0002' });
    expect(tooMany).to.have.nested.property('error.details[0].path', 'intervalSeconds');
    await plan.desk.ended(await plan.desk.close(positionId ?? ''));
    expect(await close({ positionId: positionId ?? '' })).to.have.nested.property('error.code', 'NOOP_ERROR');
    expect(await stored()).to.deep.equal([]);
  });
});
