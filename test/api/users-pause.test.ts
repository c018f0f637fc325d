/** Take-profit, stop-loss and rebalancing that the user paused: no agent gets round the pause, whatever it brings them along with. */
import { expect } from 'chai';
import type { TestAnswer } from '../support/gateway-client.ts';
import { GuardedGateway } from '../support/guarded-desk.ts';
import type { Json } from '../support/json.ts';
import { openForEachTest, openForSuite } from '../support/open-for-tests.ts';
import { usd } from '../support/trader.ts';
import { until } from '../support/until.ts';

const percent = (value: string) => ({ type: 'PERCENTAGE', value });
const PAIR = [usd('SOL', 'BUY', '1000'), usd('ETH', 'SELL', '1000')];
const MORE = [usd('SOL', 'BUY', '15'), usd('ETH', 'SELL', '15')];
/** Large enough for each slice to exceed the venue's minimum. */
const LARGE = [usd('SOL', 'BUY', '200'), usd('ETH', 'SELL', '200')];
const NEVER_MET = { type: 'PRICE', symbol: 'SOL-PERP', direction: 'MORE_THAN', value: '10000000' };
const SLICES = { durationSeconds: 600, intervalSeconds: 300 };
const WEIGHTS = { mode: 'TARGET_WEIGHTS', action: 'NOTIFY', minimumDrift: '0.5' };

describe('what the user paused of a position, and an agent', () => {
  const guarded = openForSuite(() => GuardedGateway.open());
  const desk = openForEachTest(() => guarded.desk({ manage: 'ALL' }));
  let position: Json;
  beforeEach(async () => {
    desk.asksWhen('never');
    position = await desk.openedByUser(PAIR, { stopLoss: percent('5'), takeProfit: percent('9') });
  });

  const pause = async (kind: 'stopLoss' | 'takeProfit') => {
    await desk.expect('user', 'POST', `/triggers/${position[kind].triggerId}/pause`);
  };
  const pauseBoth = () => Promise.all([pause('stopLoss'), pause('takeProfit')]);
  const shown = ({ value, status, pausedBy }: Json) => ({ value, status, pausedBy });
  const bothOf = async (id: string) => {
    const { stopLoss, takeProfit } = await desk.position(id);
    return { stopLoss: shown(stopLoss), takeProfit: shown(takeProfit) };
  };
  const PAUSED = {
    stopLoss: { value: '5', status: 'PAUSED', pausedBy: 'USER' },
    takeProfit: { value: '9', status: 'PAUSED', pausedBy: 'USER' },
  };
  function expectPaused({ status, json, text }: TestAnswer): void {
    const answer = [status, json?.errorCode, json?.details?.reason];
    expect(answer, text).to.deep.equal([409, 'RESOURCE_BUSY', 'PAUSED_BY_USER']);
  }

  for (const [what, brought] of [
    ['a stop-loss', { stopLoss: percent('4') }],
    ['a take-profit', { takeProfit: percent('0.05') }],
  ] as const)
    for (const when of ['never', 'always', 'protect'] as const)
      it(`refuses ${what} that comes along with an order, with approval ${when}`, async () => {
        if (when === 'protect') desk.asksWhen('never', { kinds: ['protect'] });
        else desk.asksWhen(when);
        await pauseBoth();
        const asked = { legs: MORE, brackets: 'REPLACE', ...brought };
        expectPaused(await desk.rest('POST', '/trade/open', { type: 'MARKET', ...asked }));
        expectPaused(await desk.rest('POST', '/trade/open', { type: 'MARKET', dryRun: true, ...asked }));
        expectPaused(await desk.rest('POST', '/triggers/open', { ...asked, condition: NEVER_MET }));
        expectPaused(await desk.rest('POST', '/schedules', { ...asked, legs: LARGE, ...SLICES }));
        expect(await desk.questions()).to.deep.equal([]);
        expect(await bothOf(position.id)).to.deep.equal(PAUSED);
      });

  it('refuses the change of a waiting trigger or rung, and of the pause itself', async () => {
    const trigger = (await desk.rest('POST', '/triggers/open', { legs: MORE, condition: NEVER_MET })).json;
    const levels = {
      metric: 'PRICE_RATIO',
      direction: 'LESS_THAN',
      start: '0.001',
      end: '0.0005',
      levels: 2,
    };
    const ladder = { legs: PAIR, distribution: 'LINEAR', sizing: 'EQUAL', ...levels };
    const made = await desk.expect('rest', 'POST', '/ladders', ladder);
    await pauseBoth();
    for (const id of [trigger.id, made.rungs[0].triggerId])
      expectPaused(
        await desk.rest('PATCH', `/triggers/${id}`, { stopLoss: percent('4'), brackets: 'REPLACE' }),
      );
    expectPaused(await desk.rest('POST', `/triggers/${position.stopLoss.triggerId}/cancel`));
    const { data } = await desk.tool('cancel', { ids: [position.takeProfit.triggerId] });
    expect(data.rows[0].cancelled).to.equal(false);
    expect(await bothOf(position.id)).to.deep.equal(PAUSED);
  });

  it('says so in a preview', async () => {
    await pauseBoth();
    const asked = { long: ['SOL-PERP'], long_usd: '15', short: ['ETH-PERP'], short_usd: '15' };
    const brought = { stop_loss_value: '4', existing_protection: 'REPLACE' };
    const preview = await desk.tool('preview_basket', { account: desk.accountId, ...asked, ...brought });
    expect(preview.text).to.include('The user paused the stop-loss of the position');
    const kept = { ...brought, existing_protection: 'KEEP' };
    const { data, text } = await desk.tool('preview_basket', { account: desk.accountId, ...asked, ...kept });
    expect(data.verdict, text).to.equal('ALLOWED');
  });

  it('says so in a preview of each change that would end the pause, and when it is placed', async () => {
    await pauseBoth();
    const at = { account: desk.accountId, position_id: position.id };
    const path = `/positions/${position.id}/auto-rebalance`;
    await desk.expect('user', 'PUT', path, WEIGHTS);
    const preview = (asked: object) => desk.tool('preview_change', { ...at, ...asked });
    const further = { action: 'protect', take_profit_value: '10' };
    for (const asked of [
      { action: 'protect', stop_loss_value: '4' },
      { action: 'protect', remove_stop_loss: true },
      further,
      { action: 'reverse', carry_protection: false, slippage_pct: '1' },
    ]) {
      const { data, text } = await preview(asked);
      expect([data.verdict, data.preview_id], text).to.deep.equal(['REFUSED', null]);
      expect(text).to.include('(PAUSED_BY_USER)');
    }
    const weights = { action: 'keep_weights', keep_weights_min_drift_pct: '50' };
    await desk.expect('user', 'POST', `${path}/pause`);
    expect((await preview(weights)).text).to.include('(PAUSED_BY_USER)');
    await desk.expect('user', 'POST', `/triggers/${position.takeProfit.triggerId}/resume`);
    const { data } = await preview(further);
    expect(data.verdict).to.equal('ALLOWED');
    await pause('takeProfit');
    const { preview_id, summary } = data;
    const placed = await desk.tool('place_order', { preview_id, summary, reason: 'a further take-profit' });
    expect(placed.data.outcome, placed.text).to.equal('NOTHING_ORDERED');
    expect(placed.data.reason).to.include('(PAUSED_BY_USER)');
  });

  it('leaves an addition free that replaces nothing of it', async () => {
    await pause('stopLoss');
    const more = { type: 'MARKET', legs: MORE };
    for (const brought of [
      {},
      { stopLoss: percent('4') },
      { takeProfit: percent('8'), brackets: 'REPLACE' },
    ]) {
      await desk.execute('rest', '/trade/open', { ...more, ...brought });
    }
    const { stopLoss, takeProfit } = await bothOf(position.id);
    expect(stopLoss).to.deep.equal(PAUSED.stopLoss);
    expect(takeProfit).to.deep.equal({ value: '8', status: 'ACTIVE', pausedBy: null });
  });

  it('leaves the user’s own orders as they are', async () => {
    await pauseBoth();
    const order = { type: 'MARKET', legs: MORE, brackets: 'REPLACE', stopLoss: percent('4') };
    await desk.execute('user', '/trade/open', order);
    const { stopLoss } = await bothOf(position.id);
    expect(stopLoss).to.deep.equal({ value: '4', status: 'ACTIVE', pausedBy: null });
  });

  it('keeps what was paused after a trigger was made, and the trigger says why', async () => {
    const value = (Number(position.legs[0].entryPrice) * 1.1).toFixed(2);
    const condition = { ...NEVER_MET, value };
    const asked = { legs: MORE, brackets: 'REPLACE', stopLoss: percent('4'), condition };
    const { json: made, text } = await desk.rest('POST', '/triggers/open', asked);
    expect(made.status, text).to.equal('ACTIVE');
    await pauseBoth();
    const venue = guarded.gateway.gateway.paperVenue('paper');
    await venue.shock('SOL-PERP', 1.2);
    const read = async () => (await desk.rest('GET', `/triggers/${made.id}`)).json;
    await until(guarded.gateway.clock, 'it has fired', async () => (await read()).status === 'COMPLETED');
    await venue.shock('SOL-PERP', 1 / 1.2);
    expect((await read()).error).to.equal('Not set, as the user paused the present one: stop-loss');
    expect(await bothOf(position.id)).to.deep.equal(PAUSED);
  });

  it('is not dropped by a reversal of an agent, nor shown as droppable', async () => {
    await pauseBoth();
    const path = `/positions/${position.id}/reverse`;
    for (const plan of ['/plan', ''])
      expectPaused(await desk.rest('POST', `${path}${plan}`, { brackets: 'DROP' }));
    expect((await desk.user('POST', path, { brackets: 'DROP' })).status).to.equal(202);
  });

  for (const by of ['rest', 'user'] as const)
    it(`${by === 'rest' ? 'stays paused' : 'watches again'} after a reversal of ${by === 'rest' ? 'an agent' : 'the user'}`, async () => {
      await pauseBoth();
      const reversed = await desk[by]('POST', `/positions/${position.id}/reverse`, {});
      expect(reversed.status, reversed.text).to.equal(202);
      let id = '';
      await until(guarded.gateway.clock, 'the opposite position is open', async () => {
        const { positions } = (await desk.rest('GET', '/positions')).json;
        id = positions.find((one: Json) => one.status === 'OPEN' && one.id !== position.id)?.id ?? '';
        return id !== '';
      });
      const after = await bothOf(id);
      for (const kind of ['stopLoss', 'takeProfit'] as const)
        expect([after[kind].status, after[kind].pausedBy], kind).to.deep.equal(
          by === 'rest' ? ['PAUSED', 'USER'] : ['ACTIVE', null],
        );
      if (by === 'user') return;
      const stop = (await desk.position(id)).stopLoss;
      expectPaused(await desk.rest('POST', `/triggers/${stop.triggerId}/resume`));
      const resumed = await desk.user('POST', `/triggers/${stop.triggerId}/resume`);
      expect(resumed.json.status, resumed.text).to.equal('ACTIVE');
    });

  it('refuses another rebalancing in the place of the paused one', async () => {
    const path = `/positions/${position.id}/auto-rebalance`;
    expect((await desk.user('PUT', path, WEIGHTS)).status).to.equal(200);
    const order = { type: 'MARKET', legs: MORE, autoRebalance: WEIGHTS };
    expect((await desk.rest('PUT', path, WEIGHTS)).json.errorCode).to.equal(
      'AUTO_REBALANCE_ACTIVE_CONFIG_EXISTS',
    );
    expect((await desk.user('POST', `${path}/pause`)).status).to.equal(200);
    expectPaused(await desk.rest('PUT', path, WEIGHTS));
    expectPaused(await desk.rest('POST', '/trade/open', order));
    expect((await desk.user('PUT', path, WEIGHTS)).json.errorCode).to.equal(
      'AUTO_REBALANCE_ACTIVE_CONFIG_EXISTS',
    );
    const { status, pausedBy } = (await desk.rest('GET', path)).json;
    expect([status, pausedBy]).to.deep.equal(['PAUSED', 'USER']);
  });
});
