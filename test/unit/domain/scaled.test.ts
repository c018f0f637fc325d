/** Sums, products and comparisons of scaled numbers are those of `Decimal`, to the last digit. */
import { expect } from 'chai';
import fc from 'fast-check';
import { dec, text } from '../../../gateway/domain/decimal.ts';
import {
  isAbove,
  isSumAbove,
  minus,
  NOTHING,
  negated,
  onePlus,
  plus,
  scaled,
  scaledText,
  times,
  total,
} from '../../../gateway/domain/scaled.ts';
import { forAll, propertyRuns } from '../../support/property-runs.ts';

/** Up to 20 digits before the point and 18 behind it, as the contract takes them; zeros at the end included. */
const amount = fc
  .tuple(
    fc.boolean(),
    fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }),
    fc.stringMatching(/^[0-9]{0,18}$/),
    fc.boolean(),
  )
  .map(([isNegative, whole, part, isSmall]) => {
    const plain = `${isSmall ? '0' : whole}${part === '' ? '' : `.${part}`}`;
    return isNegative ? `-${plain}` : plain;
  });

describe('scaled numbers', () => {
  it('are read and written as their canonical text', () => {
    forAll([amount], (one) => {
      expect(scaledText(scaled(one))).to.equal(text(dec(one)));
    });
    for (const [read, written] of [
      ['0', '0'],
      ['-0', '0'],
      ['-0.00', '0'],
      ['0.10', '0.1'],
      ['-0.05', '-0.05'],
      ['100', '100'],
      ['100.000', '100'],
      ['0.000000000000000001', '0.000000000000000001'],
    ] as const)
      expect(scaledText(scaled(read)), read).to.equal(written);
  });

  it('add, subtract, multiply and compare exactly', () => {
    forAll([amount, amount, amount], (one, other, third) => {
      const [a, b, c] = [scaled(one), scaled(other), scaled(third)];
      const [x, y, z] = [dec(one), dec(other), dec(third)];
      expect(scaledText(plus(a, b))).to.equal(text(x.plus(y)));
      expect(scaledText(minus(a, b))).to.equal(text(x.minus(y)));
      expect(scaledText(negated(a))).to.equal(text(x.neg()));
      expect(scaledText(times(a, b))).to.equal(text(x.mul(y)));
      expect(scaledText(times(times(a, b), onePlus(c)))).to.equal(text(x.mul(y).mul(z.plus(1))));
      expect(scaledText(total([a, b, c]))).to.equal(text(x.plus(y).plus(z)));
      expect(isAbove(a, b)).to.equal(x.gt(y));
      expect(isAbove(a, a)).to.equal(false);
    });
    expect(total([])).to.equal(NOTHING);
  });

  it('compare a sum with a bound as the sum itself does, also at the bound and where a number ends', () => {
    const units = fc.oneof(fc.integer({ min: -999, max: 999 }), fc.maxSafeInteger());
    const places = fc.nat(4);
    const decimalOf = (of: number, count: number) => dec(of).div(dec(10).pow(count));
    forAll(
      [units, places, units, places, fc.nat(18), fc.integer({ min: -1, max: 1 })],
      propertyRuns(2_000),
      (...drawn) => {
        const [one, placesOfOne, other, placesOfOther, behind, off] = drawn;
        const [x, y] = [decimalOf(one, placesOfOne), decimalOf(other, placesOfOther)];
        const bound = x.plus(y).toDecimalPlaces(behind).plus(decimalOf(off, behind));
        const [a, b, most] = [
          scaled(x.toFixed(placesOfOne)),
          scaled(y.toFixed(placesOfOther)),
          bound.toFixed(),
        ];
        expect(isSumAbove(a, b, scaled(most)), `${x} + ${y} > ${most}`).to.equal(x.plus(y).gt(bound));
        expect(isAbove(a, scaled(most)), `${x} > ${most}`).to.equal(x.gt(bound));
      },
    );
  });

  it('are numbers again where a sum has become small enough', () => {
    const large = scaled('98765432109876543.21');
    expect(minus(plus(large, scaled('1.5')), large)).to.deep.equal({ units: 150, places: 2 });
  });

  it('what is no decimal is refused', () => {
    for (const bad of ['1e5', '1.2.3', 'NaN', '1,5']) expect(() => scaled(bad), bad).to.throw(SyntaxError);
  });
});
