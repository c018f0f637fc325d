/** Rebalancing over HTTP, on a paper venue and a clock that moves only when told. */
import { expect } from 'chai';
import { faultScript } from '../support/fault-script.ts';
import type { Json } from '../support/json.ts';
import { timedGatewayForSuite } from '../support/timed-gateway.ts';
import { PAIR, traderForSuite, usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const CONFIG = { mode: 'TARGET_WEIGHTS', action: 'TRADE', minimumDrift: '0.05' };

describe('rebalancing over HTTP', () => {
  const gateway = timedGatewayForSuite();
  const bot = traderForSuite(gateway);
  let positionId: string;
  before(async () => {
    const execution = await gateway.trade(bot, '/trade/open', { type: 'MARKET', legs: PAIR });
    positionId = execution.positionId;
  });

  const on = (path: string, method = 'POST', body?: object) =>
    bot.call(method, `/positions/${positionId}/${path}`, body);
  /** Moves a market at once, and waits until the gateway has seen it. */
  async function shock(symbol: string, factor: number): Promise<void> {
    await gateway.gateway.paperVenue('paper').shock(symbol, factor);
    await gateway.clock.advance(3_000);
  }

  it('plans, and trades what the plan says when it is asked to', async () => {
    await shock('BTC-PERP', 1.1);
    const plan = await on('rebalance/plan', 'POST', {});
    expect(plan.status, plan.text).to.equal(200);
    expect(plan.json).to.include({ positionId, mode: 'TARGET_WEIGHTS', beta: null });
    const [btc, eth] = plan.json.legs;
    expect(Number(btc.deltaUsd)).to.be.within(-60, -40);
    expect(Number(btc.deltaUsd) + Number(eth.deltaUsd)).to.be.closeTo(0, 1e-6);
    const stopLoss = { type: 'POSITION_VALUE', value: '900' };
    expect((await on('brackets', 'PUT', { stopLoss })).status).to.equal(200);
    const guarded = await on('rebalance/plan', 'POST', {});
    const [before] = (await bot.positions())[0]?.protection ?? [];
    const [stop] = guarded.json.protection;
    expect(stop).to.include({ kind: 'STOP_LOSS', metric: 'POSITION_VALUE' });
    expect(stop.firesAt).to.not.equal(before.firesAt);
    expect((await on('brackets', 'PUT', { stopLoss: null })).status).to.equal(200);
    const executed = await gateway.trade(bot, `/positions/${positionId}/rebalance`, {});
    expect(executed).to.include({ status: 'COMPLETED', origin: 'REBALANCE', intent: 'ADJUST', positionId });
    expect(executed.orders.map(({ side }: Json) => side)).to.deep.equal(['SELL', 'SELL']);
    const after = await on('rebalance/plan', 'POST', {});
    expect(Number(after.json.drift)).to.be.lessThan(0.01);
  });

  it('a configuration is set once, read, paused, resumed and deleted', async () => {
    expect((await on('auto-rebalance', 'GET')).json).to.include({
      errorCode: 'AUTO_REBALANCE_CONFIG_NOT_FOUND',
    });
    const set = await on('auto-rebalance', 'PUT', CONFIG);
    expect(set.status, set.text).to.equal(200);
    expect(set.json).to.include({ ...CONFIG, status: 'ACTIVE', timeframe: null, cooldownSeconds: 3_600 });
    const twice = await on('auto-rebalance', 'PUT', CONFIG);
    expect([twice.status, twice.json.errorCode]).to.deep.equal([409, 'AUTO_REBALANCE_ACTIVE_CONFIG_EXISTS']);
    expect((await on('auto-rebalance/pause')).json.status).to.equal('PAUSED');
    expect((await on('auto-rebalance/pause')).json.errorCode).to.equal('NOOP_ERROR');
    expect((await on('auto-rebalance/resume')).json.status).to.equal('ACTIVE');
    const [position] = await bot.positions();
    expect(position?.autoRebalance).to.include({ id: set.json.id });
    expect((await on('auto-rebalance', 'DELETE')).status).to.equal(204);
    expect((await on('auto-rebalance', 'DELETE')).json.errorCode).to.equal('AUTO_REBALANCE_CONFIG_NOT_FOUND');
  });

  it('trades a drift away by itself, and tells', async () => {
    await on('auto-rebalance', 'PUT', CONFIG);
    await shock('ETH-PERP', 1.3);
    const news = async () =>
      (await bot.call('GET', '/notifications')).json.notifications.map(({ category }: Json) => category);
    const isTold = async () => (await news()).includes('REBALANCE_EXECUTED');
    await until(gateway.clock, 'it is told', isTold, 120_000);
    const config = (await on('auto-rebalance', 'GET')).json;
    expect(Number(config.lastDrift)).to.be.greaterThan(0.05);
    expect(config.error).to.equal(null);
    const plan = await on('rebalance/plan', 'POST', {});
    expect(Number(plan.json.drift)).to.be.lessThan(0.01);
    expect((await bot.call('GET', `/executions/${config.lastExecutionId}`)).json.execution.status).to.equal(
      'COMPLETED',
    );
  });

  for (const timeframe of ['1h', '4h', '1d']) {
    it(`plans on a beta of the ${timeframe} candles that the gateway answers with`, async () => {
      const plan = await on('rebalance/plan', 'POST', { mode: 'LIVE_BETA', timeframe });
      expect(plan.status, plan.text).to.equal(200);
      const beta = Number(plan.json.beta);
      expect(beta).to.be.closeTo(await slopeOfCandles(timeframe), 1e-9);
      expect(Number(plan.json.legs[0].targetWeight)).to.be.closeTo(1 / (1 + beta), 1e-9);
    });
  }

  /** Slope of the least squares line of the long leg's log returns on the short leg's, over the last 60. */
  async function slopeOfCandles(timeframe: string): Promise<number> {
    const step = { '1h': 3_600_000, '4h': 4 * 3_600_000, '1d': 86_400_000 }[timeframe] ?? 0;
    const end = Math.floor(gateway.clock.now() / step) * step;
    const interval = timeframe === '4h' ? '1h' : timeframe;
    const from = new Date(end - 61 * step).toISOString();
    const range = `interval=${interval}&from=${from}&to=${new Date(end).toISOString()}`;
    const [y = [], x = []] = await Promise.all(
      PAIR.map(async ({ symbol }) => {
        const { json } = await bot.call('GET', `/candles?connector=paper&symbol=${symbol}&${range}`);
        const every = json.candles.length / 61;
        const closes = json.candles.map(({ close }: Json) => Number(close));
        const kept = closes.filter((_: number, index: number) => (index + 1) % every === 0);
        return kept.slice(1).map((close: number, index: number) => Math.log(close / kept[index]));
      }),
    );
    const mean = (values: readonly number[]) => values.reduce((all, value) => all + value, 0) / values.length;
    const [meanX, meanY] = [mean(x), mean(y)];
    const over = x.reduce(
      (all: number, value: number, i: number) => all + (value - meanX) * (y[i] - meanY),
      0,
    );
    return over / x.reduce((all: number, value: number) => all + (value - meanX) ** 2, 0);
  }

  it('ends with its position', async () => {
    await gateway.trade(bot, `/positions/${positionId}/close`, { type: 'MARKET' });
    expect((await on('auto-rebalance', 'GET')).json.errorCode).to.equal('AUTO_REBALANCE_CONFIG_NOT_FOUND');
    const set = await on('auto-rebalance', 'PUT', CONFIG);
    expect([set.status, set.json.errorCode]).to.deep.equal([409, 'AUTO_REBALANCE_POSITION_NOT_OPEN']);
    expect((await on('rebalance')).json.errorCode).to.equal('AUTO_REBALANCE_POSITION_NOT_OPEN');
  });

  it('LIVE_BETA needs a pair', async () => {
    const execution = await gateway.trade(bot, '/trade/open', {
      type: 'MARKET',
      legs: [usd('BTC', 'BUY', '500'), usd('SOL', 'BUY', '500')],
    });
    const put = await bot.call('PUT', `/positions/${execution.positionId}/auto-rebalance`, {
      ...CONFIG,
      mode: 'LIVE_BETA',
    });
    expect([put.status, put.json.errorCode]).to.deep.equal([
      400,
      'AUTO_REBALANCE_INVALID_LIVE_BETA_EXPOSURE',
    ]);
  });

  const WITH_REBALANCE = {
    type: 'MARKET',
    legs: [usd('ETH', 'BUY', '500'), usd('SOL', 'SELL', '500')],
    autoRebalance: { ...CONFIG, cooldownSeconds: 60 },
  };
  it('does not begin with an addition whose fills are closed again', async () => {
    const { autoRebalance, ...plain } = WITH_REBALANCE;
    const { positionId: id } = await gateway.trade(bot, '/trade/open', plain);
    const unwinding = { ...plain, autoRebalance, onLegFailure: 'UNWIND' };
    const no = { kind: 'reject', reason: 'other', message: 'no' } as const;
    const venue = gateway.gateway.paperVenue('paper');
    venue.setFaults(faultScript().at({ symbol: 'SOL-PERP', times: 1 }, no).done());
    expect((await gateway.trade(bot, '/trade/open', unwinding)).status).to.equal('FAILED');
    await gateway.clock.advance(10_000);
    const path = `/positions/${id}/auto-rebalance`;
    expect((await bot.call('GET', path)).json.errorCode).to.equal('AUTO_REBALANCE_CONFIG_NOT_FOUND');
    expect((await gateway.trade(bot, '/trade/open', unwinding)).status).to.equal('COMPLETED');
    expect((await bot.call('GET', path)).json).to.include({ ...CONFIG, status: 'ACTIVE' });
    await gateway.trade(bot, `/positions/${id}/close`, { type: 'MARKET' });
  });

  it('begins with the order that asked for it', async () => {
    const execution = await gateway.trade(bot, '/trade/open', WITH_REBALANCE);
    const read = await bot.call('GET', `/positions/${execution.positionId}/auto-rebalance`);
    expect(read.json).to.include({ ...CONFIG, status: 'ACTIVE', cooldownSeconds: 60 });
    await gateway.trade(bot, `/positions/${execution.positionId}/close`, { type: 'MARKET' });
  });
});
