/** Triggers, brackets and ladders over HTTP, on a paper venue and a clock that moves only when told. */
import { expect } from 'chai';
import type { Json } from '../support/json.ts';
import { timedGatewayForSuite } from '../support/timed-gateway.ts';
import { PAIR, traderForSuite, usd } from '../support/trader.ts';
import { until as untilOn } from '../support/until.ts';

describe('triggers over HTTP', () => {
  const gateway = timedGatewayForSuite();
  const bot = traderForSuite(gateway);

  const until = (so: () => Promise<boolean>) => untilOn(gateway.clock, 'it comes to that', so);
  const read = async (id: string): Promise<Json> => (await bot.call('GET', `/triggers/${id}`)).json;
  async function ended(id: string): Promise<Json> {
    await until(async () => !['ACTIVE', 'PAUSED', 'TRIGGERED'].includes((await read(id)).status));
    return read(id);
  }
  const made = (path: string, body: object) => bot.expect('POST', path, body);
  async function refused(
    method: string,
    path: string,
    body: object | undefined,
    status: number,
    code: string,
  ) {
    const answer = await bot.expect(method, path, body, status);
    expect(answer.errorCode).to.equal(code);
    return answer;
  }
  const mark = async (symbol: string): Promise<number> => {
    const { prices } = (await bot.call('GET', '/prices?connector=paper')).json;
    return Number(prices.find(({ id }: Json) => id === `${symbol}-PERP`)?.mark);
  };
  /** A level that is `factor` times the price of now, with the figures of a price. */
  const level = async (symbol: string, factor: number) => String(Math.round((await mark(symbol)) * factor));
  const shock = (symbol: string, factor: number) =>
    gateway.gateway.paperVenue('paper').shock(`${symbol}-PERP`, factor);
  const above = (value: string) => ({ type: 'PRICE', direction: 'MORE_THAN', value, symbol: 'BTC-PERP' });
  async function position(): Promise<Json> {
    const { positionId } = await gateway.trade(bot, '/trade/open', { type: 'MARKET', legs: PAIR });
    return (await bot.call('GET', `/positions/${positionId}`)).json;
  }
  async function closeAll(): Promise<void> {
    await bot.call('POST', '/positions/close-all', {});
    await until(async () => (await bot.positions()).length === 0);
  }
  afterEach(async () => {
    await bot.call('POST', '/triggers/cancel-all', {});
    await closeAll();
  });

  it('is created, seen watching, fires, and leads to a position', async () => {
    const value = await level('BTC', 1.02);
    const created = await made('/triggers/open', { legs: PAIR, condition: above(value) });
    expect(created).to.include({ status: 'ACTIVE', kind: 'OPEN', bracketType: null, priceSource: 'MARK' });
    const watching = await read(created.id);
    expect(Number(watching.lastValue)).to.equal(await mark('BTC'));
    expect(watching.lastCheckedAt).to.be.a('string');
    await shock('BTC', 1.05);
    const done = await ended(created.id);
    expect(done).to.include({ status: 'COMPLETED', error: null, pauseReason: null });
    expect(Number(done.lastValue)).to.be.greaterThan(Number(value));
    const [opened] = await bot.positions();
    expect(done.positionId).to.equal(opened?.['id']);
    const listed = (await bot.call('GET', '/triggers?status=COMPLETED&kind=OPEN')).json.triggers;
    expect(listed.map(({ id }: Json) => id)).to.include(created.id);
    const { executions } = (await bot.call('GET', '/executions?includeTriggers=true')).json;
    expect(executions.find(({ id }: Json) => id === done.executionId)).to.include({ origin: 'TRIGGER' });
    const { notifications } = (await bot.call('GET', '/notifications')).json;
    expect(notifications[0]).to.include({ category: 'TRIGGER_EXECUTED' });
    expect(notifications[0].parameters).to.deep.include({
      triggerId: created.id,
      metric: 'price',
      level: Number(value),
    });
  });

  it('watches the z-score of a ratio, and tells at which ratio it fires', async () => {
    const condition = {
      ...{ type: 'PRICE_RATIO', direction: 'MORE_THAN', value: '50' },
      ...{ transform: 'Z_SCORE', lookback: 240 },
    };
    const created = await made('/triggers/open', { legs: PAIR, condition });
    expect(created.condition).to.deep.equal(condition);
    const { window, lastValue } = await read(created.id);
    expect(window).to.include({ observations: 240, needed: 120 });
    expect(Date.parse(window.until) % 3_600_000).to.equal(0);
    // The same from the candles that everybody can read.
    const to = window.until;
    const from = new Date(Date.parse(to) - 240 * 3_600_000).toISOString();
    const closes = async (symbol: string) =>
      (await bot.call('GET', `/candles?connector=paper&symbol=${symbol}&interval=1h&from=${from}&to=${to}`))
        .json.candles;
    const [long, short] = [await closes('BTC-PERP'), await closes('ETH-PERP')];
    const logs = long.map(({ close }: Json, hour: number) =>
      Math.log(Number(close) / Number(short[hour].close)),
    );
    const mean = logs.reduce((total: number, one: number) => total + one, 0) / logs.length;
    const deviation = Math.sqrt(
      logs.reduce((total: number, one: number) => total + (one - mean) ** 2, 0) / (logs.length - 1),
    );
    expect(logs).to.have.length(240);
    expect(Math.log(Number(window.ratioLevel))).to.be.closeTo(mean + 50 * deviation, 1e-9);
    const now = Math.log((await mark('BTC')) / (await mark('ETH')));
    expect(Number(lastValue)).to.be.closeTo((now - mean) / deviation, 1e-6);
    await shock('BTC', Math.exp(50 * deviation + 0.3));
    const done = await ended(created.id);
    expect(done.status).to.equal('COMPLETED');
    expect(Number(done.lastValue)).to.be.greaterThan(50);
    const { notifications } = (await bot.call('GET', '/notifications')).json;
    expect(notifications[0].parameters).to.include({ metric: 'z_score', level: 50 });
    await closeAll();
    await shock('BTC', Math.exp(-50 * deviation - 0.3));
  });

  it('refuses transforms that say too little, or of what is no ratio', async () => {
    const ratio = { type: 'PRICE_RATIO', direction: 'MORE_THAN', value: '2' };
    const z = { ...ratio, transform: 'Z_SCORE', lookback: 240 };
    for (const [condition, path] of [
      [{ ...ratio, transform: 'Z_SCORE' }, 'condition.lookback'],
      [{ ...ratio, lookback: 240 }, 'condition.transform'],
      [{ ...z, transform: 'LOG' }, 'condition.transform'],
      [{ ...z, lookback: 23 }, 'condition.lookback'],
      [{ ...z, lookback: 2_161 }, 'condition.lookback'],
      [{ ...z, value: '-1000.1' }, 'condition.value'],
      [{ ...ratio, value: '-2' }, 'condition.value'],
      [{ ...ratio, value: '0' }, 'condition.value'],
      [{ ...above('100000'), transform: 'Z_SCORE', lookback: 240 }, 'condition.transform'],
    ] as const) {
      const body = { legs: PAIR, condition };
      const answer = await refused('POST', '/triggers/open', body, 400, 'VALIDATION_ERROR');
      expect(answer.details[0].path, JSON.stringify(condition)).to.equal(path);
    }
    const stopLoss = { ...z, type: 'PRICE_RATIO', direction: undefined };
    for (const [bracket, path] of [
      [{ type: 'PERCENTAGE', value: '2', transform: 'SPREAD', lookback: 240 }, 'stopLoss.transform'],
      [{ ...stopLoss, trailing: { delta: '1' } }, 'stopLoss.trailing'],
    ] as const) {
      const body = { type: 'MARKET', legs: PAIR, stopLoss: bracket };
      const answer = await refused('POST', '/trade/open', body, 400, 'VALIDATION_ERROR');
      expect(answer.details[0].path).to.equal(path);
    }
  });

  it('a position closes at a z-score', async () => {
    const takeProfit = { type: 'PRICE_RATIO', value: '40', transform: 'Z_SCORE', lookback: 240 };
    const opening = { type: 'MARKET', legs: PAIR, takeProfit };
    const { positionId } = await gateway.trade(bot, '/trade/open', opening);
    const held = (await bot.call('GET', `/positions/${positionId}`)).json;
    expect(held.takeProfit).to.include({ ...takeProfit, status: 'ACTIVE' });
    const spread = (value: string) => ({
      takeProfit: { type: 'WEIGHTED_RATIO', value, transform: 'SPREAD', lookback: 2_160 },
    });
    const path = `/positions/${positionId}/brackets`;
    const refusal = await refused('PUT', path, spread('-1000'), 400, 'VALIDATION_ERROR');
    const now = Number(/the value is (-?[0-9.]+)/.exec(refusal.details[0].message)?.[1]);
    const put = await bot.expect('PUT', path, spread((now + 10).toFixed(4)));
    const { window, lastValue } = await read(put.takeProfit.triggerId);
    expect(Number(lastValue)).to.be.closeTo(now, 1);
    expect(window).to.include({ observations: 2_160, needed: 1_080 });
    // The weighted ratio of a pair is the root of its price ratio: 20 % of logarithms here are 10 there.
    await shock('BTC', Math.exp(0.25));
    await until(async () => (await bot.call('GET', `/positions/${positionId}`)).json.status === 'CLOSED');
    await shock('BTC', Math.exp(-0.25));
  });

  it('the same key makes one trigger, and its first answer comes again', async () => {
    const body = { legs: PAIR, condition: above(await level('BTC', 1.5)) };
    const key = { 'idempotency-key': 'trigger-1' };
    const first = await bot.call('POST', '/triggers/open', body, key);
    await shock('BTC', 1.6);
    await ended(first.json.id);
    const again = await bot.call('POST', '/triggers/open', body, key);
    expect(again.status).to.equal(200);
    expect(again.headers.get('idempotency-replayed')).to.equal('true');
    expect(again.json).to.deep.equal(first.json);
  });

  it('is changed, paused, resumed and cancelled', async () => {
    const { id } = await made('/triggers/open', { legs: PAIR, condition: above(await level('BTC', 1.2)) });
    const value = await level('BTC', 1.3);
    const changed = await bot.call('PATCH', `/triggers/${id}`, { condition: { value } });
    expect(changed.json.condition.value).to.equal(value);
    expect((await bot.call('POST', `/triggers/${id}/pause`)).json).to.include({
      status: 'PAUSED',
      pauseReason: 'USER',
    });
    await refused('POST', `/triggers/${id}/pause`, undefined, 409, 'NOOP_ERROR');
    expect((await bot.call('POST', `/triggers/${id}/resume`)).json.status).to.equal('ACTIVE');
    expect((await bot.call('POST', `/triggers/${id}/cancel`)).json.status).to.equal('CANCELLED');
    await refused('POST', `/triggers/${id}/cancel`, undefined, 409, 'NOOP_ERROR');
    await refused('PATCH', `/triggers/${id}`, { condition: { value } }, 409, 'NOOP_ERROR');
  });

  it('a level that is no price or ratio is refused when it is changed, too', async () => {
    const { id } = await made('/triggers/open', { legs: PAIR, condition: above(await level('BTC', 1.2)) });
    for (const value of ['0', '-1']) {
      const body = { condition: { value } };
      const answer = await refused('PATCH', `/triggers/${id}`, body, 400, 'VALIDATION_ERROR');
      expect(answer.details[0]).to.include({ path: 'condition.value', message: 'Must be greater than 0' });
    }
  });

  it('take-profit and stop-loss of a position: one fires, the other is cancelled', async () => {
    const { id } = await position();
    const { takeProfit, stopLoss } = await bot.expect('PUT', `/positions/${id}/brackets`, {
      takeProfit: { type: 'DOLLAR', value: '30' },
      stopLoss: { type: 'PERCENTAGE', value: '20' },
    });
    const shown = (await bot.call('GET', `/positions/${id}`)).json;
    expect(shown.takeProfit.triggerId).to.equal(takeProfit.triggerId);
    await refused(
      'PUT',
      `/positions/${id}/brackets`,
      { stopLoss: { type: 'POSITION_VALUE', value: '90000' } },
      400,
      'VALIDATION_ERROR',
    );
    await shock('BTC', 1.06);
    expect(await ended(takeProfit.triggerId)).to.include({ status: 'COMPLETED', bracketType: 'TAKE_PROFIT' });
    expect((await read(stopLoss.triggerId)).status).to.equal('CANCELLED');
    expect((await bot.call('GET', `/positions/${id}`)).json).to.include({
      status: 'CLOSED',
      takeProfit: null,
    });
    await refused('PUT', `/positions/${id}/brackets`, { stopLoss: null }, 409, 'NOOP_ERROR');
  });

  it('a position closes by a trigger, a share of it', async () => {
    const { id, legs } = await position();
    const answer = await bot.expect('POST', `/positions/${id}/close`, {
      type: 'TRIGGER',
      fraction: '0.5',
      condition: above(await level('BTC', 1.02)),
    });
    expect(answer).to.include({ kind: 'CLOSE', positionId: id, fraction: '0.5' });
    await shock('BTC', 1.05);
    expect((await ended(answer.id)).status).to.equal('COMPLETED');
    const left = (await bot.call('GET', `/positions/${id}`)).json;
    expect(Number(left.legs[0].quantity)).to.be.closeTo(Number(legs[0].quantity) / 2, 1e-4);
    await closeAll();
    const late = { type: 'TRIGGER', condition: above(await level('BTC', 1.5)) };
    await refused('POST', `/positions/${id}/close`, late, 409, 'NOOP_ERROR');
  });

  it('a ladder: made whole, rungs fire by their levels, the rest is cancelled', async () => {
    const start = await mark('BTC');
    const body = {
      legs: [usd('BTC', 'BUY', '1000')],
      metric: 'PRICE',
      direction: 'LESS_THAN',
      start: String(Math.round(start * 0.97)),
      end: String(Math.round(start * 0.6)),
      levels: 4,
      distribution: 'LINEAR',
      sizing: 'EQUAL',
    };
    const ladder = await made('/ladders', body);
    expect(ladder).to.include({ status: 'ACTIVE', levels: 4, filledLevels: 0, totalUsd: '1000' });
    expect(ladder.rungs.map(({ usd: size }: Json) => size)).to.deep.equal(Array(4).fill('250'));
    await shock('BTC', 0.95);
    const [first] = ladder.rungs;
    expect((await ended(first.triggerId)).status).to.equal('COMPLETED');
    const seen = (await bot.call('GET', `/ladders/${ladder.id}`)).json;
    expect(seen).to.include({ status: 'ACTIVE', filledLevels: 1 });
    const cancelled = await bot.expect('POST', `/ladders/${ladder.id}/cancel`, undefined, 202);
    expect(cancelled.rungs.map(({ status }: Json) => status)).to.deep.equal([
      'COMPLETED',
      'CANCELLED',
      'CANCELLED',
      'CANCELLED',
    ]);
    await refused('POST', `/ladders/${ladder.id}/cancel`, undefined, 409, 'NOOP_ERROR');
    const tiny = { ...body, legs: [usd('BTC', 'BUY', '20')], start: String(Math.round(start * 0.9)) };
    const small = await refused('POST', '/ladders', tiny, 400, 'VALIDATION_ERROR');
    expect(small.details[0].path).to.equal('levels');
  });
});
