import { expect } from 'chai';
import { dec } from '../../../../gateway/domain/decimal.ts';
import { paperInstruments } from '../../../../gateway/venues/paper/market/instruments.ts';

const onChain = paperInstruments('paper');
const cross = paperInstruments('paper-cross');

describe('paper market: instruments', () => {
  it('lists the same underlyings under the same ids on both venues', () => {
    expect(onChain.length).to.be.at.least(64);
    expect(cross.map(({ id }) => id)).to.deep.equal(onChain.map(({ id }) => id));
    expect(new Set(onChain.map(({ id }) => id)).size).to.equal(onChain.length);
    expect(onChain[0]).to.include({ id: 'BTC-PERP', symbol: 'BTC' });
    for (const { id, symbol } of onChain) expect(id).to.equal(`${symbol}-PERP`);
  });

  it('gives paper the rules of an on-chain venue', () => {
    for (const instrument of onChain) {
      expect(instrument.connector).to.equal('paper');
      expect(dec(instrument.tickSize).decimalPlaces() + dec(instrument.stepSize).decimalPlaces()).to.equal(6);
      expect(instrument).to.include({ minNotional: '10', fundingIntervalHours: 1, maxSignificantFigures: 5 });
      expect(instrument.marginModes).to.deep.equal(['cross', 'isolated']);
    }
  });

  it('gives paper-cross its own rules', () => {
    for (const instrument of cross) {
      expect(instrument.connector).to.equal('paper-cross');
      expect(instrument).to.include({
        minNotional: '5',
        fundingIntervalHours: 8,
        maxSignificantFigures: null,
      });
      expect(instrument.marginModes).to.deep.equal(['cross']);
      expect(instrument.tickSize).to.match(/^(0\.0*)?[15]$/);
      expect(instrument.stepSize).to.match(/^(0\.0*)?1$/);
    }
    expect(cross.map(({ tickSize }) => tickSize)).to.not.deep.equal(onChain.map(({ tickSize }) => tickSize));
    expect(cross[0]).to.include({ tickSize: '0.5', stepSize: '0.0001' });
  });

  it('orders leverage tiers by size, ending without a bound, maintenance below the initial margin', () => {
    for (const instrument of [...onChain, ...cross]) {
      const tiers = instrument.leverageTiers;
      expect(tiers[0]?.maxLeverage).to.equal(instrument.maxLeverage);
      expect(tiers.at(-1)?.maxNotional).to.equal(null);
      for (const [i, { maxNotional, maxLeverage, maintenanceRate }] of tiers.entries()) {
        expect(dec(maintenanceRate).mul(maxLeverage).toNumber()).to.be.within(0.5, 0.501);
        const next = tiers[i + 1];
        if (next === undefined) continue;
        expect(next.maxLeverage).to.be.lessThan(maxLeverage);
        expect(maxNotional).to.not.equal(null);
        if (next.maxNotional !== null) expect(dec(next.maxNotional).gt(maxNotional ?? '0')).to.equal(true);
      }
    }
  });

  it('ends with a few restricted listings that say why', () => {
    const restricted = onChain.filter(({ tradeability }) => tradeability.status !== 'tradable');
    expect(restricted).to.have.length(3);
    expect(onChain.slice(-3)).to.deep.equal(restricted);
    const statuses = new Set(restricted.map(({ tradeability }) => tradeability.status));
    expect([...statuses].sort()).to.deep.equal(['not_tradable', 'reduce_only']);
    for (const { tradeability } of restricted)
      expect(tradeability.reason).to.be.a('string').that.is.not.empty;
  });
});
