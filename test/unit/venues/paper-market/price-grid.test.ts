import { expect } from 'chai';
import { unitsAbove, unitsBelow } from '../../../../gateway/venues/paper/market/price-grid.ts';

describe('paper market: price grid', () => {
  it('bounds what is between, below or beyond the units', () => {
    expect(unitsBelow('1.239', 2)).to.equal(123);
    expect(unitsAbove('1.231', 2)).to.equal(124);
    expect(unitsBelow('-1', 2)).to.equal(0);
    expect(unitsBelow('99999999999999999999', 2)).to.equal(Number.MAX_SAFE_INTEGER);
  });
});
