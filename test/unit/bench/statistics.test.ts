import { expect } from 'chai';
import { median, pairedRatio, quantile, spread } from '../../bench/statistics.ts';

describe('bench: statistics', () => {
  it('takes the middle value, between the two middle ones of an even count', () => {
    expect(median([9, 1, 5])).to.equal(5);
    expect(median([4, 1, 3, 2])).to.equal(2.5);
  });

  it('interpolates quantiles between the nearest ranks', () => {
    expect(quantile([10, 20, 30, 40, 50], 0.25)).to.equal(20);
    expect(quantile([10, 20], 0.9)).to.be.closeTo(19, 1e-9);
    expect(quantile([7], 0.99)).to.equal(7);
  });

  it('does not change the list it is given', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).to.deep.equal([3, 1, 2]);
  });

  it('measures spread between the quartiles against the median, so that one odd round does not move it', () => {
    expect(spread([80, 90, 100, 110, 120])).to.be.closeTo(0.2, 1e-9);
    expect(spread([80, 90, 100, 110, 900])).to.be.closeTo(0.2, 1e-9);
    expect(spread([5, 5, 5])).to.equal(0);
  });

  it('divides round by round, so that a disturbance of both sides cancels out', () => {
    const base = [1_000, 500, 1_000];
    const variant = [800, 400, 800];
    expect(pairedRatio(base, variant)).to.deep.equal({ median: 0.8, lowest: 0.8, highest: 0.8 });
  });

  it('refuses series of different lengths and empty ones', () => {
    expect(() => pairedRatio([1, 2], [1])).to.throw(RangeError);
    expect(() => median([])).to.throw(RangeError);
  });
});
