/** Protection of a position in figures: in every preview and list, on REST and MCP. */
import { expect } from 'chai';
import { gatewayForSuite } from '../support/gateway.ts';
import type { Json } from '../support/json.ts';
import { callTool, newClient } from '../support/mcp-client.ts';
import { openForEachTest } from '../support/open-for-tests.ts';
import { PAIR, trader, usd } from '../support/trader.ts';

describe('protection in figures', () => {
  const gateway = gatewayForSuite();
  let nth = 0;
  const bot = openForEachTest(() => trader(gateway, { email: `ada${++nth}@example.test` }));
  const client = openForEachTest(() => newClient(gateway.url, { 'x-api-key': bot.key }));
  beforeEach(() => client.listTools());

  const tool = (name: string, args: object) => callTool(client, name, { account: bot.accountId, ...args });
  const dryRun = (legs: readonly object[], over: object) =>
    bot.call('POST', '/trade/open', { type: 'MARKET', legs, dryRun: true, ...over });

  it('is in the list: level, distance and result of a stop at a loss and of one at a ratio', async () => {
    await bot.open(PAIR, {
      takeProfit: { type: 'DOLLAR', value: '40' },
      stopLoss: { type: 'PERCENTAGE', value: '5' },
    });
    const [position] = await bot.positions();
    const entry = position.legs.reduce(
      (all: number, leg: Json) => all + Number(leg.quantity) * Number(leg.entryPrice),
      0,
    );
    const [profit, loss] = position.protection;
    expect(profit).to.include({ kind: 'TAKE_PROFIT', metric: 'DOLLAR', firesAt: '40', resultUsd: '40' });
    expect(loss).to.include({ kind: 'STOP_LOSS', metric: 'PERCENTAGE', firesAt: '-5' });
    expect(Number(loss.resultUsd)).to.be.closeTo(-0.05 * entry, 0.01);
    expect(Number(loss.distancePct)).to.be.closeTo(5 + (100 * Number(position.unrealizedPnl)) / entry, 0.1);
    await bot.expect('PUT', `/positions/${position.id}/brackets`, {
      takeProfit: null,
      stopLoss: { type: 'PRICE_RATIO', value: '25' },
    });
    const [{ protection, legs }] = await bot.positions();
    const [long, short] = legs;
    const ratio = Number(long.markPrice) / Number(short.markPrice);
    expect(Number(protection[0].now)).to.be.closeTo(ratio, 1e-6);
    expect(Number(protection[0].distancePct)).to.be.closeTo((1 - 25 / ratio) * 100, 0.001);
    // Half of the move on each side.
    const half = Math.sqrt(25 / ratio);
    const result =
      Number(long.quantity) * (Number(long.markPrice) * half - Number(long.entryPrice)) -
      Number(short.quantity) * (Number(short.markPrice) / half - Number(short.entryPrice));
    expect(Number(protection[0].resultUsd)).to.be.closeTo(result, 0.02);
    const listed = await tool('list_positions', {});
    expect(listed.data.positions[0].protection[0]).to.include({
      metric: 'PRICE_RATIO',
      fires_at: '25',
      result_usd: protection[0].resultUsd,
    });
    expect(listed.text).to.match(
      /stop-loss PRICE_RATIO now [\d.]+, fires at 25, [\d.]+ % away, result about -/,
    );
  });

  it('is in every preview: of an order, an increase, a share that is closed, a reversal', async () => {
    const one = await dryRun([usd('BTC', 'BUY', '1000')], { stopLoss: { type: 'PRICE', value: '100000' } });
    const [stop] = one.json.protection;
    const [leg] = one.json.plan.legs;
    const mark = Number(stop.now);
    expect(Number(stop.resultUsd)).to.be.closeTo(Number(leg.quantity) * (100_000 - mark), 0.01);
    expect(Number(stop.distancePct)).to.be.closeTo((1 - 100_000 / mark) * 100, 0.001);

    await bot.open(PAIR, { stopLoss: { type: 'PERCENTAGE', value: '5' } });
    const [{ id, protection: now }] = await bot.positions();
    const resultOf = (answer: { readonly json: Json; readonly text: string }) => {
      expect(answer.json.protection, answer.text).to.have.length(1);
      return Number(answer.json.protection[0].resultUsd);
    };
    const held = Number(now[0].resultUsd);
    const plan = (what: string, body: object) => bot.call('POST', `/positions/${id}/${what}/plan`, body);
    expect(resultOf(await plan('adjust', { intent: 'INCREASE', fraction: '1' }))).to.be.closeTo(2 * held, 3);
    expect(resultOf(await plan('close', { fraction: '0.5' }))).to.be.closeTo(held / 2, 3);
    expect((await plan('close', {})).json.protection).to.deep.equal([]);
    expect(resultOf(await plan('reverse', {}))).to.be.closeTo(held, 3);

    expect(resultOf(await plan('brackets', { stopLoss: { type: 'PERCENTAGE', value: '10' } }))).to.be.closeTo(
      2 * held,
      1,
    );
    expect((await plan('brackets', { stopLoss: null })).json.protection).to.deep.equal([]);
    const passed = await plan('brackets', { takeProfit: { type: 'POSITION_VALUE', value: '1' } });
    expect([passed.status, passed.json.details[0].path], passed.text).to.deep.equal([
      400,
      'takeProfit.value',
    ]);
    const rebalanced = resultOf(await plan('rebalance', {}));
    expect(rebalanced).to.be.closeTo(held, 3);
    const weighed = await tool('preview_change', { position_id: id, action: 'rebalance' });
    expect(Number(weighed.data.protection[0].result_usd), weighed.text).to.be.closeTo(rebalanced, 0.1);

    const basket = await tool('preview_basket', {
      ...{ long: ['SOL-PERP'], long_usd: '300', stop_loss_metric: 'DOLLAR', stop_loss_value: '30' },
    });
    expect(basket.data.protection).to.deep.include({
      ...{ kind: 'STOP_LOSS', metric: 'DOLLAR', fires_at: '-30', result_usd: '-30' },
      now: basket.data.protection[0].now,
      distance_pct: basket.data.protection[0].distance_pct,
    });
    expect(basket.text).to.match(/^Protection: stop-loss DOLLAR now .*result about -30 USD\.$/m);
    const waits = await tool('preview_basket', {
      ...{ long: ['SOL-PERP'], long_usd: '300', stop_loss_metric: 'DOLLAR', stop_loss_value: '30' },
      ...{ style: 'when', when_metric: 'PRICE', when_instrument: 'SOL-PERP' },
      ...{ when_direction: 'MORE_THAN', when_value: '99999' },
    });
    expect(waits.data.protection[0].result_usd, waits.text).to.equal('-30');
    const wider = await tool('preview_change', {
      ...{ position_id: id, action: 'protect', stop_loss_metric: 'PERCENTAGE', stop_loss_value: '20' },
    });
    expect(Number(wider.data.protection[0].result_usd), wider.text).to.be.closeTo(4 * held, 1);
    const without = await tool('preview_change', {
      position_id: id,
      action: 'protect',
      remove_stop_loss: true,
    });
    expect(without.data.protection).to.deep.equal([]);
  });

  it('is in the lists of what waits, as if the rest of it filled now', async () => {
    const stopLoss = { type: 'PERCENTAGE', value: '5' };
    const legs = [usd('BTC', 'BUY', '1000')];
    const condition = { type: 'PRICE', symbol: 'BTC-PERP', direction: 'LESS_THAN', value: '1' };
    const trigger = await bot.expect('POST', '/triggers/open', { legs, condition, stopLoss });
    expect(trigger).not.to.have.property('protection');
    const listed = (path: string) => bot.expect('GET', path);
    const [waiting] = (await listed('/triggers')).triggers;
    expect(waiting.protection).to.have.length(1);
    const [one] = waiting.protection;
    expect(one).to.include({ kind: 'STOP_LOSS', metric: 'PERCENTAGE', now: '0', firesAt: '-5' });
    expect(Number(one.resultUsd)).to.be.closeTo(-50, 0.5);
    expect((await listed(`/triggers/${trigger.id}`)).protection).to.deep.equal(waiting.protection);

    // Half of the 400 USD is held after the first slice. The other half is added to it.
    const asked = { legs: [usd('SOL', 'BUY', '400')], durationSeconds: 120, intervalSeconds: 60, stopLoss };
    const twap = await bot.expect('POST', '/schedules', asked);
    const loss = async () => {
      const [{ protection }] = (await listed('/schedules')).schedules;
      return Number(protection[0].resultUsd);
    };
    expect(await loss()).to.be.closeTo(-20, 0.5);
    await gateway.clock.advance(10_000);
    expect(await bot.positions()).to.have.length(1);
    expect(await loss()).to.be.closeTo(-20, 0.5);
    expect((await bot.call('POST', `/schedules/${twap.id}/cancel`)).json.protection).to.deep.equal([]);
    expect((await bot.call('POST', `/triggers/${trigger.id}/cancel`)).json.protection).to.deep.equal([]);
  });

  it('a PRICE of a basket with both sides is refused, and the metric that is meant is named', async () => {
    const stopLoss = { type: 'PRICE', value: '1' };
    const three = [usd('BTC', 'BUY', '500'), usd('SOL', 'BUY', '500'), usd('ETH', 'SELL', '1000')];
    for (const [legs, better] of [
      [PAIR, 'PRICE_RATIO'],
      [three, 'WEIGHTED_RATIO'],
    ] as const)
      for (const dry of [true, false]) {
        const refused = await bot.call('POST', '/trade/open', {
          type: 'MARKET',
          legs,
          stopLoss,
          dryRun: dry,
        });
        expect([refused.status, refused.json.details?.[0]?.path], refused.text).to.deep.equal([
          400,
          'stopLoss.type',
        ]);
        expect(refused.json.details[0].message).to.include(`Use ${better}`);
      }
    await bot.open(PAIR);
    const [{ id }] = await bot.positions();
    const put = await bot.call('PUT', `/positions/${id}/brackets`, { stopLoss });
    expect([put.status, put.json.details?.[0]?.path], put.text).to.deep.equal([400, 'stopLoss.type']);
    const price = { stop_loss_metric: 'PRICE', stop_loss_value: '1' };
    const basket = await tool('preview_basket', {
      ...{ long: ['BTC-PERP'], short: ['ETH-PERP'], long_usd: '500', short_usd: '500', ...price },
    });
    expect(basket.text).to.include('Use PRICE_RATIO');
    const change = await tool('preview_change', { position_id: id, action: 'protect', ...price });
    expect(change.data, change.text).to.deep.include({ verdict: 'REFUSED', preview_id: null });
    expect(change.text).to.include('Use PRICE_RATIO');
  });
});
