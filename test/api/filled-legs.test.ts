/** The records of ladders, rungs, triggers, schedules and rebalances say what of each leg has filled. */
import { expect } from 'chai';
import { dec, sum, text } from '../../gateway/domain/decimal.ts';
import { faultScript } from '../support/fault-script.ts';
import type { Json } from '../support/json.ts';
import { timedGatewayForEachTest } from '../support/timed-gateway.ts';
import { PAIR, traderForEachTest, usd } from '../support/trader.ts';
import { until as untilOn } from '../support/until.ts';

const NO_ETH = faultScript()
  .at(
    { symbol: 'ETH-PERP', times: null },
    { kind: 'reject', reason: 'other', message: 'risk engine says no' },
  )
  .done();
/** Holds at once: BTC is far above it. */
const NOW = {
  condition: { type: 'PRICE', direction: 'MORE_THAN', value: '1', symbol: 'BTC-PERP' },
  allowImmediate: true,
};
const LADDER = {
  legs: [usd('BTC', 'BUY', '4000'), usd('ETH', 'SELL', '4000')],
  metric: 'PRICE',
  symbol: 'BTC-PERP',
  direction: 'MORE_THAN',
  start: '1',
  end: '90000000',
  levels: 2,
  distribution: 'LINEAR',
  sizing: 'EQUAL',
  allowImmediate: true,
};

describe('what has filled of a plan, over HTTP', () => {
  const gateway = timedGatewayForEachTest();
  const bot = traderForEachTest(gateway);

  const refuseEth = () => gateway.gateway.paperVenue('paper').setFaults(NO_ETH);
  const made = (path: string, body: object) => bot.expect('POST', path, body);
  const ended = (path: string, isEnded: (one: Json) => boolean): Promise<Json> =>
    untilOn(gateway.clock, `the end of ${path}`, async () => {
      const one = (await bot.call('GET', path)).json;
      return isEnded(one) ? one : null;
    });
  const firedTrigger = (id: string) => ended(`/triggers/${id}`, ({ status }) => !isWaiting(status));
  const isWaiting = (status: string) => ['ACTIVE', 'PAUSED', 'TRIGGERED'].includes(status);
  const heldBy = async (): Promise<Json[]> => {
    const [position] = await bot.positions();
    return position?.legs.filter(({ quantity }: Json) => quantity !== '0') ?? [];
  };
  const expectHeld = async (filled: readonly Json[]) => {
    const held = await heldBy();
    expect(held.map(({ symbol }) => symbol)).to.deep.equal(['BTC-PERP']);
    expect(filled.map(({ symbol, side }) => [symbol, side])).to.deep.equal([
      ['BTC-PERP', 'BUY'],
      ['ETH-PERP', 'SELL'],
    ]);
    expect(filled[0].quantity).to.equal(held[0].quantity);
    expect(Number(filled[0].notional)).to.be.closeTo(
      Number(held[0].quantity) * Number(held[0].entryPrice),
      0.01,
    );
    expect(filled[1]).to.include({ quantity: '0', notional: '0' });
  };

  it('a ladder whose ETH leg is refused says how much BTC its rungs hold, and is not FAILED', async () => {
    refuseEth();
    const { id, filled, rungs } = await made('/ladders', LADDER);
    expect(filled).to.deep.equal([]);
    const partly = await firedTrigger(rungs[0].triggerId);
    expect(partly.status).to.equal('PARTIALLY_COMPLETED');
    expect(partly.error).to.include('risk engine says no');
    await expectHeld(partly.filled);
    const live = await ended(`/ladders/${id}`, (ladder) => ladder.rungs[1].status === 'PAUSED');
    expect(live).to.include({ status: 'ACTIVE', filledLevels: 0 });
    expect(live.rungs.map((rung: Json) => rung.filled)).to.deep.equal([partly.filled, []]);
    await expectHeld(live.filled);
    await bot.call('POST', `/triggers/${rungs[1].triggerId}/cancel`);
    const over = (await bot.call('GET', '/ladders')).json.ladders[0];
    expect(over).to.include({ id, status: 'PARTIALLY_COMPLETED', filledLevels: 0 });
    await expectHeld(over.filled);
    const listed = (await bot.call('GET', '/triggers?status=PARTIALLY_COMPLETED')).json.triggers;
    expect(listed.map((one: Json) => one.id)).to.deep.equal([partly.id]);
  });

  it('a ladder adds up its rungs, and one that nothing filled of has FAILED @long', async () => {
    const { id } = await made('/ladders', { ...LADDER, end: '2' });
    const done = await ended(`/ladders/${id}`, ({ status }) => status !== 'ACTIVE');
    expect(done).to.include({ status: 'COMPLETED', filledLevels: 2 });
    for (const [index, leg] of done.filled.entries()) {
      const quantities = done.rungs.map(({ filled }: Json) => dec(filled[index].quantity));
      expect(leg.quantity).to.equal(text(sum(quantities)));
    }
    gateway.gateway.paperVenue('paper').setFaults({
      rules: [{ match: { times: null }, action: { kind: 'reject', reason: 'other', message: 'no' } }],
    });
    const refused = await made('/ladders', { ...LADDER, end: '2' });
    const failed = await ended(`/ladders/${refused.id}`, ({ status }) => status !== 'ACTIVE');
    expect(failed.status).to.equal('FAILED');
    expect(failed.filled.map(({ quantity }: Json) => quantity)).to.deep.equal(['0', '0']);
  });

  it('a trigger and its notification say so too, and one that is filled in full says what', async () => {
    const whole = await made('/triggers/open', { legs: PAIR, ...NOW });
    expect(whole.filled).to.deep.equal([]);
    const { status, filled } = await firedTrigger(whole.id);
    expect(status).to.equal('COMPLETED');
    expect(filled.map(({ quantity }: Json) => quantity)).to.deep.equal(
      (await heldBy()).map(({ quantity }) => quantity),
    );
    await gateway.trade(bot, `/positions/${(await bot.positions())[0].id}/close`, { type: 'MARKET' });
    refuseEth();
    const { id } = await made('/triggers/open', { legs: PAIR, ...NOW });
    const partly = await firedTrigger(id);
    expect(partly.status).to.equal('PARTIALLY_COMPLETED');
    await expectHeld(partly.filled);
    const { notifications } = (await bot.call('GET', '/notifications')).json;
    const told = notifications.find(({ parameters }: Json) => parameters.triggerId === id);
    expect(told.category).to.equal('TRIGGER_FAILED');
  });

  it('a waiting close says what it has closed, and a take-profit what its rounds have', async () => {
    await bot.open(PAIR);
    const [position] = await bot.positions();
    refuseEth();
    const { id } = await made(`/positions/${position.id}/close`, {
      type: 'TRIGGER',
      fraction: '0.5',
      ...NOW,
    });
    const partly = await firedTrigger(id);
    expect(partly.status).to.equal('PARTIALLY_COMPLETED');
    const [btc] = (await bot.positions())[0].legs;
    expect(dec(partly.filled[0].quantity).plus(btc.quantity).eq(position.legs[0].quantity)).to.equal(true);
    expect(partly.filled[1]).to.include({ symbol: 'ETH-PERP', quantity: '0' });

    await bot.expect('PUT', `/positions/${position.id}/brackets`, {
      stopLoss: { type: 'PERCENTAGE', value: '1' },
    });
    await gateway.gateway.paperVenue('paper').shock('BTC-PERP', 0.9);
    const stop = (await bot.call('GET', '/triggers?kind=CLOSE')).json.triggers[0];
    const working = await ended(`/triggers/${stop.id}`, ({ bracket }) => bracket.rounds > 0);
    expect(working.filled[0].quantity).to.equal(btc.quantity);
    gateway.gateway.paperVenue('paper').setFaults({ rules: [] });
    const closed = await ended(`/triggers/${stop.id}`, ({ status }) => status === 'COMPLETED');
    expect(closed.filled.map(({ quantity }: Json) => quantity)).to.deep.equal([
      btc.quantity,
      position.legs[1].quantity,
    ]);
  });

  it('a TWAP says it of all its slices', async () => {
    refuseEth();
    const { id, filled } = await made('/schedules', {
      legs: LADDER.legs,
      ...{ durationSeconds: 80, intervalSeconds: 20 },
    });
    expect(filled.map(({ quantity }: Json) => quantity)).to.deep.equal(['0', '0']);
    const paused = await ended(`/schedules/${id}`, ({ status }) => status === 'PAUSED');
    await expectHeld(paused.filled);
  });

  it('an automatic rebalance says what its last trade has filled @long', async () => {
    await bot.open(PAIR);
    const [position] = await bot.positions();
    const config = { mode: 'TARGET_WEIGHTS', action: 'TRADE', minimumDrift: '0.005', cooldownSeconds: 60 };
    const set = await bot.call('PUT', `/positions/${position.id}/auto-rebalance`, config);
    expect(set.json.lastFilled).to.deep.equal([]);
    refuseEth();
    await gateway.gateway.paperVenue('paper').shock('BTC-PERP', 1.2);
    const after = await untilOn(
      gateway.clock,
      'the rebalance',
      async () => {
        const { json } = await bot.call('GET', `/positions/${position.id}/auto-rebalance`);
        return json.lastFilled.length > 0 ? json : null;
      },
      180_000,
    );
    const bySymbol = new Map(after.lastFilled.map((leg: Json) => [leg.symbol, leg.quantity]));
    expect(bySymbol.get('BTC-PERP')).not.to.equal('0');
    expect(bySymbol.get('ETH-PERP')).to.equal('0');
    expect(after.error).to.include('risk engine says no');
  });
});
