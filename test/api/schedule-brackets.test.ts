/** A TWAP whose own take-profit or stop-loss closes what it has opened. */
import { expect } from 'chai';
import type { Json } from '../support/json.ts';
import { timedGatewayForEachTest } from '../support/timed-gateway.ts';
import { traderForEachTest, usd } from '../support/trader.ts';
import { until as untilOn } from '../support/until.ts';

const SLICES = 4;
const TWAP = {
  legs: [usd('SOL', 'BUY', '4000')],
  durationSeconds: 80,
  intervalSeconds: 20,
  stopLoss: { type: 'PERCENTAGE', value: '5' },
};

describe('schedules and the brackets they set, over HTTP', () => {
  const gateway = timedGatewayForEachTest();
  const bot = traderForEachTest(gateway);

  const until = (what: string, so: () => Promise<boolean>) => untilOn(gateway.clock, what, so, 500_000);
  const read = async (id: string): Promise<Json> => (await bot.call('GET', `/schedules/${id}`)).json;
  const made = (body: object) => bot.expect('POST', '/schedules', body);
  const sliced = (id: string, count: number) =>
    until(`${count} slices`, async () => (await read(id)).slicesCompleted >= count);
  const stopHits = async () => {
    await gateway.gateway.paperVenue('paper').shock('SOL-PERP', 0.9);
    await until('the stop has closed it', async () => (await bot.positions()).length === 0);
  };

  it('ends when its stop-loss has closed the position: what is left is not opened again', async () => {
    const { id, afterBracket } = await made(TWAP);
    expect(afterBracket).to.equal('STOP');
    await sliced(id, 1);
    await stopHits();
    const stopped = await read(id);
    expect(stopped).to.include({ status: 'STOPPED_BY_BRACKET', nextSliceAt: null });
    expect(stopped.error).to.include('stop-loss');
    await gateway.clock.advance(120_000);
    expect(await bot.positions()).to.deep.equal([]);
    const { notifications } = (await bot.call('GET', '/notifications')).json;
    const told = notifications.find(({ parameters }: Json) => parameters.scheduleId === id);
    expect(told).to.include({ category: 'SCHEDULE_STOPPED' });
    const list = (await bot.call('GET', '/schedules?status=STOPPED_BY_BRACKET')).json.schedules;
    expect(list.map((one: Json) => one.id)).to.deep.equal([id]);
    for (const act of ['pause', 'resume', 'cancel'])
      expect((await bot.call('POST', `/schedules/${id}/${act}`)).json.errorCode).to.equal('NOOP_ERROR');
  });

  it('goes on where it was asked to, and what it opens then has the stop-loss too @long', async () => {
    const { id } = await made({ ...TWAP, afterBracket: 'GO_ON' });
    await sliced(id, 1);
    await stopHits();
    expect(await read(id)).to.include({ status: 'ACTIVE', afterBracket: 'GO_ON' });
    await sliced(id, 2);
    const [position] = await bot.positions();
    expect(position?.stopLoss).to.include({ type: 'PERCENTAGE', value: '5', status: 'ACTIVE' });
    await sliced(id, SLICES);
    expect(await read(id)).to.include({ status: 'COMPLETED' });
  });

  it('sets them again where the trader has closed the position between two slices @long', async () => {
    const { id } = await made(TWAP);
    await sliced(id, 1);
    const [position] = await bot.positions();
    await bot.call('POST', `/positions/${position?.id}/close`, { type: 'MARKET' });
    await until('it is closed', async () => (await bot.positions()).length === 0);
    await sliced(id, 2);
    const [next] = await bot.positions();
    expect(next?.id).not.to.equal(position?.id);
    expect(next?.stopLoss).to.include({ type: 'PERCENTAGE', value: '5' });
  });
});
