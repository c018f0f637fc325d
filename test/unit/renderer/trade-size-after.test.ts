/** Effect of an order on the position that it adjusts. */
import { expect } from 'chai';
import { freeAtWorst, sizeAfter } from '../../../renderer/screens/trade/size-after.ts';

const HELD = { grossNotional: '10000' };

describe('size of a position after an order', () => {
  it('counts what the venue’s steps leave of it, as the review does', () => {
    expect(sizeAfter(HELD, '1000', { grossNotional: '998.4' })).to.equal('10998.4');
  });

  it('counts what is typed until that is known, and nothing where neither is', () => {
    expect(sizeAfter(HELD, ' 1000.50 ', null)).to.equal('11000.5');
    expect(sizeAfter(HELD, '', null)).to.equal(null);
    expect(sizeAfter(HELD, '1e3', null)).to.equal(null);
  });
});

describe('free margin after an order', () => {
  const leg = (side: 'BUY' | 'SELL', quantity: string, price: string, limitPrice: string) => ({
    ...{ side, quantity, price, limitPrice },
  });
  const plan = { freeMargin: '1000', marginRequired: '400', totalFee: '5' };

  it('is less margin, fee, and what the worst prices lose against the marks', () => {
    // 2 × (101 − 100) and 10 × (20 − 19.8).
    const legs = [leg('BUY', '2', '100', '101'), leg('SELL', '10', '20', '19.8')];
    expect(freeAtWorst({ ...plan, legs })).to.equal('591');
    expect(freeAtWorst({ ...plan, legs: [] })).to.equal('595');
  });

  it('is below nothing where it does not suffice, and counts no better price than the mark', () => {
    expect(freeAtWorst({ ...plan, marginRequired: '1200', legs: [] })).to.equal('-205');
    expect(freeAtWorst({ ...plan, legs: [leg('BUY', '2', '100', '99')] })).to.equal('595');
  });
});
