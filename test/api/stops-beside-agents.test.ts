/**
 * The stop-loss of a user while an agent that manages its own adds to his position and takes its part out again: the market has
 * no further to go to it than before, and adding and taking out in turns brings it no nearer.
 */
import { expect } from 'chai';
import { faultScript } from '../support/fault-script.ts';
import { GuardedGateway } from '../support/guarded-desk.ts';
import type { Json } from '../support/json.ts';
import { openForEachTest, openForSuite } from '../support/open-for-tests.ts';
import { isFurther } from '../support/stop-model.ts';
import { usd } from '../support/trader.ts';

const LONG = (amount: string) => [usd('BTC', 'BUY', amount)];
const PAIR = (amount: string) => [...LONG(amount), usd('ETH', 'SELL', amount)];
const RATIO_STOP = { type: 'PRICE_RATIO', value: '10' };

describe('a stop-loss of a user, beside an agent that manages its own', () => {
  const guarded = openForSuite(() => GuardedGateway.open());
  const desk = openForEachTest(() => guarded.desk({ manage: 'OWN', maxOpenedUsd24h: null }));
  let venue: ReturnType<GuardedGateway['gateway']['gateway']['paperVenue']>;

  beforeEach(async () => {
    desk.asksWhen('never');
    venue = guarded.gateway.gateway.paperVenue('paper');
  });

  /** The quantities that are left of BTC and, if named, of ETH. */
  const reduced = async (by: 'rest' | 'user', id: string, btc: string, eth?: string): Promise<void> => {
    const targets = [
      { symbol: 'BTC-PERP', quantity: btc },
      ...(eth === undefined ? [] : [{ symbol: 'ETH-PERP', quantity: eth }]),
    ];
    const { status, error } = await desk.execute(by, `/positions/${id}/adjust`, {
      intent: 'REDUCE',
      targets,
    });
    expect(status, error).to.equal('COMPLETED');
  };
  const distance = async (id: string) => Number((await desk.position(id)).protection[0].distancePct);

  for (const [what, stopLoss] of [
    ['DOLLAR', { type: 'DOLLAR', value: '10' }],
    ['trailing DOLLAR', { type: 'DOLLAR', value: '20', trailing: { delta: '12' } }],
    ['PERCENTAGE', { type: 'PERCENTAGE', value: '5' }],
  ] as const)
    it(`${what}: is moved no further away by what the agent takes out, and does not fire`, async () => {
      const { id } = await desk.openedByUser(LONG('40'));
      for (let nth = 0; nth < 3; nth += 1) await desk.opened({}, LONG('40'));
      await desk.expect('user', 'PUT', `/positions/${id}/brackets`, { stopLoss });
      await venue.shock('BTC-PERP', 0.995);
      const before = await desk.position(id);
      // More than the user has: its own share, all but some of it.
      for (const fraction of ['0.4', '0.5'])
        await desk.execute('rest', `/positions/${id}/close`, { type: 'MARKET', fraction });
      const after = await desk.position(id);
      await venue.shock('BTC-PERP', 1 / 0.995);
      expect([after.status, after.stopLoss?.status]).to.deep.equal(['OPEN', 'ACTIVE']);
      expect(isFurther(before, after)).to.equal(false);
    });

  for (const [type, value] of [
    ['DOLLAR', '10'],
    ['PERCENTAGE', '10'],
  ] as const)
    it(`${type}: is as near as without the agent where its part has gained and is taken out`, async () => {
      const { id, legs } = await desk.openedByUser(LONG('100'), { stopLoss: { type, value } });
      const [{ entryPrice, quantity }] = legs;
      const loss = type === 'DOLLAR' ? 10 / quantity : entryPrice / 10;
      await desk.opened({}, LONG('100'));
      await venue.shock('BTC-PERP', 1.02);
      await reduced('rest', id, quantity);
      const { markPrice } = (await desk.position(id)).legs[0];
      const alone = 100 * (1 - (entryPrice - loss) / markPrice);
      expect(await distance(id))
        .to.be.at.most(alone + 0.01)
        .and.above(alone - 1);
      await venue.shock('BTC-PERP', 1 / 1.02);
    });

  it('DOLLAR: is brought no nearer by adding and taking out in turns', async () => {
    const { id, legs } = await desk.openedByUser(LONG('100'), { stopLoss: { type: 'DOLLAR', value: '10' } });
    for (let round = 0; round < 6; round += 1) {
      await desk.opened({}, LONG('40'));
      await reduced('rest', id, legs[0].quantity);
    }
    expect(Number((await desk.position(id)).stopLoss.level)).to.be.closeTo(-10, 0.2);
  });

  it('PRICE_RATIO: the loss that stands in for it stays while the agent brings the missing leg', async () => {
    const refusal = { kind: 'reject', reason: 'margin', message: 'no' } as const;
    venue.setFaults(faultScript().at({ symbol: 'ETH-PERP' }, refusal).done());
    const brought = { onLegFailure: 'KEEP', stopLoss: RATIO_STOP };
    const { id, legs, stopLoss } = await desk.openedByUser(PAIR('500'), brought);
    venue.setFaults({ rules: [] });
    expect(Number(stopLoss.standIn)).to.be.below(0);
    const alone = await distance(id);
    for (let round = 0; round < 3; round += 1) {
      const { standIn } = (await desk.position(id)).stopLoss;
      const { stopLoss: kept } = await desk.opened({}, PAIR('20'));
      expect(kept).to.include({ standIn, status: 'ACTIVE' });
      expect(await distance(id)).to.be.below(alone);
      // Taking the part out again leaves the stop-loss as near and as far as it was.
      await reduced('rest', id, legs[0].quantity, '0');
      expect(await distance(id)).to.be.closeTo(alone, alone * 0.01);
    }
    await desk.opened({}, PAIR('20'));
    // Its user decides.
    await desk.execute('user', '/trade/open', { type: 'MARKET', legs: PAIR('20') });
    expect((await desk.position(id)).stopLoss).to.include({ standIn: null, status: 'ACTIVE' });
  });

  it('PRICE_RATIO: stays as near where the agent takes out a leg of which its user has none left', async () => {
    const { id, legs } = await desk.openedByUser(PAIR('20'), { stopLoss: RATIO_STOP });
    const [users, usersEth] = legs.map(({ quantity }: Json) => quantity);
    await desk.opened({}, [...LONG('48'), usd('ETH', 'SELL', '144')]);
    const [btc, eth] = (await desk.position(id)).legs.map(({ quantity }: Json) => quantity);
    await reduced('user', id, btc, (Number(eth) - Number(usersEth)).toFixed(4));
    const before = await distance(id);
    await reduced('rest', id, users, '0');
    expect(await distance(id)).to.be.at.most(before * 1.05);
  });
});
