/** `onLegFailure` of everything that waits, works over time or closes: taken, kept, shown and applied. */
import { expect } from 'chai';
import type { FaultAction } from '../../gateway/venues/paper/venue/faults.ts';
import { faultScript } from '../support/fault-script.ts';
import type { Json } from '../support/json.ts';
import { timedGatewayForEachTest } from '../support/timed-gateway.ts';
import { PAIR, traderForEachTest, usd } from '../support/trader.ts';
import { until as untilOn } from '../support/until.ts';

const REFUSED = { kind: 'reject', reason: 'other', message: 'risk engine says no' } as const;
const UNFILLED = { kind: 'fill', fraction: '0' } as const;
const FAR = { condition: { type: 'PRICE', direction: 'MORE_THAN', value: '99000000', symbol: 'BTC-PERP' } };
const NOW = { condition: { ...FAR.condition, value: '1' }, allowImmediate: true };
const ONE_LEG = [usd('BTC', 'BUY', '1000')];
const SLICED = { durationSeconds: 80, intervalSeconds: 20 };
const RANGE = {
  ...{ metric: 'PRICE', symbol: 'BTC-PERP', direction: 'MORE_THAN', start: '90000000', end: '99000000' },
  ...{ levels: 2, distribution: 'LINEAR', sizing: 'EQUAL' },
};
const KEEP_WEIGHTS = { mode: 'TARGET_WEIGHTS', action: 'TRADE', minimumDrift: '0.005', cooldownSeconds: 60 };

describe('onLegFailure, over HTTP', () => {
  const gateway = timedGatewayForEachTest();
  const bot = traderForEachTest(gateway);

  /** The next `times` orders of ETH; null: all of them. */
  const failEth = (action: FaultAction, times: number | null = 1) =>
    gateway.gateway
      .paperVenue('paper')
      .setFaults(faultScript().at({ symbol: 'ETH-PERP', times }, action).done());
  const made = (path: string, body: object) => bot.expect('POST', path, body);
  const read = async (path: string): Promise<Json> => (await bot.call('GET', path)).json;
  const ended = (path: string, isEnded: (one: Json) => boolean): Promise<Json> =>
    untilOn(
      gateway.clock,
      `the end of ${path}`,
      async () => {
        const one = await read(path);
        return isEnded(one) ? one : null;
      },
      200_000,
    );
  const over = ({ status }: Json) => !['ACTIVE', 'PAUSED', 'TRIGGERED'].includes(status);
  const open = async (): Promise<Json> => {
    await bot.open(PAIR);
    return (await bot.positions())[0];
  };
  const held = async (): Promise<Readonly<Record<string, string>>> => {
    const [position] = await bot.positions();
    return Object.fromEntries((position?.legs ?? []).map((leg: Json) => [leg.symbol, leg.quantity]));
  };
  const attempts = async (executionId: string): Promise<readonly number[]> => {
    const { execution } = await read(`/executions/${executionId}`);
    return execution.orders.map(({ attempt }: Json) => attempt);
  };
  const unwindings = async (parentId: string): Promise<Json[]> =>
    (await read('/executions?includeSchedule=true&includeTriggers=true')).executions.filter(
      (one: Json) => one.parentId === parentId,
    );

  describe('is taken and shown', () => {
    const OPENING: readonly (readonly [string, object])[] = [
      ['/triggers/open', FAR],
      ['/ladders', RANGE],
      ['/schedules', SLICED],
    ];
    for (const [path, rest] of OPENING) {
      it(`by POST ${path}; a pair that nobody watches is tried again`, async () => {
        for (const onLegFailure of ['KEEP', 'UNWIND', 'RETRY']) {
          const { id, ...shown } = await made(path, { legs: PAIR, ...rest, onLegFailure });
          expect(shown['onLegFailure']).to.equal(onLegFailure);
          const kept = await read(`${path.replace('/open', '')}/${id}`);
          expect(kept.onLegFailure).to.equal(onLegFailure);
          await bot.call('POST', `${path.replace('/open', '')}/${id}/cancel`);
        }
        expect(await made(path, { legs: PAIR, ...rest })).to.include({ onLegFailure: 'RETRY' });
        const ofOneLeg = path === '/schedules' ? 'RETRY' : 'KEEP';
        expect(await made(path, { legs: ONE_LEG, ...rest })).to.include({ onLegFailure: ofOneLeg });
      });
    }

    it('by closes that wait or come in slices, which are tried again by default @long', async () => {
      const { id } = await open();
      for (const rest of [
        { type: 'TRIGGER', ...FAR },
        { type: 'TWAP', ...SLICED, fraction: '0.4' },
      ]) {
        const kept = await made(`/positions/${id}/close`, { ...rest, onLegFailure: 'KEEP' });
        expect(kept.onLegFailure).to.equal('KEEP');
        expect((await made(`/positions/${id}/close`, rest)).onLegFailure).to.equal('RETRY');
      }
    });

    it('by automatic rebalances @long', async () => {
      const { id } = await open();
      const path = `/positions/${id}/auto-rebalance`;
      const set = await bot.call('PUT', path, { ...KEEP_WEIGHTS, onLegFailure: 'KEEP' });
      expect(set.json.onLegFailure).to.equal('KEEP');
      expect((await read(path)).onLegFailure).to.equal('KEEP');
      await bot.call('DELETE', path);
      expect((await bot.call('PUT', path, KEEP_WEIGHTS)).json.onLegFailure).to.equal('RETRY');
    });
  });

  it('UNWIND is refused with the reason where nothing can be closed again', async () => {
    const { id } = await open();
    const asked: readonly (readonly ['POST' | 'PUT', string, object, RegExp])[] = [
      ['POST', `/positions/${id}/close`, { type: 'MARKET' }, /not opened again: choose KEEP or RETRY/],
      ['POST', `/positions/${id}/close`, { type: 'TWAP', ...SLICED }, /not opened again/],
      ['POST', `/positions/${id}/close`, { type: 'TRIGGER', ...FAR }, /not opened again/],
      ['POST', `/positions/${id}/adjust`, { intent: 'REDUCE', fraction: '0.5' }, /not opened again: choose/],
      ['POST', `/positions/${id}/rebalance`, {}, /buys and sells within its position/],
      ['PUT', `/positions/${id}/auto-rebalance`, KEEP_WEIGHTS, /buys and sells/],
      ['POST', '/schedules', { legs: PAIR, ...SLICED, reduceOnly: true }, /not opened again/],
    ];
    for (const [method, path, body, message] of asked) {
      const refused = await bot.call(method, path, { ...body, onLegFailure: 'UNWIND' });
      expect(refused.status, path).to.equal(400);
      expect(refused.json.details[0]).to.include({ path: 'onLegFailure' });
      expect(refused.json.details[0].message).to.match(message);
    }
  });

  describe('of a trigger or rung', () => {
    it('UNWIND: what filled is closed again, and the trigger has FAILED with nothing held', async () => {
      failEth(REFUSED, null);
      const { id } = await made('/triggers/open', { legs: PAIR, ...NOW, onLegFailure: 'UNWIND' });
      const failed = await ended(`/triggers/${id}`, over);
      expect(failed.status).to.equal('FAILED');
      expect(failed.error).to.include('risk engine says no');
      expect(failed.filled.map(({ quantity }: Json) => quantity)).to.deep.equal(['0', '0']);
      expect(await bot.positions()).to.deep.equal([]);
      const [unwinding] = await unwindings(failed.executionId);
      expect(unwinding).to.include({ origin: 'TRIGGER', status: 'COMPLETED', intent: 'CLOSE' });
    });

    it('UNWIND that fails too: PARTIALLY_COMPLETED with what is held @long', async () => {
      const batches = [2, 3, 4, 5].map((batch) => ({
        match: { symbol: 'BTC-PERP', batch },
        action: UNFILLED,
      }));
      gateway.gateway.paperVenue('paper').setFaults({
        rules: [{ match: { symbol: 'ETH-PERP' }, action: REFUSED }, ...batches],
      });
      const { id } = await made('/triggers/open', { legs: PAIR, ...NOW, onLegFailure: 'UNWIND' });
      const partly = await ended(`/triggers/${id}`, over);
      expect(partly.status).to.equal('PARTIALLY_COMPLETED');
      expect(partly.filled[0].quantity).to.equal((await held())['BTC-PERP']);
    });

    it('RETRY by default: the leg that found nothing is tried again', async () => {
      failEth(UNFILLED);
      const { id } = await made('/triggers/open', { legs: PAIR, ...NOW });
      expect((await ended(`/triggers/${id}`, over)).status).to.equal('COMPLETED');
    });

    it('KEEP where it was asked for: it is not', async () => {
      failEth(UNFILLED);
      const { id } = await made('/triggers/open', { legs: PAIR, ...NOW, onLegFailure: 'KEEP' });
      const partly = await ended(`/triggers/${id}`, over);
      expect(partly.status).to.equal('PARTIALLY_COMPLETED');
      expect(await attempts(partly.executionId)).to.deep.equal([1, 1]);
    });
  });

  describe('of a TWAP', () => {
    const twap = (onLegFailure: string) => made('/schedules', { legs: PAIR, ...SLICED, onLegFailure });
    const filledOf = (schedule: Json) =>
      Object.fromEntries(schedule.filled.map((leg: Json) => [leg.symbol, leg.quantity]));

    it('UNWIND: a slice is closed again, and the later ones trade its amount', async () => {
      failEth(REFUSED);
      const { id } = await twap('UNWIND');
      const after = await ended(`/schedules/${id}`, ({ slices }) => slices[0].status === 'FAILED');
      expect(after).to.include({ status: 'ACTIVE', filledUsd: '0' });
      expect(after.slices[0]).to.include({ filledUsd: '0' });
      expect(await bot.positions()).to.deep.equal([]);
      expect(await unwindings(after.slices[0].executionId)).to.have.length(1);
      const done = await ended(`/schedules/${id}`, over);
      expect(done.status).to.equal('COMPLETED');
      expect(filledOf(done)).to.deep.equal(await held());
      const [position] = await bot.positions();
      expect(done.positionId).to.equal(position.id);
    });

    it('KEEP: a slice is not tried again, its amount goes into the later ones @long', async () => {
      failEth(UNFILLED);
      const { id } = await twap('KEEP');
      const done = await ended(`/schedules/${id}`, over);
      expect(done.status).to.equal('COMPLETED');
      expect(await attempts(done.slices[0].executionId)).to.deep.equal([1, 1]);
      expect(filledOf(done)).to.deep.equal(await held());
    });

    it('RETRY by default: a slice is tried again', async () => {
      failEth(UNFILLED);
      const { id } = await made('/schedules', { legs: PAIR, ...SLICED });
      const { slices } = await ended(`/schedules/${id}`, ({ slicesCompleted }) => slicesCompleted > 0);
      expect(await attempts(slices[0].executionId)).to.deep.equal([1, 2]);
    });
  });

  describe('of a close', () => {
    it('KEEP leaves at market what found nothing, RETRY tries it again', async () => {
      const kept = await open();
      failEth(UNFILLED);
      const body = { type: 'MARKET', onLegFailure: 'KEEP' };
      const failed = await gateway.trade(bot, `/positions/${kept.id}/close`, body);
      expect(failed).to.include({ status: 'FAILED', onLegFailure: 'KEEP' });
      expect(await held()).to.include({ 'BTC-PERP': '0' });
      failEth(UNFILLED);
      const done = await gateway.trade(bot, `/positions/${kept.id}/close`, { type: 'MARKET' });
      expect(done).to.include({ status: 'COMPLETED', onLegFailure: 'RETRY' });
    });

    for (const [type, rest] of [
      ['TRIGGER', NOW],
      ['TWAP', SLICED],
    ] as const) {
      it(`KEEP of a ${type} is that of its executions @long`, async () => {
        const { id } = await open();
        failEth(UNFILLED);
        const body = { type, ...rest, onLegFailure: 'KEEP' };
        const waiting = await made(`/positions/${id}/close`, body);
        const path = type === 'TWAP' ? '/schedules' : '/triggers';
        const after = await ended(`${path}/${waiting.id}`, over);
        const executionId = type === 'TWAP' ? after.slices[0].executionId : after.executionId;
        const { execution } = await read(`/executions/${executionId}`);
        expect(execution).to.include({ onLegFailure: 'KEEP', status: 'FAILED' });
        expect(after.status).to.equal(type === 'TWAP' ? 'COMPLETED' : 'PARTIALLY_COMPLETED');
      });
    }
  });

  it('of a rebalance: KEEP leaves what found nothing, RETRY tries it again @long', async () => {
    const { id } = await open();
    await gateway.gateway.paperVenue('paper').shock('BTC-PERP', 1.2);
    await untilOn(gateway.clock, 'the drift', async () => {
      const { json } = await bot.call('POST', `/positions/${id}/rebalance/plan`, {});
      return Number(json.drift) > 0.03;
    });
    failEth(UNFILLED);
    const kept = await gateway.trade(bot, `/positions/${id}/rebalance`, { onLegFailure: 'KEEP' });
    expect(kept).to.include({ onLegFailure: 'KEEP', status: 'FAILED' });
    failEth(UNFILLED);
    const done = await gateway.trade(bot, `/positions/${id}/rebalance`, {});
    expect(done).to.include({ onLegFailure: 'RETRY', status: 'COMPLETED' });
  });
});
