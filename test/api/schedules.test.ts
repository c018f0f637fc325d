/** TWAP schedules over HTTP, on a paper venue and a clock that moves only when told. */
import { expect } from 'chai';
import type { Json } from '../support/json.ts';
import { timedGatewayForSuite } from '../support/timed-gateway.ts';
import { PAIR, traderForSuite, usd } from '../support/trader.ts';
import { until as untilOn } from '../support/until.ts';

const TWAP = { legs: PAIR, durationSeconds: 60, intervalSeconds: 20 };

describe('schedules over HTTP', () => {
  const gateway = timedGatewayForSuite();
  const bot = traderForSuite(gateway);

  const until = (so: () => Promise<boolean>) => untilOn(gateway.clock, 'it comes to that', so, 500_000);
  const read = async (id: string): Promise<Json> => (await bot.call('GET', `/schedules/${id}`)).json;
  const made = (body: object) => bot.expect('POST', '/schedules', body);
  async function ended(id: string): Promise<Json> {
    await until(async () => (await read(id)).status !== 'ACTIVE');
    return read(id);
  }
  const sliced = (id: string, count: number) => until(async () => (await read(id)).slicesCompleted === count);

  it('is created, seen working, listed, and leads to a position', async () => {
    const created = await made(TWAP);
    expect(created).to.include({ status: 'ACTIVE', kind: 'OPEN', sliceCount: 3, totalUsd: '2000' });
    expect(created.slices).to.have.length(3);
    await sliced(created.id, 1);
    const working = await read(created.id);
    expect(Date.parse(working.nextSliceAt) - Date.parse(working.createdAt)).to.equal(20_000);
    const done = await ended(created.id);
    expect(done).to.include({ status: 'COMPLETED', slicesCompleted: 3, nextSliceAt: null, error: null });
    expect(Number(done.filledUsd)).to.be.within(1_999, 2_000);
    expect(Number(done.averageRatio)).to.be.greaterThan(0);
    const [position] = await bot.positions();
    expect(done.positionId).to.equal(position?.id);
    const list = await bot.call('GET', '/schedules?status=COMPLETED');
    expect(list.json.schedules.map(({ id }: Json) => id)).to.deep.equal([created.id]);
    expect(list.json.schedules[0]).to.not.have.property('slices');
    const { executions } = (await bot.call('GET', '/executions?includeSchedule=true')).json;
    expect(executions.filter(({ origin }: Json) => origin === 'SCHEDULE')).to.have.length(3);
    expect((await bot.call('GET', '/executions')).json.executions).to.deep.equal([]);
    const { notifications } = (await bot.call('GET', '/notifications')).json;
    expect(notifications[0]).to.deep.include({ category: 'SCHEDULE_COMPLETED' });
    expect(notifications[0].parameters).to.include({ scheduleId: created.id, positionId: position?.id });
  });

  it('closes a position by TWAP', async () => {
    const [position] = await bot.positions();
    const body = { type: 'TWAP', durationSeconds: 60, intervalSeconds: 30 };
    const answer = await bot.expect('POST', `/positions/${position?.id}/close`, body);
    expect(answer).to.include({ kind: 'CLOSE', positionId: position?.id, reduceOnly: true });
    const done = await ended(answer.id);
    expect(done.status).to.equal('COMPLETED');
    expect(await bot.positions()).to.deep.equal([]);
    const again = await bot.call('POST', `/positions/${position?.id}/close`, body);
    expect(again.json).to.include({ errorCode: 'NOOP_ERROR' });
  });

  it('sets the brackets that it was asked for with its first slice', async () => {
    const { id } = await made({
      ...TWAP,
      legs: [usd('SOL', 'BUY', '1000')],
      takeProfit: { type: 'PERCENTAGE', value: '50' },
      stopLoss: { type: 'PERCENTAGE', value: '40' },
    });
    await sliced(id, 1);
    const { positionId } = await read(id);
    const position = (await bot.positions()).find((one) => one.id === positionId);
    expect(position?.takeProfit).to.include({ type: 'PERCENTAGE', value: '50' });
    expect(position?.stopLoss).to.include({ type: 'PERCENTAGE', value: '40' });
    await bot.call('POST', `/schedules/${id}/cancel`);
    const waiting = (await bot.call('GET', '/triggers?status=ACTIVE')).json.triggers;
    expect(waiting.map(({ bracketType }: Json) => bracketType).sort()).to.deep.equal([
      'STOP_LOSS',
      'TAKE_PROFIT',
    ]);
  });

  it('is paused, resumed and cancelled, each only once', async () => {
    const { id } = await made({ ...TWAP, legs: [usd('SOL', 'BUY', '1000')] });
    await sliced(id, 1);
    const act = (what: string) => bot.call('POST', `/schedules/${id}/${what}`);
    expect((await act('pause')).json).to.include({ status: 'PAUSED', pauseReason: 'USER' });
    expect((await act('pause')).json).to.include({ errorCode: 'NOOP_ERROR' });
    expect((await act('resume')).json).to.include({ status: 'ACTIVE', pauseReason: null });
    expect((await act('cancel')).json).to.include({ status: 'CANCELLED' });
    expect((await act('cancel')).status).to.equal(409);
    expect((await read(id)).slices.map(({ status }: Json) => status)).to.deep.equal([
      'COMPLETED',
      ...Array(2).fill('CANCELLED'),
    ]);
  });

  it('a repeated Idempotency-Key makes one schedule', async () => {
    const header = { 'idempotency-key': 'twap-once' };
    const body = { ...TWAP, legs: [usd('SOL', 'BUY', '1000')] };
    const first = await bot.call('POST', '/schedules', body, header);
    const again = await bot.call('POST', '/schedules', body, header);
    expect(again.text).to.equal(first.text);
    const changed = await bot.call('POST', '/schedules', { ...body, durationSeconds: 600 }, header);
    expect(changed.status).to.equal(400);
    await bot.call('POST', `/schedules/${first.json.id}/cancel`);
  });
});
