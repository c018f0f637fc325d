import { expect } from 'chai';
import fc from 'fast-check';
import { canonical, ceilTo, dec, floorTo, sum, text, textRounded } from '../../../gateway/domain/decimal.ts';
import { forAll } from '../../support/property-runs.ts';

/** Digits as integers scaled by 10^18: an independent exact arithmetic to compare with. */
const scaled = (value: string): bigint => {
  const negative = value.startsWith('-');
  const [whole = '0', fraction = ''] = value.replace('-', '').split('.');
  const magnitude = BigInt(whole) * 10n ** 18n + BigInt(fraction.padEnd(18, '0'));
  return negative ? -magnitude : magnitude;
};

const amount = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }), fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }))
  .map(([whole, fraction]) => `${whole}.${fraction.toString().padStart(18, '0')}`);

describe('decimals', () => {
  it('never lose a digit in a sum or a difference of any two accepted amounts', () =>
    forAll([amount, amount], (a, b) => {
      expect(scaled(text(dec(a).plus(b)))).to.equal(scaled(a) + scaled(b));
      expect(scaled(text(dec(a).minus(b)))).to.equal(scaled(a) - scaled(b));
    }));

  it('never lose a digit in a product of any two accepted amounts', () =>
    forAll([amount, amount], (a, b) => {
      const product = text(dec(a).mul(b));
      const [whole = '0', fraction = ''] = product.split('.');
      const at36 = BigInt(whole) * 10n ** 36n + BigInt(fraction.padEnd(36, '0'));
      expect(at36).to.equal(scaled(a) * scaled(b));
    }));

  it('are written without exponent, trailing zero or negative zero', () => {
    forAll([amount], (value) => {
      expect(text(dec(value))).to.match(/^\d+(\.\d*[1-9])?$/);
    });
    expect(text(dec('1e-18'))).to.equal('0.000000000000000001');
    expect(text(dec('1e20'))).to.equal('100000000000000000000');
    expect(text(dec('-0'))).to.equal('0');
    expect(text(dec('1.50'))).to.equal('1.5');
  });

  it('canonical text is that of the decimal, however it is written', () => {
    const zeros = fc.constantFrom('', '0', '00');
    forAll([amount, zeros, zeros], (value, before, after) => {
      const written = `${before}${value}${value.includes('.') ? after : ''}`;
      expect(canonical(written)).to.equal(text(dec(written)));
    });
    for (const written of ['0', '-0', '0.0', '-0.5', '-10', '100', '1e3', '.5', '5.', '-0.50', '0.010'])
      expect(canonical(written)).to.equal(text(dec(written)));
    for (const none of ['', 'x', '1,5', '--1']) expect(() => canonical(none)).to.throw();
  });

  it('round to a step without ever crossing the value', () => {
    const step = fc.constantFrom('1', '0.5', '0.001', '0.00001', '10', '0.25');
    forAll([amount, step], (value, by) => {
      const low = floorTo(dec(value), dec(by));
      const high = ceilTo(dec(value), dec(by));
      expect(low.lte(value) && dec(value).minus(low).lt(by)).to.equal(true);
      expect(high.gte(value) && high.minus(value).lt(by)).to.equal(true);
      expect(low.mod(by).isZero() && high.mod(by).isZero()).to.equal(true);
    });
  });

  it('round a quotient half to even at the places asked', () => {
    expect(textRounded(dec('0.125'), 2)).to.equal('0.12');
    expect(textRounded(dec('0.135'), 2)).to.equal('0.14');
    expect(textRounded(dec('-0.004'), 2)).to.equal('0');
  });

  it('sum an empty list to zero', () => {
    expect(text(sum([]))).to.equal('0');
  });
});
