import { expect } from 'chai';
import fc from 'fast-check';
import { dec, text } from '../../../../gateway/domain/decimal.ts';
import type { PriceGrid } from '../../../../gateway/venues/paper/market/price-grid.ts';
import {
  priceGridOf,
  roundDown,
  roundNearest,
  roundUp,
  tickAt,
  unitsAbove,
  unitsBelow,
  unitsText,
} from '../../../../gateway/venues/paper/market/price-grid.ts';
import { forAll } from '../../../support/property-runs.ts';

const onChain: PriceGrid = priceGridOf({ tickSize: '0.0001', maxSignificantFigures: 5 });
const plain: PriceGrid = priceGridOf({ tickSize: '0.05', maxSignificantFigures: null });

describe('paper market: price grid', () => {
  it('widens the tick with the price, up to whole prices', () => {
    const ticks = ['0.5', '1.2345', '9.9999', '10', '123.45', '1234.5', '12345', '99999', '123456'].map(
      (price) => unitsText(tickAt(onChain, unitsBelow(price, 4)), 4),
    );
    expect(ticks).to.deep.equal(['0.0001', '0.0001', '0.0001', '0.001', '0.01', '0.1', '1', '1', '1']);
  });

  it('keeps a plain tick everywhere', () => {
    expect(unitsText(tickAt(plain, 1), 2)).to.equal('0.05');
    expect(unitsText(roundDown(plain, 374_529), 2)).to.equal('3745.25');
    expect(unitsText(roundUp(plain, 374_526), 2)).to.equal('3745.3');
  });

  it('rounds onto admitted prices and never past the neighbours', () =>
    forAll(
      [fc.double({ min: 10, max: 1e10, noNaN: true }), fc.constantFrom(onChain, plain)],
      (units, grid) => {
        const down = roundDown(grid, units);
        const up = roundUp(grid, units);
        const near = roundNearest(grid, units);
        expect(down).to.be.at.most(units);
        expect(up).to.be.at.least(units);
        expect(up - down).to.be.at.most(tickAt(grid, units));
        expect(near === down || near === up).to.equal(true);
        for (const price of [down, up]) {
          expect(price % grid.tickUnits).to.equal(0);
          const value = dec(unitsText(price, grid.decimals));
          if (grid.significantFigures !== null && !value.isInteger()) {
            expect(value.precision()).to.be.at.most(grid.significantFigures);
          }
        }
      },
    ));

  it('writes and reads units like a decimal of that many places', () =>
    forAll([fc.maxSafeInteger(), fc.integer({ min: 0, max: 10 })], (units, decimals) => {
      const written = unitsText(units, decimals);
      expect(written).to.equal(text(dec(units).div(dec(10).pow(decimals))));
      if (units < 0) return;
      expect(unitsBelow(written, decimals)).to.equal(units);
      expect(unitsAbove(written, decimals)).to.equal(units);
    }));

  it('bounds what is between, below or beyond the units', () => {
    expect(unitsBelow('1.239', 2)).to.equal(123);
    expect(unitsAbove('1.231', 2)).to.equal(124);
    expect(unitsBelow('-1', 2)).to.equal(0);
    expect(unitsBelow('99999999999999999999', 2)).to.equal(Number.MAX_SAFE_INTEGER);
  });
});
