/** A ladder of which a rung fills only in part: the rungs that wait are paused instead of opening more of one leg. */
import { expect } from 'chai';
import { faultScript } from '../support/fault-script.ts';
import type { Json } from '../support/json.ts';
import { timedGatewayForEachTest } from '../support/timed-gateway.ts';
import { PAIR, traderForEachTest } from '../support/trader.ts';
import { until as untilOn } from '../support/until.ts';

const REFUSED = { kind: 'reject', reason: 'other', message: 'risk engine says no' } as const;
/** Four rungs, all of them met at once. */
const LADDER = {
  legs: PAIR,
  ...{ metric: 'PRICE', symbol: 'BTC-PERP', direction: 'MORE_THAN', start: '1', end: '4' },
  ...{ levels: 4, distribution: 'LINEAR', sizing: 'EQUAL', allowImmediate: true },
};

describe('a ladder of which a leg is refused', () => {
  const gateway = timedGatewayForEachTest();
  const bot = traderForEachTest(gateway);

  const refuseEth = () =>
    gateway.gateway
      .paperVenue('paper')
      .setFaults(faultScript().at({ symbol: 'ETH-PERP', times: null }, REFUSED).done());
  const read = async (path: string): Promise<Json> => (await bot.call('GET', path)).json;
  const statuses = async (id: string): Promise<readonly string[]> =>
    (await read(`/ladders/${id}`)).rungs.map(({ status }: Json) => status);
  const until = (what: string, look: () => Promise<unknown>) => untilOn(gateway.clock, what, look);
  const paused = (id: string) =>
    until('the rungs that wait are paused', async () => (await statuses(id)).includes('PAUSED'));
  const made = (over: object = {}) => bot.expect('POST', '/ladders', { ...LADDER, ...over });
  const notices = async (): Promise<readonly Json[]> =>
    (await read('/notifications')).notifications.filter(
      ({ category }: Json) => category === 'PLAN_PAUSED_LEG_IMBALANCE',
    );
  const longUsd = async (): Promise<number> => {
    const [position] = await bot.positions();
    const leg = (position?.legs ?? []).find(({ symbol }: Json) => symbol === 'BTC-PERP');
    return leg === undefined ? 0 : Number(leg.quantity) * Number(leg.entryPrice);
  };

  for (const onLegFailure of ['RETRY', 'KEEP']) {
    it(`${onLegFailure}: opens one rung of the other leg at most, and tells the trader${onLegFailure === 'RETRY' ? '' : ' @long'}`, async () => {
      refuseEth();
      const { id, rungs } = await made({ onLegFailure });
      await paused(id);
      await gateway.clock.advance(60_000);
      expect(await statuses(id)).to.deep.equal(['PARTIALLY_COMPLETED', 'PAUSED', 'PAUSED', 'PAUSED']);
      expect(await longUsd()).to.be.within(1, Number(rungs[0].usd) / 2 + 10);
      const rung = await read(`/triggers/${rungs[1].triggerId}`);
      expect(rung).to.include({ pauseReason: 'LEG_IMBALANCE' });
      expect(rung.error).to.match(
        /^Rung 1 ended with its legs apart \(.*risk engine says no.*Resume its rungs to go on with those that wait/,
      );
      expect(await read(`/ladders/${id}`)).to.include({ status: 'ACTIVE' });
      const [notice, ...more] = await notices();
      expect(more).to.deep.equal([]);
      expect(notice.parameters).to.include({ ladderId: id, reason: rung.error });
    });
  }

  it('UNWIND: goes on while nothing of a failed rung is left', async () => {
    refuseEth();
    const { id } = await made({ onLegFailure: 'UNWIND' });
    await until('every rung has ended', async () => (await statuses(id)).every((one) => one === 'FAILED'));
    expect(await bot.positions()).to.deep.equal([]);
    expect(await notices()).to.deep.equal([]);
  });

  it('goes on with the rungs that the trader resumes, and pauses again where a leg is refused again', async () => {
    refuseEth();
    const { id, rungs } = await made();
    await paused(id);
    const resume = async (index: number) => {
      const { status } = await bot.call('POST', `/triggers/${rungs[index].triggerId}/resume`);
      expect(status).to.equal(200);
    };
    await resume(1);
    await until('the second rung has ended', async () => (await statuses(id))[1] === 'PARTIALLY_COMPLETED');
    expect((await statuses(id)).slice(2)).to.deep.equal(['PAUSED', 'PAUSED']);
    gateway.gateway.paperVenue('paper').setFaults({ rules: [] });
    await resume(2);
    await resume(3);
    await until('the ladder has ended', async () => (await read(`/ladders/${id}`)).status !== 'ACTIVE');
    expect((await statuses(id)).slice(2)).to.deep.equal(['COMPLETED', 'COMPLETED']);
    expect(await read(`/ladders/${id}`)).to.include({ status: 'PARTIALLY_COMPLETED' });
    expect((await read(`/triggers/${rungs[3].triggerId}`)).error).to.equal(null);
  });
});
