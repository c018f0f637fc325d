/** Decimals of prices: those of the tick, and no figure that says nothing. */
import { expect } from 'chai';
import { priceDigits } from '../../../renderer/features/instrument-figure/price-digits.ts';

const digits = (price: string, tick: number, isRounded = false) => {
  const { minDigits, maxDigits } = priceDigits(price, tick, isRounded);
  return [minDigits, maxDigits];
};

describe('decimals of a price', () => {
  it('an average has seven figures at most, and never fewer than its tick', () => {
    expect(digits('18.388632911', 5)).to.deep.equal([5, 5]);
    expect(digits('0.23685012345', 6)).to.deep.equal([6, 7]);
    expect(digits('31.4162733', 2)).to.deep.equal([2, 4]);
    expect(digits('117577.254', 0)).to.deep.equal([0, 1]);
    expect(digits('1234567.891', 2)).to.deep.equal([2, 2]);
    expect(digits('0', 2)).to.deep.equal([2, 4]);
  });

  it('one that the venue worked out has seven figures at most, and none beyond its tick', () => {
    expect(digits('26590.4657', 4, true)).to.deep.equal([2, 2]);
    expect(digits('363133.07', 2, true)).to.deep.equal([1, 1]);
    expect(digits('147.4213', 2, true)).to.deep.equal([2, 2]);
    expect(digits('12345678.5', 1, true)).to.deep.equal([0, 0]);
  });
});
