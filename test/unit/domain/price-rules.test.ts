import { expect } from 'chai';
import fc from 'fast-check';
import { dec } from '../../../gateway/domain/decimal.ts';
import {
  insideBand,
  isOutsideBand,
  isValidPrice,
  limitPrice,
  tickAt,
} from '../../../gateway/domain/price-rules.ts';
import { forAll } from '../../support/property-runs.ts';

const rule = { tickSize: '0.000001', maxSignificantFigures: 5, priceBand: null };

/** Significant figures of a decimal text, counted on its digits. */
const figures = (value: string) => value.replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length;

const price = fc
  .tuple(fc.integer({ min: 1, max: 99_999_999 }), fc.integer({ min: -6, max: 3 }))
  .map(([digits, exponent]) => dec(digits).mul(dec(10).pow(exponent)));

describe('price rules', () => {
  it('the tick is the last of five significant figures, whole numbers always allowed', () => {
    expect(tickAt(dec('117571'), rule).toFixed()).to.equal('1');
    expect(tickAt(dec('3742.9'), rule).toFixed()).to.equal('0.1');
    expect(tickAt(dec('0.23681'), rule).toFixed()).to.equal('0.00001');
    expect(tickAt(dec('0.0000231'), rule).toFixed()).to.equal('0.000001');
    expect(tickAt(dec('3742.9'), { tickSize: '0.5', maxSignificantFigures: null }).toFixed()).to.equal('0.5');
  });

  it('a limit obeys the tick and the figures and is never worse than the slippage bound', () =>
    forAll([price, fc.constantFrom('0', '0.0005', '0.01', '0.1')], (mark, slippage) => {
      for (const side of ['BUY', 'SELL'] as const) {
        const limit = limitPrice(mark, side, dec(slippage), rule);
        if (limit.isZero()) continue;
        const text = limit.toFixed();
        expect(isValidPrice(limit, rule), text).to.equal(true);
        expect(Number.isInteger(Number(text)) || figures(text) <= 5, text).to.equal(true);
        const bound = side === 'BUY' ? mark.mul(dec(1).plus(slippage)) : mark.mul(dec(1).minus(slippage));
        expect(side === 'BUY' ? limit.lte(bound) : limit.gte(bound), `${text} ${bound}`).to.equal(true);
      }
    }));

  it('a limit stays inside the band around mark and index where that reaches the market, valid, never worse for its owner', () => {
    const factor = fc.integer({ min: 20, max: 500 }).map((percent) => dec(percent).div(100));
    const band = fc.constantFrom('0.01', '0.05', '0.5', '0.95');
    forAll([price, factor, band, fc.constantFrom('0', '0.01', '0.1')], (mark, far, priceBand, slippage) => {
      const index = mark.mul(far).toFixed();
      for (const side of ['BUY', 'SELL'] as const) {
        const free = limitPrice(mark, side, dec(slippage), rule);
        const limit = limitPrice(mark, side, dec(slippage), { ...rule, priceBand }, index);
        if (limit.isZero()) continue;
        expect(isValidPrice(limit, rule), limit.toFixed()).to.equal(true);
        expect(side === 'BUY' ? limit.lte(free) : limit.gte(free)).to.equal(true);
        const edges = [mark, dec(index)].map((one) =>
          one.mul(side === 'BUY' ? dec(1).plus(priceBand) : dec(1).minus(priceBand)),
        );
        if (edges.some((edge) => (side === 'BUY' ? edge.lt(mark) : edge.gt(mark)))) {
          expect(limit.eq(free)).to.equal(true);
          continue;
        }
        for (const reference of [mark, dec(index)]) {
          const worst = reference.mul(side === 'BUY' ? dec(1).plus(priceBand) : dec(1).minus(priceBand));
          expect(side === 'BUY' ? limit.lte(worst) : limit.gte(worst), `${side} ${limit} ${worst}`).to.equal(
            true,
          );
        }
      }
    });
  });

  it('only what is outside of the band is moved, to its edge; a band that does not reach the mark is shut', () => {
    const banded = { tickSize: '0.1', maxSignificantFigures: null, priceBand: '0.05' };
    expect(insideBand(dec('104.9'), 'BUY', dec('100'), '100', banded).toFixed()).to.equal('104.9');
    expect(insideBand(dec('110'), 'BUY', dec('100'), '100', banded).toFixed()).to.equal('105');
    expect(insideBand(dec('110'), 'BUY', dec('100'), '98.01', banded).toFixed()).to.equal('102.9');
    expect(insideBand(dec('90'), 'SELL', dec('100'), undefined, banded).toFixed()).to.equal('95');
    expect(insideBand(dec('90'), 'SELL', dec('100'), '101.01', banded).toFixed()).to.equal('96');
    // 1.05 × 95 is less than the mark.
    expect(insideBand(dec('101'), 'BUY', dec('100'), '95', banded).toFixed()).to.equal('101');
    const outside = (limit: string, index: string) =>
      isOutsideBand(dec(limit), { mark: '100', index }, banded);
    expect(outside('101', '95')).to.equal(true);
    // A sale at that price is too high for it as well.
    expect(outside('99.8', '95')).to.equal(true);
    expect(outside('99.7', '95')).to.equal(false);
    expect(outside('99.7', '105')).to.equal(true);
    expect(outside('99.8', '105')).to.equal(false);
    expect(isOutsideBand(dec('1'), { mark: '100', index: '1' }, { priceBand: null })).to.equal(false);
  });
});
