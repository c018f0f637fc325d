/**
 * The slippage limit of a mandate that was tightened while closes of its agent waited: they fire within what it allows now.
 * Rebalances count with the slippage that they trade at by themselves.
 */
import { expect } from 'chai';
import type { TestAnswer } from '../support/gateway-client.ts';
import { type GuardedDesk, GuardedGateway } from '../support/guarded-desk.ts';
import type { Json } from '../support/json.ts';
import { openForSuite } from '../support/open-for-tests.ts';
import { usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const WIDE = '0.05';
const PAIR = [usd('SOL', 'BUY', '1000'), usd('ETH', 'SELL', '1000')];
const SLICES = { durationSeconds: 600, intervalSeconds: 300 };
const WEIGHTS = { mode: 'TARGET_WEIGHTS', action: 'TRADE', minimumDrift: '0.01' };

describe('a slippage limit that is tightened', () => {
  const guarded = openForSuite(() => GuardedGateway.open());
  let desk: GuardedDesk;
  let position: Json;
  beforeEach(async () => {
    desk = await guarded.desk({ manage: 'ALL', maxSlippage: WIDE });
    desk.asksWhen('never');
    position = await desk.openedByUser(PAIR);
  });

  /** The price at which the first leg is 10 % higher. */
  const above = () => (Number(position.legs[0].entryPrice) * 1.1).toFixed(2);
  const condition = (value = above()) => {
    return { type: 'PRICE', symbol: 'SOL-PERP', direction: 'MORE_THAN', value };
  };
  const made = (path: string, body: object, method = 'POST'): Promise<Json> =>
    desk.expect('rest', method, path, body);
  async function whileHigher(act: () => Promise<void>): Promise<void> {
    const venue = guarded.gateway.gateway.paperVenue('paper');
    await venue.shock('SOL-PERP', 1.2);
    await act();
    await venue.shock('SOL-PERP', 1 / 1.2);
  }
  /** Slippages of the executions of an origin, newest first, once there are some. */
  async function slippagesOf(origin: string, count = 1): Promise<string[]> {
    let found: Json[] = [];
    const read = async () => {
      const { executions } = (await desk.rest('GET', '/executions?includeSchedule=true&includeTriggers=true'))
        .json;
      found = executions.filter((one: Json) => one.origin === origin && one.status === 'COMPLETED');
      return found.length >= count;
    };
    await until(guarded.gateway.clock, `executions of ${origin}`, read, 900_000);
    return found.map(({ slippage }) => slippage);
  }

  for (const [maxSlippage, allowed] of [
    ['0.005', '0.01'],
    ['0.02', '0.02'],
    [null, WIDE],
  ] as const)
    it(`to ${maxSlippage} has a closing trigger, TWAP and take-profit fire at ${allowed}${maxSlippage === '0.005' ? '' : ' @long'}`, async () => {
      const { id } = position;
      const close = { fraction: '0.3', slippage: WIDE };
      await made(`/positions/${id}/close`, { type: 'TRIGGER', ...close, condition: condition() });
      await made(`/positions/${id}/close`, { type: 'TWAP', ...close, ...SLICES });
      const goal = { type: 'PERCENTAGE', value: '5', slippage: WIDE };
      const stop = { type: 'PERCENTAGE', value: '50', slippage: WIDE };
      await made(`/positions/${id}/brackets`, { takeProfit: goal, stopLoss: stop }, 'PUT');
      await slippagesOf('SCHEDULE');
      desk.bind({ maxSlippage });
      const [second] = await slippagesOf('SCHEDULE', 2);
      expect(second).to.equal(allowed);
      await whileHigher(async () => {
        expect(await slippagesOf('BRACKET')).to.deep.equal([allowed]);
      });
    });

  it('has a closing trigger fire at what is allowed then', async () => {
    const { id } = position;
    const body = { type: 'TRIGGER', fraction: '0.3', slippage: WIDE, condition: condition() };
    const trigger = await made(`/positions/${id}/close`, body);
    desk.bind({ maxSlippage: '0.005' });
    await whileHigher(async () => {
      expect(await slippagesOf('TRIGGER')).to.deep.equal(['0.01']);
    });
    expect((await desk.rest('GET', `/triggers/${trigger.id}`)).json.status).to.equal('COMPLETED');
  });

  it('leaves a stop-loss and what the user placed at their slippage', async () => {
    const stop = { type: 'PERCENTAGE', value: '2', slippage: WIDE };
    await made(`/positions/${position.id}/brackets`, { stopLoss: stop }, 'PUT');
    const body = { type: 'TRIGGER', fraction: '0.3', slippage: WIDE, condition: condition() };
    await desk.expect('user', 'POST', `/positions/${position.id}/close`, body);
    desk.bind({ maxSlippage: '0.005' });
    await whileHigher(async () => {
      expect(await slippagesOf('TRIGGER')).to.deep.equal([WIDE]);
    });
    const venue = guarded.gateway.gateway.paperVenue('paper');
    await venue.shock('SOL-PERP', 0.8);
    expect(await slippagesOf('BRACKET')).to.deep.equal([WIDE]);
    await venue.shock('SOL-PERP', 1 / 0.8);
  });

  it('holds back what opens', async () => {
    const trigger = await made('/triggers/open', { legs: PAIR, slippage: '0.02', condition: condition() });
    desk.bind({ maxSlippage: '0.005' });
    const read = async () => (await desk.rest('GET', `/triggers/${trigger.id}`)).json;
    await whileHigher(async () => {
      await until(guarded.gateway.clock, 'it is held back', async () => (await read()).status === 'PAUSED');
    });
    expect((await read()).pauseReason).to.equal('AGENT_LIMIT');
  });

  describe('and rebalances that trade by themselves', () => {
    function expectRefused({ status, json, text }: TestAnswer): void {
      expect([status, json?.errorCode], text).to.deep.equal([403, 'AGENT_LIMIT']);
      expect(json.details.limits).to.deep.equal([
        { limit: 'maxSlippage', allowed: '0.005', used: null, asked: '0.01' },
      ]);
    }

    it('are refused where their slippage is above it', async () => {
      const path = `/positions/${position.id}/auto-rebalance`;
      desk.bind({ maxSlippage: '0.005' });
      expectRefused(await desk.rest('PUT', path, WEIGHTS));
      const order = { type: 'MARKET', legs: PAIR, slippage: '0.005' };
      expectRefused(await desk.rest('POST', '/trade/open', { ...order, autoRebalance: WEIGHTS }));
      expect((await desk.rest('PUT', path, { ...WEIGHTS, action: 'NOTIFY' })).status).to.equal(200);
      expect((await desk.rest('DELETE', path)).status).to.equal(204);
      desk.bind({ maxSlippage: '0.01' });
      expect((await desk.rest('PUT', path, WEIGHTS)).status).to.equal(200);
      expect((await desk.rest('POST', `${path}/pause`)).status).to.equal(200);
      desk.bind({ maxSlippage: '0.005' });
      expectRefused(await desk.rest('POST', `${path}/resume`));
    });

    it('are refused so in a preview', async () => {
      desk.bind({ maxSlippage: '0.005' });
      const asked = { account: desk.accountId, position_id: position.id, action: 'keep_weights' };
      const preview = await desk.tool('preview_change', { ...asked, keep_weights_min_drift_pct: '5' });
      expect(preview.data.verdict, preview.text).to.equal('ALLOWED');
      const trades = await desk.tool('preview_change', {
        ...asked,
        keep_weights_min_drift_pct: '5',
        keep_weights_action: 'TRADE',
      });
      expect(trades.data.verdict, trades.text).to.equal('REFUSED');
      expect(trades.data.limits[0].name).to.equal('maxSlippage');
      const basket = { long: ['SOL-PERP'], long_usd: '20', short: ['ETH-PERP'], short_usd: '20' };
      const brought = { slippage_pct: '0.5', keep_weights_min_drift_pct: '5', keep_weights_action: 'TRADE' };
      const order = await desk.tool('preview_basket', { account: desk.accountId, ...basket, ...brought });
      expect(order.data.verdict, order.text).to.equal('REFUSED');
      expect(order.data.limits[0].name).to.equal('maxSlippage');
    });
  });
});
