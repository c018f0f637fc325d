/** `GET /fee`: quotes from the connector's rates. */
import { expect } from 'chai';
import { businessError } from '../../gateway/contract/errors.ts';
import { getFee } from '../../gateway/contract/fee.ts';
import { dec, text } from '../../gateway/domain/decimal.ts';
import { gatewayForSuite, type TestAnswer } from '../support/gateway.ts';
import { traderForSuite } from '../support/trader.ts';

describe('fee quote', () => {
  const gateway = gatewayForSuite({ hasCross: true, settings: { paperProfile: 'realistic' } });
  const bot = traderForSuite(gateway);

  const ask = (query: Record<string, string>) => bot.call('GET', `/fee?${new URLSearchParams(query)}`);
  const quote = async (query: Record<string, string>) => {
    const answer = await ask({ connector: 'paper', ...query });
    expect(answer.status, answer.text).to.equal(200);
    return getFee.success[200].parse(answer.json);
  };
  const leg = (symbol: string, mode: string, amount: string) => ({ symbol, side: 'BUY', mode, amount });
  const expectInvalid = (answer: TestAnswer, path: string) => {
    expect(answer.status, answer.text).to.equal(400);
    const { details } = businessError.parse(answer.json);
    expect(Array.isArray(details) ? details.map((detail) => detail.path) : []).to.include(path);
  };

  it('of a notional', async () => {
    const { takerRate, integratorRate, ...found } = await quote({ notional: '1000.50' });
    expect(found).to.deep.include({ connector: 'paper', legs: [] });
    expect(integratorRate).to.equal('0');
    expect(found.totalFee).to.equal(text(dec('1000.5').mul(takerRate)));
  });

  it('of legs in USD and in quantities: the fees sum to the total', async () => {
    const legs = [leg('BTC-PERP', 'USD', '500'), leg('ETH-PERP', 'BASE', '0.5')];
    const { takerRate, totalFee, ...found } = await quote({ legs: JSON.stringify(legs) });
    expect(found.legs[0]).to.deep.equal({
      symbol: 'BTC-PERP',
      notional: '500',
      fee: text(dec(500).mul(takerRate)),
    });
    const second = found.legs[1];
    expect(dec(second?.notional ?? '0').gt(0)).to.equal(true);
    expect(second?.fee).to.equal(text(dec(second?.notional ?? '0').mul(takerRate)));
    expect(totalFee).to.equal(text(dec(found.legs[0]?.fee ?? '0').plus(second?.fee ?? '0')));
  });

  it('of weights of a total', async () => {
    const legs = JSON.stringify([leg('BTC-PERP', 'WEIGHT', '0.3'), leg('ETH-PERP', 'WEIGHT', '0.7')]);
    const found = await quote({ legs, totalUsd: '1000' });
    expect(found.legs.map(({ notional }) => notional)).to.deep.equal(['300', '700']);
  });

  it('is what a trade then pays', async () => {
    await bot.open([{ symbol: 'BTC-PERP', side: 'BUY', mode: 'USD', amount: '1000' }]);
    const { fills } = (await bot.call('GET', '/fills')).json;
    expect(fills).to.not.have.length(0);
    for (const fill of fills) {
      const { totalFee } = await quote({ notional: fill.notional });
      expect(dec(fill.fee).gt(0)).to.equal(true);
      expect(dec(fill.fee).minus(totalFee).abs().lt('0.000001'), `${fill.fee} ${totalFee}`).to.equal(true);
    }
  });

  it('differs by connector', async () => {
    const paper = await quote({ notional: '1' });
    const cross = await quote({ connector: 'paper-cross', notional: '1' });
    expect(cross.connector).to.equal('paper-cross');
    expect(cross.takerRate).to.not.equal(paper.takerRate);
  });

  it('bad input', async () => {
    const connector = 'paper';
    const good = JSON.stringify([leg('BTC-PERP', 'USD', '500')]);
    expectInvalid(await ask({ notional: '1' }), 'connector');
    expectInvalid(await ask({ connector: 'nowhere', notional: '1' }), 'connector');
    expectInvalid(await ask({ connector }), 'legs');
    expectInvalid(await ask({ connector, notional: '1', legs: good }), 'legs');
    for (const notional of ['0', '-1', '1e3', 'x', ''])
      expectInvalid(await ask({ connector, notional }), 'notional');
    for (const legs of ['', 'BTC', '{', '{}', '[]', 'null'])
      expectInvalid(await ask({ connector, legs }), 'legs');
    const withLeg = (one: object) => ask({ connector, legs: JSON.stringify([one]) });
    expectInvalid(await withLeg(leg('BTC-PERP', 'USD', '-5')), 'legs.0.amount');
    expectInvalid(await withLeg(leg('BTC', 'USD', '5')), 'legs.0.symbol');
    expectInvalid(await withLeg({ ...leg('BTC-PERP', 'USD', '5'), size: 1 }), 'legs.0.size');
    expectInvalid(await withLeg(leg('BTC-PERP', 'WEIGHT', '1')), 'totalUsd');
    expectInvalid(await ask({ connector, legs: good, totalUsd: '5' }), 'totalUsd');
    const short = JSON.stringify([leg('BTC-PERP', 'WEIGHT', '0.9')]);
    expectInvalid(await ask({ connector, legs: short, totalUsd: '5' }), 'legs');
    const mixed = JSON.stringify([leg('BTC-PERP', 'WEIGHT', '0.5'), leg('ETH-PERP', 'USD', '5')]);
    expectInvalid(await ask({ connector, legs: mixed, totalUsd: '5' }), 'legs.1.mode');
  });
});
