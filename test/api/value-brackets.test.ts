/** Take-profit and stop-loss in USD and percent while the size of the position changes, over HTTP. */
import { expect } from 'chai';
import type { Json } from '../support/json.ts';
import { timedGatewayForEachTest } from '../support/timed-gateway.ts';
import { type TestLeg, traderForEachTest, usd } from '../support/trader.ts';
import { until as untilOn } from '../support/until.ts';

const SOL = [usd('SOL', 'BUY', '4000')];
const value = (level: string) => ({ type: 'POSITION_VALUE', value: level });
const dollars = (level: string) => ({ type: 'DOLLAR', value: level });

describe('brackets in USD and percent, when the size changes', () => {
  const gateway = timedGatewayForEachTest();
  const bot = traderForEachTest(gateway);

  const shock = (symbol: string, factor: number) =>
    gateway.gateway.paperVenue('paper').shock(`${symbol}-PERP`, factor);
  const until = (what: string, so: () => Promise<boolean>) => untilOn(gateway.clock, what, so, 500_000);
  const opened = async (
    legs: readonly TestLeg[],
    brackets: Readonly<Record<string, unknown>> = {},
  ): Promise<Json> => {
    const { positionId } = await bot.open(legs, brackets);
    return read(positionId);
  };
  const read = async (id: string): Promise<Json> => (await bot.call('GET', `/positions/${id}`)).json;
  const adjust = (id: string, body: object) => gateway.trade(bot, `/positions/${id}/adjust`, body);
  const stays = async (id: string): Promise<Json> => {
    await gateway.clock.advance(5_000);
    const position = await read(id);
    expect(position.status).to.equal('OPEN');
    return position;
  };
  const isClosed = (id: string) => until('it is closed', async () => (await read(id)).status === 'CLOSED');

  it('a value stop moves with a position that is halved, and fires after the same fall', async () => {
    const { id, stopLoss } = await opened(SOL, { stopLoss: value('3600') });
    expect(Number(stopLoss.level)).to.be.closeTo(3600, 5);
    await adjust(id, { intent: 'REDUCE', fraction: '0.5' });
    const halved = await stays(id);
    expect(halved.stopLoss.value).to.equal('3600');
    expect(Number(halved.stopLoss.level)).to.be.closeTo(1800, 5);
    await shock('SOL', 0.93);
    await stays(id);
    await shock('SOL', 0.94);
    await isClosed(id);
  });

  it('a value take-profit moves with a position that is doubled', async () => {
    const { id } = await opened(SOL, { takeProfit: value('4400') });
    await adjust(id, { intent: 'INCREASE', usd: '4000' });
    const doubled = await stays(id);
    expect(doubled.takeProfit.value).to.equal('4400');
    expect(Number(doubled.takeProfit.level)).to.be.closeTo(8800, 20);
    await shock('SOL', 1.15);
    await isClosed(id);
  });

  it('a value stop above the entry does not fire because the position is enlarged', async () => {
    const { id } = await opened(SOL);
    await shock('SOL', 1.1);
    await bot.call('PUT', `/positions/${id}/brackets`, { stopLoss: value('4200') });
    await adjust(id, { intent: 'INCREASE', usd: '8000' });
    const { stopLoss } = await stays(id);
    expect(Number(stopLoss.level)).to.be.closeTo((4200 / 4400) * 12_400, 60);
  });

  it('the value stop of a TWAP is kept per unit of what it has bought, and is as asked in the end', async () => {
    const asked = { durationSeconds: 80, intervalSeconds: 20, stopLoss: value('3600') };
    const { json, status } = await bot.call('POST', '/schedules', { legs: SOL, ...asked });
    expect(status, JSON.stringify(json)).to.equal(200);
    const schedule = async () => (await bot.call('GET', `/schedules/${json.id}`)).json;
    await until('a slice', async () => (await schedule()).slicesCompleted >= 1);
    const [first] = await bot.positions();
    expect(Number(first?.stopLoss.level)).to.be.closeTo(900, 5);
    await until('its end', async () => (await schedule()).status !== 'ACTIVE');
    expect(await schedule()).to.include({ status: 'COMPLETED' });
    const [last] = await bot.positions();
    expect(last?.stopLoss).to.include({ value: '3600', status: 'ACTIVE' });
    expect(Number(last?.stopLoss.level)).to.be.closeTo(3600, 10);
  });

  it('a plan that would begin beyond a value level is refused', async () => {
    const refused = async (path: string, body: object, field = 'stopLoss.value') => {
      const answer = await bot.expect('POST', path, { legs: SOL, ...body }, 400);
      expect(answer.details[0]).to.include({ path: field, code: 'already_met' });
    };
    const slices = { durationSeconds: 80, intervalSeconds: 20 };
    await refused('/schedules', { ...slices, stopLoss: value('4100') });
    await refused('/schedules', { ...slices, takeProfit: value('3900') }, 'takeProfit.value');
    const condition = { type: 'PRICE', symbol: 'SOL-PERP', direction: 'LESS_THAN', value: '1' };
    await refused('/triggers/open', { condition, stopLoss: value('4100') });
    await refused('/trade/open', { type: 'MARKET', stopLoss: value('4100') });
    // The level is of the whole: what is held and what is added.
    await opened(SOL);
    await refused('/trade/open', { type: 'MARKET', takeProfit: value('6000') }, 'takeProfit.value');
    const whole = await opened(SOL, { stopLoss: value('7000') });
    expect(Number(whole.stopLoss.level)).to.be.closeTo(7000, 20);
  });

  it('a loss that a part-close has realised, or a gain, counts on', async () => {
    const { id } = await opened([usd('BTC', 'BUY', '10000'), usd('ETH', 'SELL', '10000')]);
    await shock('BTC', 1.05);
    await shock('ETH', 1.05);
    await gateway.clock.advance(1_000);
    await bot.call('PUT', `/positions/${id}/brackets`, {
      takeProfit: dollars('300'),
      stopLoss: { type: 'PERCENTAGE', value: '1.5' },
    });
    const [btc] = (await read(id)).legs;
    const rest = String(Number(btc.quantity) / 5);
    const targets = [{ symbol: 'BTC-PERP', quantity: Number(rest).toFixed(5) }];
    await adjust(id, { intent: 'REDUCE', targets });
    const reduced = await stays(id);
    expect(Number(reduced.unrealizedPnl)).to.be.below(-300);
    // 400 of gains are realised: 100 less than nothing, plus the 300 asked for.
    expect(Number(reduced.takeProfit.level)).to.be.closeTo(-100, 60);
    expect(Number(reduced.stopLoss.level)).to.be.below(-3);
    await shock('ETH', 0.95);
    await isClosed(id);
  });
});
