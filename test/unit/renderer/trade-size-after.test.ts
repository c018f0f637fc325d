/** What an order makes of the position that it adjusts. */
import { expect } from 'chai';
import { sizeAfter } from '../../../renderer/screens/trade/size-after.ts';

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
